// Two analyses of the same words: which arcs, tags and phrases differ, and the scores that follow. Scores count every
// word, punctuation too, and whole labels (nsubj:pass is not nsubj).
import { said, type Phrase, type Sentence, type Word } from "./sentence";

export interface ArcScore {
  words: number;
  heads: number; // right ones
  labelled: number;
}

export interface TagScore {
  words: number; // that have a tag in both
  right: number;
}

export interface PhraseScore {
  gold: number;
  system: number;
  shared: number;
}

export interface Comparison {
  comparable: boolean; // the same words
  arcs: ArcScore;
  tags: TagScore;
  phrases: PhraseScore;
  wrongWords: Set<number>; // whose head or label differs
  wrongTags: Set<number>; // words whose tag differs
}

export const noArcs = (): ArcScore => ({ words: 0, heads: 0, labelled: 0 });
export const noTags = (): TagScore => ({ words: 0, right: 0 });
export const noPhrases = (): PhraseScore => ({ gold: 0, system: 0, shared: 0 });

export function sameWords(a: Sentence, b: Sentence): boolean {
  return a.words.length === b.words.length && a.words.every((word, i) => word.form === b.words[i]?.form);
}

export function compare(gold: Sentence, system: Sentence): Comparison {
  const result: Comparison = {
    comparable: sameWords(gold, system),
    arcs: noArcs(),
    tags: noTags(),
    phrases: noPhrases(),
    wrongWords: new Set(),
    wrongTags: new Set(),
  };
  if (!result.comparable) return result;
  gold.words.forEach((word, index) => {
    const other = system.words[index] as Word;
    const tags = tagsOf(word, other);
    if (tags) {
      result.tags.words++;
      if (tags[0] === tags[1]) result.tags.right++;
      else result.wrongTags.add(index + 1);
    }
    if (word.head === null) return;
    const head = other.head === word.head;
    const labelled = head && other.deprel === word.deprel;
    result.arcs.words++;
    if (head) result.arcs.heads++;
    if (labelled) result.arcs.labelled++;
    else result.wrongWords.add(index + 1);
  });
  if (gold.phrases && system.phrases) {
    const spans = spansOf(gold.phrases);
    const others = spansOf(system.phrases);
    result.phrases = { gold: total(spans), system: total(others), shared: overlap(spans, others) };
  }
  return result;
}

/** Two words' tags of the same kind: UPOS if both have one, else XPOS; null if there is no such kind. */
function tagsOf(a: Word, b: Word): [string, string] | null {
  if (said(a.upos) && said(b.upos)) return [a.upos, b.upos];
  return said(a.xpos) && said(b.xpos) ? [a.xpos, b.xpos] : null;
}

/** Whether anything at all was found to differ. */
export function differs({ comparable, wrongWords, wrongTags, phrases }: Comparison): boolean {
  const spans = phrases.shared < Math.max(phrases.gold, phrases.system);
  return !comparable || wrongWords.size > 0 || wrongTags.size > 0 || spans;
}

export type Sums = Pick<Comparison, "arcs" | "tags" | "phrases">;

export function addComparison(sum: Sums, { arcs, tags, phrases }: Comparison): void {
  sum.arcs.words += arcs.words;
  sum.arcs.heads += arcs.heads;
  sum.arcs.labelled += arcs.labelled;
  sum.tags.words += tags.words;
  sum.tags.right += tags.right;
  sum.phrases.gold += phrases.gold;
  sum.phrases.system += phrases.system;
  sum.phrases.shared += phrases.shared;
}

export function f1({ gold, system, shared }: PhraseScore): number {
  return gold + system === 0 ? 1 : (2 * shared) / (gold + system);
}

/** "NP 1 3" → how often; words' own tags and the outermost, nameless node do not count. */
export type Spans = Map<string, number>;

export function spansOf(root: Phrase): Spans {
  const spans: Spans = new Map();
  walkSpans(root, (key) => spans.set(key, (spans.get(key) ?? 0) + 1));
  return spans;
}

/** Calls `visit` for every phrase over words that counts, children first. */
export function walkSpans(root: Phrase, visit: (key: string, phrase: Phrase) => void): void {
  const walk = (phrase: Phrase): [number, number] => {
    if (phrase.children.length === 0) return phrase.word ? [phrase.word, phrase.word] : [Infinity, -Infinity];
    let first = Infinity;
    let last = -Infinity;
    for (const child of phrase.children) {
      const [from, to] = walk(child);
      first = Math.min(first, from);
      last = Math.max(last, to);
    }
    const wrapper = phrase === root && /^(|ROOT|TOP|VROOT)$/.test(phrase.label);
    if (last >= first && !wrapper) visit(`${phrase.label.replace(/(?<=.)[-=].*$/, "")} ${first} ${last}`, phrase);
    return [first, last];
  };
  walk(root);
}

function total(spans: Spans): number {
  return [...spans.values()].reduce((sum, count) => sum + count, 0);
}

function overlap(a: Spans, b: Spans): number {
  let shared = 0;
  for (const [key, count] of a) shared += Math.min(count, b.get(key) ?? 0);
  return shared;
}

/** The phrases of `tree` that `other` does not have. */
export function phrasesNotIn(tree: Phrase, other: Phrase): Set<Phrase> {
  const left = spansOf(other);
  const missing = new Set<Phrase>();
  walkSpans(tree, (key, phrase) => {
    const count = left.get(key) ?? 0;
    if (count > 0) left.set(key, count - 1);
    else missing.add(phrase);
  });
  return missing;
}
