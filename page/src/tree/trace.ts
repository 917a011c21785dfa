// How a parser came to its tree. Transition systems: the states it went through, with the best actions in each. Graph
// parsers: the arcs that scored best for every word.
import type { Arc } from "./sentence";

/** What lies on a stack: a word, or a phrase over words first..last. */
export interface StackItem {
  label: string; // "" for a word
  first: number;
  last: number;
}

export interface Action {
  move: string;
  label: string;
  arc: { head: number; dependent: number } | null; // what it would build
  score: number;
}

export interface Step {
  stack: StackItem[]; // the top last
  buffer: number[]; // the front first
  actions: Action[]; // best first; the taken one is among them
  taken: number; // its index
  forced: boolean; // nothing else was possible, nothing was scored
}

export interface ScoredArc extends Arc {
  score: number; // of the best tree with this arc, behind the best of all
  chosen: boolean;
}

export type Trace =
  { kind: "transition"; system: string; steps: Step[] } | { kind: "graph"; system: string; arcs: ScoredArc[] };

/** The arcs that have been built before step `n`. */
export function arcsBefore(steps: readonly Step[], n: number): Arc[] {
  const arcs: Arc[] = [];
  for (const { actions, taken } of steps.slice(0, n)) {
    const action = actions[taken];
    if (action?.arc) arcs.push({ ...action.arc, label: action.label });
  }
  return arcs;
}
