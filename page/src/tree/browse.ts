// What the file view shows: the sentences that a search finds, the places where something is wrong, the scores of a second
// file against the first.
import type { Treebank } from "../format/files";
import { addComparison, compare, differs, noArcs, noPhrases, noTags, type Sums } from "./compare";
import { search, type Query } from "./search";
import type { Sentence } from "./sentence";

export interface Entry {
  number: number; // in the file, from 1
  sentence: Sentence;
  other: Sentence | null; // the second file's
  found: Set<number>;
  errors: number[]; // words to jump to; 0 for the sentence as such
}

export interface Scores extends Sums {
  incomparable: number; // sentences whose words are not the same
  exact: number; // sentences without a difference
  compared: number;
}

/** All sentences of the first file with what is to be known of each. */
export function entriesOf(first: Treebank, second: Treebank | null): { entries: Entry[]; scores: Scores } {
  const scores: Scores = {
    arcs: noArcs(),
    tags: noTags(),
    phrases: noPhrases(),
    incomparable: 0,
    exact: 0,
    compared: 0,
  };
  const entries = first.sentences.map((sentence, index): Entry => {
    const other = second?.sentences[index] ?? null;
    const entry: Entry = { number: index + 1, sentence, other, found: new Set(), errors: [] };
    if (!second) entry.errors = [...new Set(sentence.problems.map(({ word }) => word))];
    if (!other) return entry;
    const comparison = compare(sentence, other);
    scores.compared++;
    if (!comparison.comparable) scores.incomparable++;
    addComparison(scores, comparison);
    if (!differs(comparison)) scores.exact++;
    else entry.errors = [...new Set([...comparison.wrongWords, ...comparison.wrongTags])];
    if (differs(comparison) && entry.errors.length === 0) entry.errors = [0];
    return entry;
  });
  return { entries, scores };
}

/** Those that the query finds, and only those with errors if asked for. */
export function chosen(entries: readonly Entry[], query: Query, onlyErrors: boolean): Entry[] {
  const result: Entry[] = [];
  for (const entry of entries) {
    if (onlyErrors && entry.errors.length === 0) continue;
    const found = search(entry.sentence, query);
    if (found) result.push({ ...entry, found });
  }
  return result;
}

export interface Place {
  index: number; // among the entries
  word: number;
}

/** Where errors are, or where the search found words if there was one. */
export function placesIn(entries: readonly Entry[], what: "errors" | "found"): Place[] {
  return entries.flatMap((entry, index) => [...entry[what]].sort((a, b) => a - b).map((word) => ({ index, word })));
}
