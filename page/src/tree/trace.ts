// The trace of a parser. If it builds the tree step by step: its states with the best actions in
// each. Graph parsers: the arcs that scored best for every word.
import { said, type Arc, type Phrase, type Sentence } from "./sentence";

/** An item of the stack: a word, or a phrase over words first..last. */
export interface StackItem {
  label: string; // "" for a word
  first: number;
  last: number;
}

export interface Action {
  move: string;
  label: string;
  arc: { head: number; dependent: number } | null; // the arc that it would build,
  span: { first: number; last: number } | null; // or the words of the phrase that it would
  score: number;
}

export interface Step {
  stack: StackItem[]; // the top last
  buffer: number[]; // the front first
  actions: Action[]; // best first; the taken one is among them
  taken: number; // its index
  forced: boolean; // the only legal action, not scored
}

export interface ScoredArc extends Arc {
  score: number; // of the best tree with this arc, behind the best of all
  chosen: boolean;
}

export type Trace = { system: string; whose: string } & (
  { kind: "transition"; steps: Step[] } | { kind: "graph"; arcs: ScoredArc[] }
);

function takenBefore(steps: readonly Step[], n: number): Action[] {
  return steps.slice(0, n).flatMap(({ actions, taken }) => actions[taken] ?? []);
}

/** The arcs that have been built before step `n`. */
export function arcsBefore(steps: readonly Step[], n: number): Arc[] {
  return takenBefore(steps, n).flatMap(({ arc, label }) => (arc ? { ...arc, label } : []));
}

/** Whether phrases are built, not arcs. */
export function buildsPhrases(steps: readonly Step[]): boolean {
  return steps.some(({ actions, taken }) => actions[taken]?.span);
}

/** The phrases that have been built before step `n`, in a row with the words that are in none; a part of a phrase, "NP*",
 * is taken up by what continues it. A label "S VP" is a chain of two. */
export function phrasesBefore(sentence: Sentence, steps: readonly Step[], n: number): Phrase[] {
  interface Piece {
    phrase: Phrase;
    first: number;
    part: boolean;
  }
  let row: Piece[] = sentence.words.map(({ xpos, upos }, i) => ({
    phrase: { label: said(xpos) || said(upos), children: [], word: i + 1, trace: "" },
    first: i + 1,
    part: false,
  }));
  for (const { span, label } of takenBefore(steps, n)) {
    if (!span) continue;
    const inside = row.filter(({ first }) => first >= span.first && first <= span.last);
    let children = inside.flatMap(({ phrase, part }) => (part ? phrase.children : [phrase]));
    for (const name of label.split(" ").reverse()) {
      children = [{ label: name, children, word: 0, trace: "" }];
    }
    const [phrase] = children;
    if (!phrase) continue;
    row = row.filter((piece) => !inside.includes(piece));
    row.push({ phrase, first: span.first, part: label.endsWith("*") });
    row.sort((a, b) => a.first - b.first);
  }
  return row.map(({ phrase }) => phrase);
}
