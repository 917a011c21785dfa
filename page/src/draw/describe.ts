// Words and arcs in a sentence of English, for screen readers and titles.
import { formOf, said, wordAt, type Sentence } from "../tree/sentence";
import { explainRelation, explainUpos } from "../tree/names";

/** "planes, noun, subject of dangerous" */
export function describeWord(sentence: Sentence, i: number): string {
  const { form, upos, xpos } = wordAt(sentence, i);
  const tag = explainUpos(upos) || said(upos) || said(xpos);
  return [form, tag, describeArc(sentence, i)].filter(Boolean).join(", ");
}

export function describeArc(sentence: Sentence, i: number): string {
  const { head, deprel } = wordAt(sentence, i);
  if (head === null) return "";
  if (head === 0) return "root of the sentence";
  return `${shortRelation(deprel)} of ${formOf(sentence, head)}`;
}

function shortRelation(label: string): string {
  return (explainRelation(label).split(/[:(]/)[0] ?? "").trim() || said(label) || "dependent";
}
