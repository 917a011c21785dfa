// The k-best list side by side: each tree with what it has differently from the first.
import { annotated, type Analysis } from "../tree/analysis";
import { compare, phrasesNotIn } from "../tree/compare";
import { formOf, hasHeads, said, spanText, wordAt, wordsOf, type Phrase, type Sentence } from "../tree/sentence";
import { drawArcs } from "../draw/arcs";
import { drawPhrases } from "../draw/phrases";
import { shown } from "../draw/text";
import { short } from "./details";
import { button, h } from "../draw/dom";

export function kbestPanel(
  sentence: Sentence,
  list: readonly Analysis[],
  take: (chosen: Sentence) => void,
): HTMLElement {
  const first = list[0];
  if (!first) return h("p", { class: "quiet" }, "The parser has no list for this sentence.");
  const best = annotated(sentence, first);
  const cards = list.map((analysis, index) => {
    const tree = annotated(sentence, analysis);
    const { wrongWords } = compare(best, tree);
    const drawings: Node[] = [];
    if (hasHeads(tree)) drawings.push(drawArcs(tree, { width: Infinity, marks: { different: wrongWords } }));
    if (tree.phrases && (analysis.phrases || !hasHeads(tree))) {
      const different = best.phrases ? phrasesNotIn(tree.phrases, best.phrases) : undefined;
      drawings.push(drawPhrases(tree, tree.phrases, Infinity, { different }));
    }
    for (const drawing of drawings) makeStill(drawing as SVGSVGElement);
    return h(
      "li",
      { class: "candidate" },
      h(
        "div",
        { class: "candidate-head" },
        h("b", {}, `${index + 1}.`),
        h("span", { class: "score" }, scoreText(analysis, first)),
        index > 0
          ? button("Take this tree", () => take(tree), { class: "small" })
          : h("span", { class: "quiet" }, "the parser's choice"),
      ),
      h("div", { class: "canvas", tabindex: 0, role: "group", "aria-label": `Tree ${index + 1}` }, ...drawings),
      differences(best, tree, wrongWords),
    );
  });
  return h("ol", { class: "candidates" }, ...cards);
}

/** Trees that are wider than their place are turned to what they have differently; to be called when all is in place. */
export function showDifferences(panel: HTMLElement): void {
  for (const canvas of panel.querySelectorAll<HTMLElement>(".canvas")) {
    const place = canvas.querySelector(".word.different, .phrase.different");
    if (!place) continue;
    const middle = (box: DOMRect): number => box.left + box.width / 2;
    canvas.scrollLeft += middle(place.getBoundingClientRect()) - middle(canvas.getBoundingClientRect());
  }
}

/** A picture to look at: no buttons in it. */
export function makeStill(drawing: SVGSVGElement): void {
  drawing.setAttribute("role", "img");
  for (const word of drawing.querySelectorAll("[role='button']")) {
    for (const name of ["role", "tabindex", "aria-label"]) word.removeAttribute(name);
  }
}

function scoreText({ score, scores }: Analysis, best: Analysis): string {
  const behind = best.score - score;
  const parts = scores.map(([name, part]) => `${name} ${short(part)}`).join(", ");
  return [short(score), behind > 0 ? `(${short(-behind)})` : "", parts].filter(Boolean).join(" ");
}

function differences(best: Sentence, tree: Sentence, words: ReadonlySet<number>): HTMLElement | null {
  const items = [...arcDifferences(best, tree, words), ...phraseDifferences(best, tree)];
  return items.length > 0 ? h("ul", { class: "differences" }, ...items.slice(0, 8)) : null;
}

function arcDifferences(best: Sentence, tree: Sentence, words: ReadonlySet<number>): HTMLElement[] {
  return [...words].map((i) => {
    const [was, is] = [wordAt(best, i), wordAt(tree, i)];
    const arc = (sentence: Sentence, head: number | null, label: string): string =>
      `${said(label) || "–"} ← ${head === null ? "–" : formOf(sentence, head)}`;
    return h(
      "li",
      {},
      h("bdi", {}, is.form),
      ": ",
      h("del", {}, arc(best, was.head, was.deprel)),
      " ",
      h("ins", {}, arc(tree, is.head, is.deprel)),
    );
  });
}

/** Phrases that one of the trees has alone. */
function phraseDifferences(best: Sentence, tree: Sentence): HTMLElement[] {
  if (!best.phrases || !tree.phrases) return [];
  const item = (kind: "del" | "ins", phrase: Phrase): HTMLElement => {
    const words = wordsOf(phrase);
    const text = spanText(best, words[0] ?? 0, words.at(-1) ?? 0);
    return h("li", {}, h(kind, {}, phrase.label), " ", h("bdi", {}, shown(text, 60)));
  };
  return [
    ...[...phrasesNotIn(best.phrases, tree.phrases)].map((phrase) => item("del", phrase)),
    ...[...phrasesNotIn(tree.phrases, best.phrases)].map((phrase) => item("ins", phrase)),
  ];
}
