// Searching a treebank: "dog upos:VERB rel:nsubj" finds sentences in which every part is met by some word or phrase.
// A part without a key is a word or a lemma; letters' case does not matter; * stands for anything.
import { pairsOf, type Phrase, type Sentence, type Word } from "./sentence";

type WordTest = (word: Word, sentence: Sentence) => boolean;
interface Part {
  word: WordTest | null;
  phrase: ((label: string) => boolean) | null;
}

export interface Query {
  parts: Part[];
  error: string;
}

export const SEARCH_KEYS = ["form", "lemma", "tag", "rel", "feat", "head", "phrase"] as const;

export function parseQuery(text: string): Query {
  const parts: Part[] = [];
  for (const piece of text.trim().split(/\s+/).filter(Boolean)) {
    const match = /^([a-z]+):(.+)$/i.exec(piece);
    const key = match?.[1]?.toLowerCase() ?? "";
    const part = match ? keyedPart(key, pattern(match[2] ?? "")) : plainPart(piece);
    if (!part) return { parts: [], error: `"${key}:" is none of ${SEARCH_KEYS.map((name) => name + ":").join(" ")}` };
    parts.push(part);
  }
  return { parts, error: "" };
}

function plainPart(piece: string): Part {
  const test = pattern(piece);
  return { word: ({ form, lemma }) => test(form) || test(lemma), phrase: null };
}

function keyedPart(key: string, test: (text: string) => boolean): Part | null {
  const word = (check: WordTest): Part => ({ word: check, phrase: null });
  switch (key) {
    case "form":
    case "word":
      return word(({ form }) => test(form));
    case "lemma":
      return word(({ lemma }) => test(lemma));
    case "tag":
    case "upos":
    case "xpos":
      return word(({ upos, xpos }) => test(upos) || test(xpos));
    // nsubj finds nsubj:pass, too
    case "rel":
    case "deprel":
      return word(({ deprel }) => test(deprel) || test(deprel.replace(/:.*/, "")));
    case "feat":
      return word(({ feats }) => pairsOf(feats).some(([name, value]) => test(name) || test(`${name}=${value}`)));
    case "head":
      return word(({ head }, { words }) => head !== null && test(words[head - 1]?.form ?? "ROOT"));
    case "phrase":
    case "label":
      return { word: null, phrase: (label) => test(label) || test(label.replace(/[-=].*/, "")) };
    default:
      return null;
  }
}

function pattern(text: string): (other: string) => boolean {
  const escaped = text
    .toLowerCase()
    .split("*")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const expression = new RegExp(`^${escaped.join(".*")}$`, "u");
  return (other) => expression.test(other.toLowerCase());
}

/** The words that the query found, or null if the sentence is none of its sentences. */
export function search(sentence: Sentence, query: Query): Set<number> | null {
  const found = new Set<number>();
  for (const part of query.parts) {
    let met = false;
    if (part.word) {
      sentence.words.forEach((word, index) => {
        if (!part.word?.(word, sentence)) return;
        met = true;
        found.add(index + 1);
      });
    } else if (part.phrase && sentence.phrases) {
      met = somePhrase(sentence.phrases, part.phrase);
    }
    if (!met) return null;
  }
  return found;
}

function somePhrase(phrase: Phrase, test: (label: string) => boolean): boolean {
  return test(phrase.label) || phrase.children.some((child) => somePhrase(child, test));
}
