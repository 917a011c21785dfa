// Detects the format of a file by its first lines, which are more reliable than its name.
import type { Sentence } from "../tree/sentence";
import { readBrackets } from "./brackets";
import { readConllu } from "./conllu";
import { readJson } from "./json";

export interface Treebank {
  name: string;
  sentences: Sentence[];
}

export function readTreebank(name: string, text: string): Treebank {
  return { name, sentences: readerFor(text)(text) };
}

function readerFor(text: string): (text: string) => Sentence[] {
  const start = text
    .slice(0, 100_000)
    .replace(/^\ufeff/, "")
    .trimStart();
  if (start.startsWith("(")) return readBrackets;
  if (/^[[{]/.test(start)) return readJson;
  if (start === "" || /^(#|\d+([-.]\d+)?\t)/.test(start)) return readConllu;
  throw new Error("This is neither CoNLL-U nor brackets nor Espalier's JSON.");
}
