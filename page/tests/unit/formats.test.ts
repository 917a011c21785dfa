import assert from "node:assert/strict";
import { test } from "node:test";
import { readBrackets, writeBrackets } from "../../src/format/brackets";
import { readConllu, writeConllu } from "../../src/format/conllu";
import { readTreebank } from "../../src/format/files";
import { listFromJson, readJson, type Json } from "../../src/format/json";
import { traceFromJson } from "../../src/format/trace";
import { arcsBefore, phrasesBefore } from "../../src/tree/trace";
import { multiwordTokens, textOf, type Phrase } from "../../src/tree/sentence";

const CONLLU = `# sent_id = a1
# text = Vámonos al mar.
1-2	Vámonos	_	_	_	_	_	_	_	_
1	Vamos	ir	VERB	_	Mood=Imp|Number=Plur	0	root	_	_
2	nos	nosotros	PRON	_	_	1	obj	_	_
3-4	al	_	_	_	_	_	_	_	_
3	a	a	ADP	_	_	5	case	_	_
4	el	el	DET	_	_	5	det	_	_
5	mar	mar	NOUN	_	_	1	obl	1:obl	SpaceAfter=No
5.1	que	que	PRON	_	_	_	_	5:ref	_
6	.	.	PUNCT	_	_	1	punct	_	_

1	Sí	_	INTJ	_	_	_	_	_	_

`;

test("CoNLL-U is written as it was read", () => {
  const sentences = readConllu(CONLLU);
  assert.equal(sentences.length, 2);
  assert.deepEqual(
    sentences.flatMap(({ problems }) => problems),
    [],
  );
  assert.equal(writeConllu(sentences), CONLLU);
  assert.deepEqual(multiwordTokens(sentences[0]!), [
    { first: 1, last: 2, form: "Vámonos" },
    { first: 3, last: 4, form: "al" },
  ]);
  sentences[0]!.comments = [];
  assert.equal(textOf(sentences[0]!), "Vámonos al mar.");
});

test("Windows' line ends, a byte order mark and a missing last empty line are no problem", () => {
  const sentences = readConllu("\ufeff" + CONLLU.trimEnd().replaceAll("\n", "\r\n"));
  assert.equal(writeConllu(sentences), CONLLU);
});

test("what is wrong with a sentence is told, and its words are shown", () => {
  const line = (id: string, head: string): string => `${id}\tw\t_\t_\t_\t_\t${head}\tdep\t_\t_`;
  const problemsOf = (...lines: string[]): string[] =>
    readConllu(lines.join("\n")).flatMap(({ problems }) => problems.map(({ word, message }) => `${word} ${message}`));
  assert.deepEqual(problemsOf(line("1", "0")), []);
  assert.match(problemsOf(line("1", "7"))[0]!, /^1 has head 7, past the end/);
  assert.match(problemsOf(line("1", "x"))[0]!, /^1 has head "x"/);
  assert.match(problemsOf(line("1", "1"))[0]!, /^1 is its own head/);
  assert.match(problemsOf(line("1", "0"), line("2", "0"))[0]!, /^2 is a second root beside word 1/);
  assert.match(problemsOf(line("1", "0"), line("2", "3"), line("3", "2")).join(), /^[23] is its own ancestor/);
  assert.match(problemsOf(line("1", "2"), line("2", "1")).join(), /no word is the root/);
  assert.match(problemsOf(line("1", "0"), line("2", "_"))[0]!, /^2 has no head/);
  assert.match(problemsOf("1\tw\t_").join(), /^1 has 3 columns/);
  assert.match(problemsOf(line("2", "0"))[0]!, /^1 is numbered "2"/);
  assert.equal(readConllu(line("1", "2") + "\n" + line("2", "1"))[0]!.words.length, 2);
});

test("brackets are written as they were read", () => {
  const text = "(ROOT (S (NP-SBJ (DT the) (NN dog)) (VP (VBZ barks) (NP (-NONE- *T*-1))) (-LRB- -LRB-)))";
  const [sentence] = readBrackets(text.replaceAll(" (", "\n  ("));
  assert.equal(writeBrackets(sentence!), text);
  assert.deepEqual(
    sentence!.words.map(({ form, xpos }) => `${form}/${xpos}`),
    ["the/DT", "dog/NN", "barks/VBZ", "(/-LRB-"],
  );
  assert.equal(readBrackets("((S (X a))) ((S (X b)))").length, 2);
});

test("bad brackets give a sentence that says so", () => {
  for (const text of ["(S (X a)", "(S (X a)))", "word", "(S a b)", "(".repeat(5000)]) {
    assert.ok(
      readBrackets(text).some(({ problems }) => problems.length > 0),
      text.slice(0, 20),
    );
  }
});

const JSON_SENTENCE: Json = {
  version: 2,
  text: "Vámonos ya",
  confidence: 0.5,
  comments: ["# sent_id = j1"],
  tokens: [
    { id: "1-2", form: "Vámonos", start: 0, end: 7 },
    {
      id: 1,
      form: "Vamos",
      lemma: "ir",
      upos: "VERB",
      feats: { Mood: "Imp", Foreign: null },
      head: 0,
      deprel: "root",
      misc: { Confidence: "0.25" },
      confidence: 0.25,
    },
    {
      id: 2,
      form: "nos",
      head: 1,
      deprel: "obj",
      deps: [
        { head: 1, deprel: "obj" },
        { head: "1.1", deprel: "obl" },
      ],
    },
    { id: 3, form: "ya", head: 1, deprel: "advmod" },
  ],
  constituents: "(S (V Vamos) (P nos) (R ya))",
  kbest: [
    { score: 2.5, heads: [0, 1, 1], deprels: ["root", "obj", "advmod"] },
    { score: 1.5, scores: { h: 1, c: 0.5 }, heads: [0, 3, 1], deprels: ["root", "obj", "advmod"] },
  ],
};

