// A sentence as a treebank gives it, after espalier/tree/sentence.h: words are numbered 1..n, 0 is the artificial root.

/** One word. Columns hold the file's own text; "_" means that the file does not say. */
export interface Word {
  form: string;
  lemma: string;
  upos: string;
  xpos: string;
  feats: string;
  head: number | null; // 0 = root, null = not annotated
  deprel: string;
  deps: string;
  misc: string;
  confidence?: number | undefined; // of its arc, 0..1
}

/** A line of CoNLL-U that is no word, before the word with this index (from 0): a multiword token or an empty node. */
export interface ExtraLine {
  before: number;
  line: string;
}

/** A phrase, or a leaf: a word's tag with the word's number, or a trace. */
export interface Phrase {
  label: string;
  children: Phrase[];
  word: number; // 1..n for a word's leaf, else 0
  trace: string;
  confidence?: number | undefined; // that it is right, 0..1
}

/** A problem of a sentence; word 0 stands for the whole sentence. */
export interface Problem {
  word: number;
  message: string;
}

export interface Sentence {
  comments: string[]; // whole lines, "# text = ..."
  words: Word[];
  extra: ExtraLine[];
  phrases: Phrase | null;
  problems: Problem[];
}

export interface Arc {
  head: number;
  dependent: number;
  label: string;
}

export interface MultiwordToken {
  first: number;
  last: number;
  form: string;
}

export function emptyWord(form: string): Word {
  return { form, lemma: "_", upos: "_", xpos: "_", feats: "_", head: null, deprel: "_", deps: "_", misc: "_" };
}

export function emptySentence(): Sentence {
  return { comments: [], words: [], extra: [], phrases: null, problems: [] };
}

/** The word numbered i, 1..n. */
export function wordAt(sentence: Sentence, i: number): Word {
  const word = sentence.words[i - 1];
  if (!word) throw new RangeError(`no word ${i}`);
  return word;
}

/** "" if the column has no value. */
export function said(column: string): string {
  return column === "_" ? "" : column;
}

/** The tag that is shown for a word. */
export function tagOf(sentence: Sentence, i: number): string {
  const { upos, xpos } = wordAt(sentence, i);
  return said(upos) || said(xpos);
}

export function formOf(sentence: Sentence, i: number): string {
  return i === 0 ? "ROOT" : (sentence.words[i - 1]?.form ?? "?");
}

/** Words first..last, in short. */
export function spanText(sentence: Sentence, first: number, last: number): string {
  if (last - first > 1) return `${formOf(sentence, first)} … ${formOf(sentence, last)}`;
  return formOf(sentence, first) + (last > first ? ` ${formOf(sentence, last)}` : "");
}

/** The numbers of the words below a phrase, in order. */
export function wordsOf(phrase: Phrase): number[] {
  return phrase.word ? [phrase.word] : phrase.children.flatMap(wordsOf);
}

/** The arcs that can be drawn: heads within the sentence, no word its own head. */
export function arcsOf(sentence: Sentence): Arc[] {
  const arcs: Arc[] = [];
  sentence.words.forEach(({ head, deprel }, index) => {
    if (head !== null && head <= sentence.words.length && head !== index + 1) {
      arcs.push({ head, dependent: index + 1, label: said(deprel) });
    }
  });
  return arcs;
}

export function hasHeads(sentence: Sentence): boolean {
  return sentence.words.some((word) => word.head !== null);
}

export function multiwordTokens(sentence: Sentence): MultiwordToken[] {
  const tokens: MultiwordToken[] = [];
  for (const { line } of sentence.extra) {
    const match = /^(\d+)-(\d+)\t([^\t]*)/.exec(line);
    if (match) tokens.push({ first: Number(match[1]), last: Number(match[2]), form: match[3] ?? "" });
  }
  return tokens;
}

/** FEATS or MISC, "A=B|C=D", in order. */
export function pairsOf(column: string): [string, string][] {
  if (!said(column)) return [];
  return column.split("|").map((pair) => {
    const at = pair.indexOf("=");
    return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  });
}

/** The value of a comment "# key = value". */
export function commentValue(sentence: Sentence, key: string): string | undefined {
  for (const comment of sentence.comments) {
    const match = /^#\s*([^=]*?)\s*=\s?(.*)$/.exec(comment);
    if (match && match[1] === key) return match[2];
  }
  return undefined;
}

/** The text of the sentence, as far as it is known. */
export function textOf(sentence: Sentence): string {
  const given = commentValue(sentence, "text");
  if (given !== undefined) return given;
  const spans = new Map(multiwordTokens(sentence).map((token) => [token.first, token]));
  let text = "";
  for (let i = 1; i <= sentence.words.length; i++) {
    const token = spans.get(i);
    const word = wordAt(sentence, i);
    text += token ? token.form : word.form;
    if (token) i = token.last;
    if (i < sentence.words.length && !/(^|\|)SpaceAfter=No(\||$)/.test(word.misc)) text += " ";
  }
  return text;
}

/** A copy whose words may be changed. */
export function copyOf(sentence: Sentence): Sentence {
  return { ...sentence, words: sentence.words.map((word) => ({ ...word })) };
}
