// Files to drop, all invented.
export interface DroppedFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

export function textFile(name: string, text: string): DroppedFile {
  return { name, mimeType: "text/plain", buffer: Buffer.from(text) };
}

/** "form upos head deprel | ..." as CoNLL-U. */
export function conllu(...sentences: string[]): string {
  return sentences
    .map(
      (sentence) =>
        sentence
          .split(" | ")
          .map((word, i) => {
            const [form, upos, head, deprel] = word.split(" ");
            return [i + 1, form, form, upos, "_", "_", head, deprel, "_", "_"].join("\t");
          })
          .join("\n") + "\n\n",
    )
    .join("");
}

const NOUNS = ["pear", "plum", "fig", "quince", "apple", "medlar"];
/** Some sentences more than a page holds. */
export const GOLD = conllu(
  ...Array.from(
    { length: 23 },
    (_, i) =>
      `The DET 2 det | ${NOUNS[i % 6]} NOUN 3 nsubj | grows VERB 0 root | slowly ADV 3 advmod | . PUNCT 3 punct`,
  ),
);
/** The same with two wrong arcs, in sentences 4 and 15, and a wrong tag, in sentence 2. */
export const SYSTEM = GOLD.split("\n\n")
  .map((sentence, i) => (i === 3 || i === 14 ? sentence.replace("3\tadvmod", "2\tobl") : sentence))
  .map((sentence, i) => (i === 1 ? sentence.replace("NOUN", "PROPN") : sentence))
  .join("\n\n");

export const BROKEN = conllu("a X 2 dep | b X 0 root", "a X 2 dep | b X 1 dep", "a X 0 root | b X 9 dep | c X 1 dep");
export const HEBREW = conllu(
  "הגנן NOUN 2 nsubj | קושר VERB 0 root | ענפים NOUN 2 obj | צעירים ADJ 3 amod | אל ADP 6 case | הקיר NOUN 2 obl | . PUNCT 2 punct",
);
export const BRACKETS =
  "(ROOT (S (NP (DT The) (NN gardener)) (VP (VBZ ties) (NP (JJ young) (NNS branches)) (PP (TO to) (NP (DT the) (NN wall)))) (. .)))\n";
export const BRACKETS_OTHER =
  "(ROOT (S (NP (DT The) (NN gardener)) (VP (VBZ ties) (NP (NP (JJ young) (NNS branches)) (PP (TO to) (NP (DT the) (NN wall))))) (. .)))\n";
export const LONG = conllu(
  Array.from({ length: 44 }, (_, i) => {
    const head = i === 20 ? 0 : i < 20 ? (i % 3 === 2 ? 21 : i + 2) : i % 4 === 0 ? 21 : i - (i % 4) + 1;
    return `${["branch", "wall", "by", "espaliered", "old"][i % 5]}${i} NOUN ${head} ${head === 0 ? "root" : ["nmod", "case", "obl", "conj"][i % 4]}`;
  }).join(" | "),
);
