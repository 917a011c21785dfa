// Where phrases and words go: all words on the bottom line, each phrase one level above the highest of its children and
// midway between the first and the last of them, or nearly so. A root without a label only holds several trees together, and takes no
// room. All pure.
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
}

const MARGIN = 16;
const GAP = 14;
const STEP = 40; // from level to level
const LEAF = 30; // from a tag to its word
const NEAR = 10; // a child so near to the middle has its parent right above it

export function layoutPhrases({ root, labelWidth, leafWidth, rightToLeft }: PhraseInput): PhraseLayout {
  const nodes: PlacedPhrase[] = [];
  let end = MARGIN; // of what stands on the bottom line so far
  let highest = 0;
  const place = (phrase: Phrase): { node: PlacedPhrase; level: number } => {
    const node: PlacedPhrase = { phrase, x: 0, y: 0, children: [] };
    nodes.push(node);
    if (phrase.children.length === 0) {
      const half = Math.max(labelWidth(phrase.label), leafWidth(phrase)) / 2;
      node.x = end + half;
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
  const width = end - GAP + MARGIN;
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
