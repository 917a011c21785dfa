import assert from "node:assert/strict";
import { test } from "node:test";
import { readBrackets } from "../../src/format/brackets";
import { readConllu } from "../../src/format/conllu";
import { annotated, choicesFor, type Analysis } from "../../src/tree/analysis";
import { chosen, entriesOf, placesIn } from "../../src/tree/browse";
import { compare, differs, f1, phrasesNotIn } from "../../src/tree/compare";
import { readsRightToLeft } from "../../src/tree/direction";
import { explainFeature, explainPhrase, explainRelation, explainUpos, relationKind } from "../../src/tree/names";
import { parseQuery, search } from "../../src/tree/search";
import { doubtfulPhrases, doubtfulWords, readPhraseConfidence } from "../../src/tree/confidence";
import type { Sentence } from "../../src/tree/sentence";
import { exampleFor, isExample, languageName } from "../../src/examples";
import { unparsed } from "../../src/parser_link";

/** "dogs NOUN 2 nsubj | bark VERB 0 root" */
function sentence(text: string): Sentence {
  const lines = text.split(" | ").map((word, i) => {
    const [form, upos, head, deprel, feats = "_"] = word.split(" ");
    return [i + 1, form, form!.toLowerCase(), upos, "_", feats, head, deprel, "_", "_"].join("\t");
  });
  return readConllu(lines.join("\n"))[0]!;
}

const GOLD = sentence("Dogs NOUN 2 nsubj Number=Plur | bark VERB 0 root | loudly ADV 2 advmod | . PUNCT 2 punct");

test("heads and labels are counted, words that differ are named", () => {
  const system = sentence("Dogs NOUN 2 obj | bark VERB 0 root | loudly ADV 1 advmod | . PUNCT 2 punct");
  const { arcs, wrongWords, comparable } = compare(GOLD, system);
  assert.deepEqual([comparable, arcs.words, arcs.heads, arcs.labelled, [...wrongWords]], [true, 4, 3, 2, [1, 3]]);
  assert.equal(differs(compare(GOLD, GOLD)), false);
  const tagged = compare(
    GOLD,
    sentence("Dogs PROPN 2 nsubj | bark VERB 0 root | loudly ADV 2 advmod | . PUNCT 2 punct"),
  );
  assert.deepEqual([tagged.tags, [...tagged.wrongTags]], [{ words: 4, right: 3 }, [1]]);
  assert.deepEqual([tagged.wrongWords.size, differs(tagged)], [0, true]);
  const other = compare(GOLD, sentence("Cats NOUN 2 nsubj | bark VERB 0 root | loudly ADV 2 advmod | . PUNCT 2 punct"));
  assert.deepEqual([other.comparable, differs(other), other.arcs.words], [false, true, 0]);
});

test("phrases are counted as PARSEVAL does, without the top and without tags", () => {
  const [gold] = readBrackets(
    "(ROOT (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ sees) (NP (NNS cats)) (PP (IN at) (NP (NN night))))))",
  );
  const [system] = readBrackets(
    "(ROOT (S (NP (DT the) (NN dog)) (VP (VBZ sees) (NP (NP (NNS cats)) (PP (IN at) (NP (NN night)))))))",
  );
  const { phrases } = compare(gold!, system!);
  assert.deepEqual(phrases, { gold: 6, system: 7, shared: 6 });
  assert.equal(f1(phrases).toFixed(4), "0.9231");
  assert.deepEqual(
    [...phrasesNotIn(system!.phrases!, gold!.phrases!)].map(({ label, children }) => [label, children.length]),
    [["NP", 2]],
  );
  assert.equal(phrasesNotIn(gold!.phrases!, system!.phrases!).size, 0);
});

test("a k-best list tells a word's choices, best first", () => {
  const analysis = (score: number, heads: number[], label: string): Analysis => ({
    score,
    scores: [],
    heads,
    deprels: ["nsubj", "root", label, "punct"],
    upos: null,
    phrases: null,
  });
  const list = [
    analysis(5, [2, 0, 2, 2], "advmod"),
    analysis(4, [2, 0, 1, 2], "advmod"),
    analysis(3.5, [2, 0, 1, 2], "advmod"),
    analysis(3, [2, 0, 2, 2], "obl"),
  ];
  assert.deepEqual(choicesFor(list, 3), [
    { head: 2, label: "advmod", behind: 0, count: 1 },
    { head: 1, label: "advmod", behind: 1, count: 2 },
    { head: 2, label: "obl", behind: 2, count: 1 },
  ]);
  const tree = annotated(GOLD, list[1]!);
  assert.equal(tree.words[2]!.head, 1);
  assert.equal(GOLD.words[2]!.head, 2);
});

test("searches find words by form, lemma, tag, relation, feature, head and phrase", () => {
  const finds = (query: string): number[] | null => {
    const found = search(GOLD, parseQuery(query));
    return found && [...found];
  };
  assert.deepEqual(finds("dogs"), [1]);
  assert.deepEqual(finds("d*s"), [1]);
  assert.deepEqual(finds("feat:Number=Plur"), [1]);
  assert.deepEqual(finds("head:bark"), [1, 3, 4]);
  assert.equal(finds("tag:VERB lemma:cat"), null);
  // Parts are about one word, until one says the same thing again, or after a comma.
  assert.deepEqual(finds("rel:nsubj tag:NOUN"), [1]);
  assert.equal(finds("tag:verb rel:nsubj"), null);
  assert.deepEqual(finds("tag:verb, rel:nsubj"), [2, 1]);
  assert.deepEqual(finds("tag:verb tag:noun rel:nsubj"), [2, 1]);
  assert.deepEqual(finds("loudly dogs"), [3, 1]);
  assert.deepEqual(finds("dogs rel:nsubj bark rel:root"), [1, 2]);
  assert.equal(finds("dogs rel:root"), null);
  assert.deepEqual(finds("head:bark, ."), [1, 3, 4]);
  assert.deepEqual(finds(""), []);
  assert.deepEqual(finds("(*"), null);
  assert.match(parseQuery("colour:red").error, /colour/);
  const [phrases] = readBrackets("(S (NP-SBJ (NNS dogs)) (VP (VBP bark)))");
  assert.ok(search(phrases!, parseQuery("phrase:NP")));
  assert.equal(search(phrases!, parseQuery("phrase:PP")), null);
  assert.ok(search(sentence("seen VERB 0 root | cats NOUN 1 nsubj:pass"), parseQuery("rel:nsubj")));
});

