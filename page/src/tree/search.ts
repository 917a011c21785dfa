// Searching a treebank: "rel:nsubj tag:PROPN" is one word that has both, "dog cat" are two words, and so are "tag:VERB
// tag:NOUN" and, by a comma, "rel:nsubj, tag:PROPN": parts are about one word until one of them says the same thing again.
// A part without a key is a word or a lemma; letters' case does not matter; * stands for anything. A sentence must have
// all words and phrases.
import { pairsOf, type Phrase, type Sentence, type Word } from "./sentence";

type WordTest = (word: Word, sentence: Sentence) => boolean;
interface Part {
  key: string; // what it is about: a word's form, tag ...
  word: WordTest | null;
  phrase: ((label: string) => boolean) | null;
}

export interface Query {
  words: WordTest[][]; // each a word that passes all its tests
  phrases: ((label: string) => boolean)[];
  error: string;
}

export const SEARCH_KEYS = ["form", "lemma", "tag", "rel", "feat", "head", "phrase"] as const;
const EVERYTHING: readonly string[] = SEARCH_KEYS; // after a comma every part begins a new word

export function parseQuery(text: string): Query {
  const query: Query = { words: [], phrases: [], error: "" };
  let known = new Set<string>(); // what the last word's tests are about
  for (const piece of text.trim().split(/\s+/).filter(Boolean)) {
    const comma = piece.length > 1 && piece.endsWith(",");
    const own = comma ? piece.slice(0, -1) : piece;
    const match = /^([a-z]+):(.+)$/i.exec(own);
    const key = match?.[1]?.toLowerCase() ?? "";
    const part = match ? keyedPart(key, pattern(match[2] ?? "")) : plainPart(own);
    if (!part) {
      query.error = `“${key}:” is none of ${SEARCH_KEYS.map((name) => name + ":").join(" ")}`;
      return query;
    }
    if (part.phrase) query.phrases.push(part.phrase);
    if (part.word) {
      if (query.words.length === 0 || known.has(part.key)) {
        query.words.push([]);
        known = new Set();
      }
      query.words.at(-1)?.push(part.word);
      if (part.key !== "feat") known.add(part.key); // a word has several features
    }
    if (comma) known = new Set(EVERYTHING);
  }
  return query;
}

function plainPart(piece: string): Part {
  const test = pattern(piece);
  return { key: "form", word: ({ form, lemma }) => test(form) || test(lemma), phrase: null };
}

function keyedPart(key: string, test: (text: string) => boolean): Part | null {
  const word = (about: string, check: WordTest): Part => ({ key: about, word: check, phrase: null });
  switch (key) {
    case "form":
    case "word":
      return word("form", ({ form }) => test(form));
    case "lemma":
      return word("lemma", ({ lemma }) => test(lemma));
    case "tag":
    case "upos":
    case "xpos":
      return word("tag", ({ upos, xpos }) => test(upos) || test(xpos));
    // nsubj finds nsubj:pass, too
    case "rel":
    case "deprel":
      return word("rel", ({ deprel }) => test(deprel) || test(deprel.replace(/:.*/, "")));
    case "feat":
      return word("feat", ({ feats }) =>
        pairsOf(feats).some(([name, value]) => test(name) || test(`${name}=${value}`)),
      );
    case "head":
      return word("head", ({ head }, { words }) => head !== null && test(words[head - 1]?.form ?? "ROOT"));
    case "phrase":
    case "label":
      return { key: "phrase", word: null, phrase: (label) => test(label) || test(label.replace(/[-=].*/, "")) };
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
  for (const tests of query.words) {
    let met = false;
    sentence.words.forEach((word, index) => {
      if (!tests.every((test) => test(word, sentence))) return;
      met = true;
      found.add(index + 1);
    });
    if (!met) return null;
  }
  const { phrases } = sentence;
  if (query.phrases.some((test) => !phrases || !somePhrase(phrases, test))) return null;
  return found;
}

function somePhrase(phrase: Phrase, test: (label: string) => boolean): boolean {
  return test(phrase.label) || phrase.children.some((child) => somePhrase(child, test));
}
