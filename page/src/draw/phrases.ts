// Constituent trees as SVG, with the same classes and data as arcs have.
import { wordAt, type Phrase, type Sentence } from "../tree/sentence";
import { isDoubtful, spanOf } from "../tree/confidence";
import { explainPhrase } from "../tree/names";
import { readsRightToLeft } from "../tree/direction";
import { layoutPhrasesTogether, type PhraseLayout, type PlacedPhrase } from "../layout/phrases";
import { describeWord } from "./describe";
import { s } from "./dom";
import { frame } from "./frame";
import { shown, SIZES, textWidth } from "./text";

export interface PhraseMarks {
  different?: ReadonlySet<Phrase> | undefined;
  found?: ReadonlySet<number> | undefined;
  retagged?: ReadonlySet<number> | undefined;
}

export interface PhraseTree {
  sentence: Sentence;
  root: Phrase;
  marks?: PhraseMarks;
}

const leafText = (sentence: Sentence, leaf: Phrase): string =>
  shown(leaf.word ? wordAt(sentence, leaf.word).form : leaf.trace);

/** A drawing of each tree; all have the same words, in the same places. */
export function drawPhrases(trees: readonly PhraseTree[], available: number): SVGSVGElement[] {
  const layouts = layoutPhrasesTogether(
    trees.map(({ sentence, root }) => ({
      root,
      labelWidth: (label) => textWidth(shown(label), "label"),
      leafWidth: (leaf) => textWidth(leafText(sentence, leaf), "word"),
      rightToLeft: readsRightToLeft(sentence),
    })),
  );
  return trees.map((tree, i) => drawTree(tree, layouts[i] as PhraseLayout, available));
}

function drawTree({ sentence, root, marks = {} }: PhraseTree, layout: PhraseLayout, available: number): SVGSVGElement {
  const lines = s("g", { class: "branches", "aria-hidden": "true" });
  const labels = s("g", { class: "phrases", "aria-hidden": "true" });
  const words = s("g", { class: "words" });
  for (const node of layout.nodes) {
    const doubtful = isDoubtful(node.phrase);
    const marked = (marks.different?.has(node.phrase) ? " different" : "") + (doubtful ? " doubtful" : "");
    const isLeaf = node.phrase.children.length === 0;
    if (node.phrase === root && !isLeaf && !root.label) continue; // several trees
    for (const child of node.children) {
      lines.append(s("path", { class: `branch${marked}`, d: branch(node, child), fill: "none" }));
    }
    labels.append(
      s(
        "g",
        {
          class: (isLeaf ? "tag" : "phrase") + marked + (marks.retagged?.has(node.phrase.word) ? " retagged" : ""),
          "data-phrase": node.phrase.label,
          "data-title": explainPhrase(node.phrase.label),
          "data-span": doubtful ? spanOf(node.phrase) : undefined,
        },
        s(
          "text",
          {
            class: isLeaf ? "tag" : "label",
            x: node.x,
            y: node.y + 4,
            "font-size": SIZES[isLeaf ? "tag" : "label"],
            "text-anchor": "middle",
          },
          shown(node.phrase.label),
        ),
      ),
    );
    if (isLeaf) words.append(drawLeaf(sentence, node, layout.leafY, leafText(sentence, node.phrase), marks));
  }
  const svg = frame("tree constituents", "Constituent tree", layout, available);
  svg.append(words, lines, labels);
  return svg;
}

function branch(parent: PlacedPhrase, child: PlacedPhrase): string {
  const [top, bottom] = [parent.y + 9, child.y - 10];
  const r = (value: number): string => String(Math.round(value * 10) / 10);
  if (Math.abs(parent.x - child.x) < 1) return `M${r(parent.x)} ${r(top)}L${r(child.x)} ${r(bottom)}`;
  const towards = child.x > parent.x ? 1 : -1;
  const corner = Math.min(7, Math.abs(child.x - parent.x) / 2);
  const bend = parent.y + 16;
  return `M${r(parent.x)} ${r(top)}V${r(bend)}H${r(child.x - towards * corner)}Q${r(child.x)} ${r(bend)} ${r(child.x)} ${r(bend + corner)}V${r(bottom)}`;
}

function drawLeaf(sentence: Sentence, node: PlacedPhrase, y: number, text: string, marks: PhraseMarks): SVGGElement {
  const { word } = node.phrase;
  const label = s(
    "text",
    { class: word ? "form" : "form trace", x: node.x, y, "font-size": SIZES.word, "text-anchor": "middle" },
    text,
  );
  const branchDown = s("path", { class: "branch", d: `M${node.x} ${node.y + 9}V${y - 16}`, fill: "none" });
  if (!word) return s("g", { class: "word" }, branchDown, label);
  const width = textWidth(text, "word") + 12;
  return s(
    "g",
    {
      class: marks.found?.has(word) ? "word found" : "word",
      "data-word": word,
      role: "button",
      tabindex: word === 1 ? 0 : -1,
      "aria-label": describeWord(sentence, word),
    },
    branchDown,
    s("rect", { class: "box", x: node.x - width / 2, y: y - 16, width, height: 22, rx: 6 }),
    label,
  );
}
