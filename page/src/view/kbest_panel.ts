// The k-best list: a line for each tree with its differences from the tree above, and a drawing of the line
// that is chosen. Arcs that the drawing has alone stand out; those that they replace are faint.
import { annotated, type Analysis } from "../tree/analysis";
import { compare, differs, phrasesNotIn, type Comparison } from "../tree/compare";
import {
  arcsOf,
  formOf,
  hasHeads,
  said,
  spanText,
  tagOf,
  wordAt,
  wordsOf,
  type Phrase,
  type Sentence,
} from "../tree/sentence";
import { drawArcs } from "../draw/arcs";
import { drawPhrases } from "../draw/phrases";
import { shown } from "../draw/text";
import { button, h, uniqueId } from "../draw/dom";
import { distanceText, POINTS, short } from "./details";

const MOST = 4; // differences in a line, at most

interface Candidate {
  tree: Sentence;
  analysis: Analysis;
  comparison: Comparison;
}

export function kbestPanel(
  sentence: Sentence,
  list: readonly Analysis[],
  width: () => number,
  take: (chosen: Sentence) => void,
): HTMLElement {
  const first = list[0];
  if (!first) return h("p", { class: "quiet" }, "The parser has no list for this sentence.");
  const candidates = list.map((analysis): Candidate => {
    const tree = annotated(sentence, analysis);
    return { tree, analysis, comparison: compare(sentence, tree) };
  });
  if (list.length === 1) return h("p", { class: "quiet" }, "The parser found no other tree.");
  const place = h("div", { class: "canvas" });
  const takeButton = button("Take this tree", () => take(chosen.tree), { class: "small" });
  let chosen = candidates.find(({ comparison }) => differs(comparison)) ?? (candidates[0] as Candidate);
  const show = (candidate: Candidate): void => {
    chosen = candidate;
    place.replaceChildren(...drawingsOf(sentence, candidate, width()));
    takeButton.disabled = !differs(candidate.comparison);
  };
  // All trees have the same room, so that what is below stays where it is.
  const heights = candidates.map((candidate) =>
    drawingsOf(sentence, candidate, width()).reduce((sum, svg) => sum + Number(svg.getAttribute("height")), 0),
  );
  place.style.minBlockSize = `${Math.max(...heights) + 4}px`;
  const name = uniqueId("candidates");
  const rows = candidates.map((candidate, index) => {
    const own = { type: "radio", name, checked: candidate === chosen, change: () => show(candidate) };
    return h(
      "li",
      { class: "candidate" },
      h(
        "label",
        {},
        h("input", own),
        h("span", { class: "place" }, `${index + 1}.`),
        h("span", { class: "what" }, ...differencesOf(sentence, candidate)),
        h("span", { class: "score" }, scoreText(candidate.analysis, first)),
      ),
    );
  });
  show(chosen);
  return h(
    "div",
    { class: "alternatives", role: "group", "aria-label": "Alternatives" },
    h(
      "div",
      { class: "row" },
      h("h4", {}, `The parser’s ${list.length} best trees, and what each has differently from the tree above`),
    ),
    place,
    h("ol", { class: "candidates" }, ...rows),
    h("p", { class: "quiet" }, POINTS),
    h("div", { class: "row" }, takeButton),
  );
}

function drawingsOf(sentence: Sentence, { tree, analysis, comparison }: Candidate, width: number): SVGSVGElement[] {
  const drawings: SVGSVGElement[] = [];
  if (hasHeads(tree)) {
    const replaced = arcsOf(sentence).filter(({ dependent, head }) => wordAt(tree, dependent).head !== head);
    const marks = { different: comparison.wrongWords, retagged: comparison.wrongTags };
    drawings.push(drawArcs([{ sentence: tree, replaced, marks }], width));
  }
  if (tree.phrases && (analysis.phrases || !hasHeads(tree))) {
    const different = sentence.phrases ? phrasesNotIn(tree.phrases, sentence.phrases) : undefined;
    const marks = { different, retagged: comparison.wrongTags };
    drawings.push(...drawPhrases([{ sentence: tree, root: tree.phrases, marks }], width));
  }
  for (const drawing of drawings) makeStill(drawing);
  return drawings;
}

