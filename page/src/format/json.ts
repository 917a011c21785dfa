// The JSON that Espalier writes, version 2 (docs/espalier.schema.json) or its first, which had "extra" lines and a "tree";
// as an array, as lines or as one object. What comes from outside is checked: a value of the wrong kind counts as missing.
import { emptySentence, emptyWord, type Sentence, type Word } from "../tree/sentence";
import type { Analysis } from "../tree/analysis";
import { readPhraseConfidence } from "../tree/confidence";
import { treeProblems } from "../tree/problems";
import { readBrackets } from "./brackets";

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
export const listIn = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
export const textIn = (value: Json | undefined, fallback = ""): string =>
  typeof value === "string" ? value : fallback;
export const numberIn = (value: Json | undefined): number | undefined =>
  typeof value === "number" && Number.isFinite(value) ? value : undefined;
export const countIn = (value: Json | undefined): number | null =>
  typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : null;

export function readJson(text: string): Sentence[] {
  const trimmed = text.replace(/^\ufeff/, "").trim();
  try {
    const value = JSON.parse(trimmed) as Json;
    return (Array.isArray(value) ? value : [value]).map(sentenceFromJson);
  } catch {
    return trimmed
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map(readLine);
  }
}

function readLine(line: string): Sentence {
  try {
    return sentenceFromJson(JSON.parse(line) as Json);
  } catch (error) {
    return { ...emptySentence(), problems: [{ word: 0, message: `not JSON: ${String(error)}` }] };
  }
}

export function sentenceFromJson(value: Json): Sentence {
  const sentence = emptySentence();
  if (!isObject(value)) {
    sentence.problems.push({ word: 0, message: "not a JSON object" });
    return sentence;
  }
  sentence.comments = listIn(value["comments"]).map((comment) => oneLine(textIn(comment)));
  const text = value["text"];
  if (typeof text === "string" && !sentence.comments.some((comment) => /^#\s*text\s*=/.test(comment))) {
    sentence.comments.push(`# text = ${oneLine(text)}`);
  }
  for (const token of listIn(value["tokens"])) {
    if (!isObject(token)) continue;
    const id = token["id"];
    if (typeof id === "string") sentence.extra.push({ before: sentence.words.length, line: extraLine(id, token) });
    else sentence.words.push(wordFromJson(token));
  }
  for (const entry of listIn(value["extra"])) {
    const before = isObject(entry) ? countIn(entry["before"]) : null;
    if (isObject(entry) && before !== null)
      sentence.extra.push({ before, line: textIn(entry["line"]).replace(/[\r\n]/g, " ") });
  }
  sentence.phrases = phrasesIn(value["constituents"] ?? value["tree"], sentence.words.length);
  readPhraseConfidence(sentence);
  sentence.problems.push(...treeProblems(sentence));
  return sentence;
}

function wordFromJson(token: JsonObject): Word {
  const word = emptyWord(column(token["form"]));
  word.lemma = column(token["lemma"]);
  word.upos = column(token["upos"]);
  word.xpos = column(token["xpos"]);
  word.feats = pairs(token["feats"]);
  word.head = countIn(token["head"]);
  word.deprel = column(token["deprel"]);
  word.deps = dependencies(token["deps"]);
  word.misc = pairs(token["misc"]);
  word.confidence = numberIn(token["confidence"]);
  return word;
}

/** A multiword token or an empty node, as the line of CoNLL-U that it is. */
function extraLine(id: string, token: JsonObject): string {
  const { form, lemma, upos, xpos, feats, deprel, deps, misc } = wordFromJson(token);
  return [oneLine(id), form, lemma, upos, xpos, feats, column(token["head"]), deprel, deps, misc].join("\t");
}

const oneLine = (text: string): string => text.replace(/[\t\r\n]/g, " ");
const column = (value: Json | undefined): string => oneLine(textIn(value)) || "_";

/** FEATS and MISC are objects, or strings where an object could not give them back. */
function pairs(value: Json | undefined): string {
  if (!isObject(value)) return column(value);
  const parts = Object.entries(value).map(([name, entry]) => (typeof entry === "string" ? `${name}=${entry}` : name));
  return oneLine(parts.join("|")) || "_";
}

function dependencies(value: Json | undefined): string {
  if (!Array.isArray(value)) return column(value);
  const parts = value.filter(isObject).map(({ head, deprel }) => `${String(head)}:${textIn(deprel)}`);
  return oneLine(parts.join("|")) || "_";
}

function phrasesIn(value: Json | undefined, words: number): Sentence["phrases"] {
  if (typeof value !== "string") return null;
  const [tree] = readBrackets(value);
  return tree && tree.problems.length === 0 && tree.words.length === words ? tree.phrases : null;
}

/** The k-best list of a sentence, if it has one. */
export function listFromJson(value: Json, words: number): Analysis[] {
  if (!isObject(value)) return [];
  return listIn(value["kbest"])
    .filter(isObject)
    .map((entry) => {
      const texts = (key: string): string[] | null => {
        const list = entry[key];
        return Array.isArray(list) ? list.map(column) : null;
      };
      const heads = entry["heads"];
      const scores = entry["scores"];
      return {
        score: numberIn(entry["score"]) ?? 0,
        scores: isObject(scores) ? Object.entries(scores).map(([name, part]) => [name, numberIn(part) ?? 0]) : [],
        heads: Array.isArray(heads) ? heads.map(countIn) : null,
        deprels: texts("deprels"),
        upos: texts("upos"),
        phrases: phrasesIn(entry["constituents"], words),
      };
    });
}
