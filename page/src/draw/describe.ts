// Words and arcs in a few words, for screen readers and titles.
import { formOf, said, wordAt, type Sentence } from "../tree/sentence";

/** "planes NOUN, nsubj of dangerous": begins with what is seen. */
export function describeWord(sentence: Sentence, i: number): string {
  const { form, upos, xpos } = wordAt(sentence, i);
  return [[form, said(upos) || said(xpos)].filter(Boolean).join(" "), describeArc(sentence, i)]
    .filter(Boolean)
    .join(", ");
}

export function describeArc(sentence: Sentence, i: number): string {
  const { head, deprel } = wordAt(sentence, i);
  if (head === null) return "";
  return head === 0 ? "root of the sentence" : `${said(deprel) || "dependent"} of ${formOf(sentence, head)}`;
}
