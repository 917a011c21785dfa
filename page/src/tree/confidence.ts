// How sure the parser is of arcs and phrases (docs/inspect.md), and of which it is not.
import { walkSpans } from "./compare";
import { wordsOf, type Phrase, type Sentence } from "./sentence";

/** What is less probable than this is doubtful: about half of such arcs are wrong (docs/page.md). */
export const DOUBT = 0.7;

export function isDoubtful({ confidence }: { confidence?: number | undefined }): boolean {
  return confidence !== undefined && confidence < DOUBT;
}

/** The words whose arcs are doubtful; null if no arc has a confidence. */
export function doubtfulWords(sentence: Sentence): number[] | null {
  if (sentence.words.every(({ confidence }) => confidence === undefined)) return null;
  return sentence.words.flatMap((word, index) => (isDoubtful(word) ? [index + 1] : []));
}

/** The doubtful phrases, inner ones first; null if no phrase has a confidence. */
export function doubtfulPhrases({ phrases }: Sentence): Phrase[] | null {
  const all: Phrase[] = [];
  if (phrases) walkSpans(phrases, (_, phrase) => all.push(phrase));
  return all.every(({ confidence }) => confidence === undefined) ? null : all.filter(isDoubtful);
}

/** "1-3": the first and the last word of a phrase, as comments have them. */
export function spanOf(phrase: Phrase): string {
  const words = wordsOf(phrase);
  return `${words[0] ?? 0}-${words.at(-1) ?? 0}`;
}

/** Gives the phrases what comments say of them: "# bracket = NP 1-2 0.953". */
export function readPhraseConfidence({ comments, phrases }: Sentence): void {
  const values = new Map<string, number[]>(); // of phrases that are alike, the outermost first
  for (const comment of comments) {
    const match = /^#\s*bracket\s*=\s*(\S+) (\d+)-(\d+) ([\d.]+)\s*$/.exec(comment);
    if (!match) continue;
    const [, label, first, last, value] = match;
    const key = `${label} ${first} ${last}`;
    values.set(key, [...(values.get(key) ?? []), Number(value)]);
  }
  if (!phrases || values.size === 0) return;
  walkSpans(phrases, (key, phrase) => {
    phrase.confidence = values.get(key)?.pop();
  });
}
