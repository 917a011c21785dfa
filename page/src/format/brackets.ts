// Penn brackets, one tree after the other, over any number of lines: "(ROOT (S (NP (DT the) (NN dog)) ...))".
import { emptySentence, emptyWord, said, type Phrase, type Sentence } from "../tree/sentence";

const DEEPEST = 2000; // treebanks do not nest deeper

export function readBrackets(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  const open: Phrase[] = [];
  let sentence = emptySentence();
  let afterBracket = false; // the next word is a label
  const fail = (message: string): void => {
    sentence.problems.push({ word: sentence.words.length, message });
    sentences.push(sentence);
    sentence = emptySentence();
    open.length = 0;
  };
  for (const [token] of text.replace(/^\ufeff/, "").matchAll(/[()]|[^\s()]+/g)) {
    if (token === "(") {
      const phrase: Phrase = { label: "", children: [], word: 0, trace: "" };
      open.at(-1)?.children.push(phrase);
      open.push(phrase);
      afterBracket = true;
      if (open.length > DEEPEST) {
        fail("is nested too deeply");
        break;
      }
    } else if (token === ")") {
      const phrase = open.pop();
      if (!phrase) fail("a bracket is closed that was not opened");
      else if (open.length === 0) {
        sentence.phrases = phrase;
        sentences.push(sentence);
        sentence = emptySentence();
      }
      afterBracket = false;
    } else if (afterBracket) {
      (open.at(-1) as Phrase).label = token;
      afterBracket = false;
    } else {
      const phrase = open.at(-1);
      if (phrase) addLeaf(phrase, token, sentence);
      else fail(`"${token}" stands outside all brackets`);
    }
  }
  if (open.length > 0) fail("the last tree is not closed");
  return sentences;
}

function addLeaf(phrase: Phrase, form: string, sentence: Sentence): void {
  if (phrase.children.length > 0 || phrase.word || phrase.trace) {
    sentence.problems.push({ word: sentence.words.length, message: `"${form}" has no tag of its own` });
    const leaf: Phrase = { label: "", children: [], word: 0, trace: "" };
    phrase.children.push(leaf);
    phrase = leaf;
  }
  if (phrase.label === "-NONE-") {
    phrase.trace = form;
    return;
  }
  const word = emptyWord(unescape(form));
  word.xpos = phrase.label || "_";
  sentence.words.push(word);
  phrase.word = sentence.words.length;
}

const ESCAPES: readonly (readonly [string, string])[] = [
  ["-LRB-", "("],
  ["-RRB-", ")"],
];

function unescape(form: string): string {
  return ESCAPES.find(([name]) => name === form)?.[1] ?? form;
}

function escape(form: string): string {
  return form.replace(/[()]/g, (bracket) => (bracket === "(" ? "-LRB-" : "-RRB-")).replace(/\s+/g, "_") || "_";
}

export function writeBrackets(sentence: Sentence): string {
  const write = (phrase: Phrase): string => {
    const leaf = phrase.trace || (phrase.word ? escape(sentence.words[phrase.word - 1]?.form ?? "") : "");
    const inside = leaf || phrase.children.map(write).join(" ");
    return `(${[phrase.label, inside].filter(Boolean).join(" ")})`;
  };
  if (sentence.phrases) return write(sentence.phrases);
  return sentence.words.map((word) => `(${said(word.xpos) || "X"} ${escape(word.form)})`).join(" ");
}
