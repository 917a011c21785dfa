// One entry of a k-best list: what it would write into the sentence, and its score.
import { copyOf, type Phrase, type Sentence } from "./sentence";

export interface Analysis {
  score: number;
  scores: [string, number][]; // what the score is made of, where it is several
  heads: (number | null)[] | null; // of words 1..n, in order; null: it says nothing about heads
  deprels: string[] | null;
  upos: string[] | null;
  phrases: Phrase | null;
}

/** The sentence with what the analysis says. */
export function annotated(sentence: Sentence, analysis: Analysis): Sentence {
  const result = copyOf(sentence);
  result.problems = [];
  result.words.forEach((word, index) => {
    word.confidence = undefined;
    if (analysis.heads) word.head = analysis.heads[index] ?? null;
    if (analysis.deprels) word.deprel = analysis.deprels[index] ?? "_";
    if (analysis.upos) word.upos = analysis.upos[index] ?? "_";
  });
  if (analysis.phrases) result.phrases = analysis.phrases;
  return result;
}

/** A head and label that some analyses of a list give a word. */
export interface ArcChoice {
  head: number;
  label: string;
  behind: number; // how far the best analysis that has it is behind the best of all
  count: number; // of analyses that have it
}

/** What the list says about a word, best first. */
export function choicesFor(list: readonly Analysis[], word: number): ArcChoice[] {
  const best = list[0]?.score ?? 0;
  const choices = new Map<string, ArcChoice>();
  for (const { heads, deprels, score } of list) {
    const head = heads?.[word - 1];
    if (head === null || head === undefined) continue;
    const label = deprels?.[word - 1] ?? "_";
    const choice = choices.get(`${head} ${label}`);
    if (choice) choice.count++;
    else choices.set(`${head} ${label}`, { head, label, behind: best - score, count: 1 });
  }
  return [...choices.values()];
}