/** A picture to look at: no buttons in it. */
export function makeStill(drawing: SVGSVGElement): void {
  drawing.setAttribute("role", "img");
  for (const word of drawing.querySelectorAll("[role='button']")) {
    for (const name of ["role", "tabindex", "aria-label"]) word.removeAttribute(name);
  }
}

function scoreText({ score, scores }: Analysis, best: Analysis): string {
  const parts = scores.map(([name, part]) => `${name} ${short(part)}`).join(", ");
  return [distanceText(best.score - score, "the best"), parts && `(${parts})`].filter(Boolean).join(" ");
}

function differencesOf(sentence: Sentence, { tree, comparison }: Candidate): (HTMLElement | string)[] {
  const items = [
    ...arcDifferences(sentence, tree, comparison.wrongWords),
    ...[...comparison.wrongTags].map((i) => difference(nameOf(tree, i), tagOf(tree, i), tagOf(sentence, i))),
    ...phraseDifferences(sentence, tree),
  ];
  if (items.length === 0) return [h("span", { class: "quiet" }, "the tree above")];
  const rest = items.length - MOST;
  return [...items.slice(0, MOST), ...(rest > 0 ? [h("span", { class: "quiet" }, `and ${rest} more`)] : [])];
}

/** A word in running text: a full stop would be lost there. */
function nameOf(sentence: Sentence, i: number): string {
  const form = shown(formOf(sentence, i), 30);
  return /[\p{L}\p{N}]/u.test(form) ? form : `“${form}”`;
}

/** "planes: obj of Flying, not nsubj of dangerous" */
function difference(what: string, is: string, was: string): HTMLElement {
  return h("span", { class: "difference" }, h("bdi", {}, what), ": ", h("ins", {}, is), ", not ", h("del", {}, was));
}

/** Punctuation comes last. */
function arcDifferences(sentence: Sentence, tree: Sentence, words: ReadonlySet<number>): HTMLElement[] {
  const arc = (of: Sentence, i: number, withHead: boolean): string => {
    const { head, deprel } = wordAt(of, i);
    const label = shown(said(deprel) || "dependent", 30);
    if (head === null) return "without a head";
    return head === 0 || !withHead ? label : `${label} of ${nameOf(of, head)}`;
  };
  const order = [...words].sort((a, b) => Number(isPunct(sentence, a)) - Number(isPunct(sentence, b)) || a - b);
  return order.map((i) => {
    const moved = wordAt(sentence, i).head !== wordAt(tree, i).head;
    return difference(nameOf(tree, i), arc(tree, i, moved), arc(sentence, i, moved));
  });
}

const isPunct = (sentence: Sentence, i: number): boolean => wordAt(sentence, i).deprel === "punct";

/** Phrases that one of the trees has alone. */
function phraseDifferences(sentence: Sentence, tree: Sentence): HTMLElement[] {
  if (!sentence.phrases || !tree.phrases) return [];
  const item = (kind: "del" | "ins", phrase: Phrase): HTMLElement => {
    const words = wordsOf(phrase);
    const text = spanText(sentence, words[0] ?? 0, words.at(-1) ?? 0);
    return h(
      "span",
      { class: "difference" },
      kind === "del" ? "no " : "",
      h(kind, {}, phrase.label),
      " ",
      h("bdi", {}, shown(text, 60)),
    );
  };
  return [
    ...[...phrasesNotIn(tree.phrases, sentence.phrases)].map((phrase) => item("ins", phrase)),
    ...[...phrasesNotIn(sentence.phrases, tree.phrases)].map((phrase) => item("del", phrase)),
  ];
}