test("JSON of version 2 says what CoNLL-U says", () => {
  const [sentence] = readJson(JSON.stringify(JSON_SENTENCE));
  assert.equal(
    writeConllu([sentence!]),
    `# sent_id = j1
# text = Vámonos ya
1-2	Vámonos	_	_	_	_	_	_	_	_
1	Vamos	ir	VERB	_	Mood=Imp|Foreign	0	root	_	Confidence=0.25
2	nos	_	_	_	_	1	obj	1:obj|1.1:obl	_
3	ya	_	_	_	_	1	advmod	_	_

`,
  );
  assert.equal(sentence!.words[0]!.confidence, 0.25);
  assert.equal(sentence!.phrases?.children.length, 3);
  const list = listFromJson(JSON_SENTENCE, 3);
  assert.deepEqual(
    list.map(({ score, heads, scores }) => [score, heads, scores.length]),
    [
      [2.5, [0, 1, 1], 0],
      [1.5, [0, 3, 1], 2],
    ],
  );
});

test("JSON of the first version is read", () => {
  const [sentence] = readJson(
    '{"comments": ["# text = del"], "tokens": [{"form": "de", "head": 0, "deprel": "root"}, {"form": "el", "feats": "A=B|C=D", "head": 1}], "extra": [{"before": 0, "line": "1-2\\tdel"}], "tree": "(S (X de) (Y el))"}',
  );
  assert.deepEqual(
    [sentence!.extra, sentence!.words[1]!.feats, sentence!.phrases?.label],
    [[{ before: 0, line: "1-2\tdel" }], "A=B|C=D", "S"],
  );
});

test("JSON comes as an array, as lines and with values of the wrong kind", () => {
  const one = JSON.stringify(JSON_SENTENCE);
  assert.equal(readJson(`[${one},${one}]`).length, 2);
  assert.equal(readJson(`${one}\n${one}\n`).length, 2);
  assert.match(readJson(`${one}\n{bad`)[1]!.problems[0]!.message, /not JSON/);
  const [odd] = readJson(
    '{"tokens": [{"form": 7, "head": -2, "feats": 3, "deps": {}}, 5, null], "comments": "x", "constituents": "(S"}',
  );
  assert.deepEqual([odd!.words.length, odd!.words[0]!.form, odd!.words[0]!.head, odd!.phrases], [1, "_", null, null]);
});

test("files are told by what is in them", () => {
  assert.equal(readTreebank("x", CONLLU).sentences[0]!.words.length, 6);
  assert.equal(readTreebank("x.conllu", " (S (X a))").sentences[0]!.phrases?.label, "S");
  assert.equal(readTreebank("x", JSON.stringify(JSON_SENTENCE)).sentences.length, 1);
  assert.throws(() => readTreebank("x.png", "\u0089PNG"), /neither/);
});

test("a trace is read, and tells which arcs were built when", () => {
  const trace = traceFromJson({
    kind: "transition",
    system: "arc-hybrid",
    steps: [
      { stack: [0], buffer: [1, 2], taken: 0, forced: true, actions: [{ move: "shift" }] },
      {
        stack: [0, 1],
        buffer: [2],
        taken: 1,
        actions: [
          { move: "shift", score: 2 },
          { move: "left", label: "det", head: 2, dependent: 1, score: 1 },
        ],
      },
      { stack: [0, { label: "NP", first: 1, last: 2 }], buffer: [], taken: 9, actions: [] },
    ],
  });
  assert.ok(trace?.kind === "transition");
  assert.deepEqual(arcsBefore(trace.steps, 1), []);
  assert.deepEqual(arcsBefore(trace.steps, 2), [{ head: 2, dependent: 1, label: "det" }]);
  assert.deepEqual(trace.steps[2]!.stack[1], { label: "NP", first: 1, last: 2 });
  assert.equal(traceFromJson({ kind: "soothsaying" }), null);
});

test("phrases of a trace grow step by step: parts are continued, chains are several", () => {
  const trace = traceFromJson({
    kind: "transition",
    system: "shift-reduce",
    whose: "one of two directions",
    steps: [
      { actions: [{ move: "shift" }] },
      { actions: [{ move: "left part", label: "NP*", first: 1, last: 2 }] },
      { actions: [{ move: "left", label: "NP", first: 1, last: 3 }] },
      { actions: [{ move: "unary", label: "S VP", first: 4, last: 4 }] },
    ],
  });
  assert.ok(trace?.kind === "transition");
  assert.equal(trace.whose, "one of two directions");
  const [sentence] = readConllu(
    ["a", "b", "c", "d"].map((form, i) => `${i + 1}\t${form}\t_\tX${"\t_".repeat(6)}\n`).join("") + "\n",
  );
  const brackets = (phrase: Phrase): string =>
    phrase.word ? String(phrase.word) : `(${phrase.label} ${phrase.children.map(brackets).join(" ")})`;
  const after = (n: number): string => phrasesBefore(sentence!, trace.steps, n).map(brackets).join(" ");
  assert.equal(after(1), "1 2 3 4");
  assert.equal(after(2), "(NP* 1 2) 3 4");
  assert.equal(after(3), "(NP 1 2 3) 4");
  assert.equal(after(4), "(NP 1 2 3) (S (VP 4))");
});
