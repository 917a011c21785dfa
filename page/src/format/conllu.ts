// A tolerant reader of CoNLL-U: a bad line becomes a problem of its sentence, and the rest of it is shown.
import { emptySentence, emptyWord, type Sentence, type Word } from "../tree/sentence";
import { treeProblems } from "../tree/problems";

export function readConllu(text: string): Sentence[] {
  const sentences: Sentence[] = [];
  let sentence = emptySentence();
  let touched = false;
  const finish = (): void => {
    if (!touched) return;
    sentence.problems.push(...treeProblems(sentence));
    if (sentence.words.length > 0 || sentence.problems.length > 0) sentences.push(sentence);
    sentence = emptySentence();
    touched = false;
  };
  for (const rawLine of text.replace(/^\ufeff/, "").split("\n")) {
    const line = rawLine.endsWith("\r") ? rawLine.slice(0, -1) : rawLine;
    if (line.trim() === "") {
      finish();
      continue;
    }
    touched = true;
    readLine(line, sentence);
  }
  finish();
  return sentences;
}

function readLine(line: string, sentence: Sentence): void {
  if (line.startsWith("#") && sentence.words.length === 0) {
    sentence.comments.push(line);
    return;
  }
  const columns = line.split("\t");
  const id = columns[0] ?? "";
  const number = sentence.words.length + 1;
  if (/^\d+[-.]\d+$/.test(id) && columns.length === 10) {
    sentence.extra.push({ before: sentence.words.length, line });
    return;
  }
  if (columns.length !== 10) {
    sentence.problems.push({ word: number, message: `has ${columns.length} columns instead of 10` });
    if (!/^\d+$/.test(id)) return;
  } else if (id !== String(number)) {
    sentence.problems.push({ word: number, message: `is numbered "${id}" instead of ${number}` });
  }
  sentence.words.push(readWord(columns, sentence, number));
}

function readWord(columns: string[], sentence: Sentence, number: number): Word {
  const column = (i: number): string => columns[i] || "_";
  const word = emptyWord(column(1));
  word.lemma = column(2);
  word.upos = column(3);
  word.xpos = column(4);
  word.feats = column(5);
  word.deprel = column(7);
  word.deps = column(8);
  word.misc = column(9);
  word.confidence = confidenceIn(word.misc);
  if (/^\d+$/.test(column(6))) word.head = Number(column(6));
  else if (column(6) !== "_") sentence.problems.push({ word: number, message: `has head "${column(6)}"` });
  return word;
}

function confidenceIn(misc: string): number | undefined {
  const match = /(?:^|\|)Confidence=([\d.]+)/.exec(misc);
  return match ? Number(match[1]) : undefined;
}

export function writeConllu(sentences: readonly Sentence[]): string {
  return sentences.map(writeSentence).join("");
}

function writeSentence(sentence: Sentence): string {
  const lines = [...sentence.comments];
  const extra = (before: number): void => {
    for (const entry of sentence.extra) if (entry.before === before) lines.push(entry.line);
  };
  sentence.words.forEach((word, index) => {
    extra(index);
    const head = word.head === null ? "_" : String(word.head);
    const { form, lemma, upos, xpos, feats, deprel, deps, misc } = word;
    lines.push([index + 1, form, lemma, upos, xpos, feats, head, deprel, deps, misc].join("\t"));
  });
  extra(sentence.words.length);
  return lines.join("\n") + "\n\n";
}