test("two files are scored, and errors can be jumped to", () => {
  const system = sentence("Dogs NOUN 2 nsubj | bark VERB 0 root | loudly ADV 1 obl | . PUNCT 2 punct");
  const first = { name: "a", sentences: [GOLD, GOLD, GOLD] };
  const { entries, scores } = entriesOf(first, { name: "b", sentences: [GOLD, system] });
  assert.deepEqual([scores.arcs, scores.exact, scores.compared], [{ words: 8, heads: 7, labelled: 7 }, 1, 2]);
  const wrong = chosen(entries, parseQuery(""), true);
  assert.deepEqual(
    wrong.map(({ number }) => number),
    [2],
  );
  assert.deepEqual(placesIn(entries, "errors"), [{ index: 1, word: 3 }]);
  const broken = sentence("a X 5 dep | b X 0 root");
  assert.deepEqual(placesIn(entriesOf({ name: "c", sentences: [GOLD, broken] }, null).entries, "errors"), [
    { index: 1, word: 1 },
  ]);
});

test("texts run as their first letter does", () => {
  assert.equal(readsRightToLeft(sentence("שלום NOUN 0 root | world NOUN 1 dep")), true);
  assert.equal(readsRightToLeft(sentence("( PUNCT 2 punct | سلام NOUN 0 root")), true);
  assert.equal(readsRightToLeft(GOLD), false);
});

test("names are explained, and no name is taken for a method", () => {
  assert.equal(explainRelation("nsubj:pass"), "subject (passive)");
  assert.equal(explainUpos("NOUN"), "noun");
  assert.equal(explainPhrase("NP-SBJ"), "noun phrase");
  assert.equal(explainFeature("Tense", "Past"), "past");
  assert.equal(relationKind("aux:pass"), "function");
  for (const name of ["constructor", "__proto__", "toString"]) {
    assert.equal(explainRelation(name) + explainUpos(name) + explainPhrase(name) + explainFeature(name, name), "");
  }
});

test("what is asked again holds the words, what is decided, and what the model does not predict", () => {
  const decisions = new Map([
    [3, { head: 1, label: null, tag: null }],
    [1, { head: 2, label: "obj", tag: "PROPN" }],
    [4, { head: null, label: "punct", tag: "SYM" }],
  ]);
  const asked = (predicts: string[]): unknown[] =>
    unparsed(GOLD, decisions, predicts).words.map(({ form, lemma, upos, feats, head, deprel }) => [
      form,
      lemma,
      upos,
      feats,
      head,
      deprel,
    ]);
  assert.deepEqual(asked(["tokens", "tags", "lemmas", "heads"]), [
    ["Dogs", "_", "PROPN", "_", 2, "obj"],
    ["bark", "_", "_", "_", null, "_"],
    ["loudly", "_", "_", "_", 1, "_"],
    [".", "_", "SYM", "_", null, "_"],
  ]);
  assert.deepEqual(asked(["heads"])[0], ["Dogs", "dogs", "NOUN", "Number=Plur", 2, "obj"]);
});

test("phrases have the confidence that comments give them; the innermost of equal ones the last", () => {
  const [sentence] = readBrackets("(ROOT (S (NP (NP (NN dogs))) (VP (VBP bark))))");
  assert.equal(doubtfulPhrases(sentence!), null);
  sentence!.comments = [
    "# text = dogs bark",
    ...["S 1-2 0.95", "NP 1-1 0.8", "NP 1-1 0.3"].map((b) => `# bracket = ${b}`),
  ];
  readPhraseConfidence(sentence!);
  const [s] = sentence!.phrases!.children;
  const [np, vp] = s!.children;
  assert.deepEqual(
    [s, np, np!.children[0], vp].map((phrase) => phrase!.confidence),
    [0.95, 0.8, 0.3, undefined],
  );
  assert.deepEqual(doubtfulPhrases(sentence!), [np!.children[0]]);
});

test("doubtful are arcs below 70 %, if anything is known", () => {
  assert.equal(doubtfulWords(GOLD), null);
  const sure = { ...GOLD, words: GOLD.words.map((word, i) => ({ ...word, confidence: 0.6 + 0.1 * i })) };
  assert.deepEqual(doubtfulWords(sure), [1]);
});

test("models have their languages' names, and something to begin with", () => {
  assert.deepEqual(["de", "zh", "pt-BR", "", "?"].map(languageName), [
    "German",
    "Chinese",
    "Brazilian Portuguese",
    "",
    "?",
  ]);
  assert.match(exampleFor("de_gsd"), /Birnbaum/);
  assert.equal(exampleFor("nb"), exampleFor("no"));
  assert.equal(exampleFor("constructor"), "");
  assert.ok(isExample(exampleFor("en")) && !isExample("Dogs bark."));
});
