// Where phrases and words go: all words on the bottom line, each phrase one level above the highest of its children and
// midway between the first and the last of them, or nearly so. A root without a label only holds several trees together, and takes no
// room. Trees over the same words can have them in the same places. All pure.
import type { Phrase } from "../tree/sentence";

export interface PlacedPhrase {
  phrase: Phrase;
  x: number;
  y: number;
  children: PlacedPhrase[];
}

export interface PhraseLayout {
  width: number;
  height: number;
  nodes: PlacedPhrase[]; // parents before children
  leafY: number; // base line of words
}

export interface PhraseInput {
  root: Phrase;
  labelWidth: (label: string) => number;
  leafWidth: (leaf: Phrase) => number;
  rightToLeft: boolean;
  least?: ReadonlyMap<number, number>; // how far from the sentence's beginning words stand at least
}

const MARGIN = 16;
const GAP = 14;
const STEP = 40; // from level to level
const LEAF = 30; // from a tag to its word
const MOST_ROUNDS = 200; // each settles the left-most word that still moves; two or three do in practice
const NEAR = 10; // a child so near to the middle has its parent right above it

/** Several trees, with each word of all of them in the same place: all move on to where one of them needs it. */
export function layoutPhrasesTogether(inputs: readonly PhraseInput[]): PhraseLayout[] {
  let least: ReadonlyMap<number, number> = new Map();
  for (let round = 0; inputs.length > 1 && round < MOST_ROUNDS; round++) {
    const layouts = inputs.map((input) => layoutPhrases({ ...input, least, rightToLeft: false }));
    const furthest = new Map<number, number>();
    for (const { phrase, x } of layouts.flatMap(({ nodes }) => nodes)) {
      if (phrase.word) furthest.set(phrase.word, Math.max(x, furthest.get(phrase.word) ?? 0));
    }
    if ([...furthest].every(([word, x]) => x - (least.get(word) ?? 0) < 0.5)) break;
    least = furthest;
  }
  const width = Math.max(...inputs.map((input) => layoutPhrases({ ...input, least }).width));
  return inputs.map((input) => layoutPhrases({ ...input, least }, width));
}

export function layoutPhrases(
  { root, labelWidth, leafWidth, rightToLeft, least }: PhraseInput,
  atLeastWide = 0,
): PhraseLayout {
  const nodes: PlacedPhrase[] = [];
  let end = MARGIN; // of what stands on the bottom line so far
  let highest = 0;
  const place = (phrase: Phrase): { node: PlacedPhrase; level: number } => {
    const node: PlacedPhrase = { phrase, x: 0, y: 0, children: [] };
    nodes.push(node);
    if (phrase.children.length === 0) {
      const half = Math.max(labelWidth(phrase.label), leafWidth(phrase)) / 2;
      node.x = Math.max(end + half, least?.get(phrase.word) ?? 0);
      end = node.x + half + GAP;
      return { node, level: 0 };
    }
    const before = end;
    let level = 0;
    for (const child of phrase.children) {
      const placed = place(child);
      node.children.push(placed.node);
      level = Math.max(level, placed.level + 1);
    }
    const middle = ((node.children[0]?.x ?? 0) + (node.children.at(-1)?.x ?? 0)) / 2;
    node.x = node.children.find(({ x }) => Math.abs(x - middle) < NEAR)?.x ?? middle; // straight lines look better
    // A label wider than all that is below it: make room.
    const missing = before + labelWidth(phrase.label) / 2 - node.x;
    if (missing > 0) shift(node, missing);
    end = Math.max(end + Math.max(0, missing), node.x + labelWidth(phrase.label) / 2 + GAP);
    node.y = level;
    if (phrase !== root || phrase.label) highest = Math.max(highest, level);
    return { node, level };
  };
  place(root);
  const width = Math.max(end - GAP + MARGIN, atLeastWide);
  const top = MARGIN + 8;
  for (const node of nodes) {
    node.y = top + (highest - node.y) * STEP;
    if (rightToLeft) node.x = width - node.x;
  }
  const leafY = top + highest * STEP + LEAF;
  return { width, height: leafY + MARGIN, nodes, leafY };
}

function shift(node: PlacedPhrase, by: number): void {
  node.x += by;
  for (const child of node.children) shift(child, by);
}
