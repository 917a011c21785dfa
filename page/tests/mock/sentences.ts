// Invented sentences with their trees: word, lemma, tag, head, relation.
export type MockWord = readonly [
  form: string,
  lemma: string,
  upos: string,
  head: number,
  deprel: string,
  feats?: Record<string, string>,
];

export const TEXT = "Flying planes can be dangerous. The gardener ties young branches to the wall with soft string.";

export const SENTENCES: readonly (readonly MockWord[])[] = [
  [
    ["Flying", "fly", "VERB", 2, "amod", { VerbForm: "Part", Tense: "Pres" }],
    ["planes", "plane", "NOUN", 5, "nsubj", { Number: "Plur" }],
    ["can", "can", "AUX", 5, "aux", { VerbForm: "Fin" }],
    ["be", "be", "AUX", 5, "cop", { VerbForm: "Inf" }],
    ["dangerous", "dangerous", "ADJ", 0, "root", { Degree: "Pos" }],
    [".", ".", "PUNCT", 5, "punct"],
  ],
  [
    ["The", "the", "DET", 2, "det", { Definite: "Def" }],
    ["gardener", "gardener", "NOUN", 3, "nsubj", { Number: "Sing" }],
    ["ties", "tie", "VERB", 0, "root", { Number: "Sing", Person: "3", Tense: "Pres" }],
    ["young", "young", "ADJ", 5, "amod"],
    ["branches", "branch", "NOUN", 3, "obj", { Number: "Plur" }],
    ["to", "to", "ADP", 8, "case"],
    ["the", "the", "DET", 8, "det"],
    ["wall", "wall", "NOUN", 3, "obl"],
    ["with", "with", "ADP", 11, "case"],
    ["soft", "soft", "ADJ", 11, "amod"],
    ["string", "string", "NOUN", 3, "obl"],
    [".", ".", "PUNCT", 3, "punct"],
  ],
];

/** The tree for these words: the one above, or a chain in which every word hangs on the next. */
export function treeFor(forms: readonly string[]): MockWord[] {
  const known = SENTENCES.find(
    (sentence) => sentence.length === forms.length && sentence.every(([form], i) => form === forms[i]),
  );
  if (known) return [...known];
  return forms.map((form, i): MockWord => [
    form,
    form.toLowerCase(),
    /^\p{P}+$/u.test(form) ? "PUNCT" : "NOUN",
    i === forms.length - 1 ? 0 : i + 2,
    i === forms.length - 1 ? "root" : "compound",
  ]);
}
