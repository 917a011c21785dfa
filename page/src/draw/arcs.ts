// Dependency trees as SVG: one, or several over the same words under each other. Classes carry the colours (style.css),
// data-word and data-dependent identify words and arcs for listeners (view/tree_events.ts); words can be reached by
// keyboard, the row of them has one tab stop.
import { isDoubtful } from "../tree/confidence";
import { arcsOf, multiwordTokens, tagOf, wordAt, type Arc, type Sentence } from "../tree/sentence";
import { relationKind } from "../tree/names";
import { readsRightToLeft } from "../tree/direction";
import { layoutTogether, MARGIN, segmentPath, type ArcLayout, type Segment, type WordsInput } from "../layout/arcs";
import { describeArc, describeWord } from "./describe";
import { s } from "./dom";
import { fits, frame } from "./frame";
import { shown, SIZES, textWidth } from "./text";

export interface TreeMarks {
  different?: ReadonlySet<number> | undefined; // words whose arc is not the other tree's
  retagged?: ReadonlySet<number> | undefined; // words whose tag is not
  found?: ReadonlySet<number> | undefined; // words that a search found
  fixed?: ReadonlySet<number> | undefined; // words whose arc was given
  broken?: ReadonlySet<number> | undefined; // words with a problem
}

export interface ArcTree {
  sentence: Sentence;
  arcs?: Arc[]; // instead of the sentence's own
  room?: Arc[]; // arcs that are not drawn, but have their places in the layout
  replaced?: Arc[]; // arcs of another tree, drawn faintly beside those that replace them
  marks?: TreeMarks;
  name?: string; // written above its rows
}

const WORD_LINE = 20; // from the base line to the words' own
const TAG_LINE = 37;
const TOKEN_LINE = 58;
const TITLE_LINE = 16;
const ARROW = 4.5;

/** Each tree is a group of its own, `g.layer`, in the order given; all have the same words. Rows are no wider than `width`. */
export function drawArcs(trees: readonly ArcTree[], width: number): SVGSVGElement {
  const sentences = trees.map(({ sentence }) => sentence);
  const [first] = sentences;
  const own = trees.map(({ sentence, arcs }) => arcs ?? arcsOf(sentence));
  const input: WordsInput = {
    wordWidths: (first?.words ?? []).map((_, i) => Math.max(...sentences.map((each) => wordWidth(each, i + 1)))),
    width: Infinity,
    below: (sentences.some((each) => multiwordTokens(each).length > 0) ? TOKEN_LINE : TAG_LINE) + 10,
    title: trees.some(({ name }) => name) ? TITLE_LINE : 0,
    rightToLeft: first !== undefined && readsRightToLeft(first),
  };
  const place = (within: number): ArcLayout[] =>
    layoutTogether(
      { ...input, width: within },
      trees.map(({ replaced = [], room = [] }, i) =>
        [...(own[i] ?? []), ...replaced, ...room].map((arc) => ({
          ...arc,
          labelWidth: textWidth(shown(arc.label), "label"),
        })),
      ),
    );
  let layouts = place(Infinity);
  if (!fits(layouts[0]?.width ?? 0, width)) layouts = place(width);
  const svg = frame("tree arcs", "Dependency tree", layouts[0] ?? { width: 0, height: 0 }, width);
  trees.forEach((tree, i) => svg.append(drawTree(tree, own[i] ?? [], layouts[i] as ArcLayout, input.rightToLeft)));
  return svg;
}

function drawTree(tree: ArcTree, arcs: readonly Arc[], layout: ArcLayout, rightToLeft: boolean): SVGGElement {
  const { sentence, replaced = [], marks = {}, name } = tree;
  const layer = s("g", { class: "layer" });
  if (name) {
    const side = rightToLeft ? { x: layout.width - MARGIN, "text-anchor": "end" } : { x: MARGIN };
    layer.append(
      ...layout.rows.map(({ top }) =>
        s("text", { class: "name", y: top + TITLE_LINE, "font-size": SIZES.tag, ...side }, shown(name, 40)),
      ),
    );
  }
  // Words first, so that they come first for screen readers; arcs lie above.
  layer.append(s("g", { class: "words" }, ...sentence.words.map((_, i) => drawWord(sentence, i + 1, layout, marks))));
  layer.append(...multiwordTokens(sentence).map((token) => drawToken(token.first, token.last, token.form, layout)));
  const group = (arc: Arc, index: number, own: TreeMarks | null): SVGGElement => {
    const segments = layout.segments.filter((segment) => segment.arc === index);
    return drawArc(sentence, arc, segments, layout, own);
  };
  layer.append(...replaced.map((arc, i) => group(arc, arcs.length + i, null)));
  layer.append(...arcs.map((arc, i) => group(arc, i, marks)));
  return layer;
}

function wordWidth(sentence: Sentence, i: number): number {
  return Math.max(textWidth(shown(wordAt(sentence, i).form), "word"), textWidth(shown(tagOf(sentence, i)), "tag"), 12);
}

function classes(base: string, i: number, marks: TreeMarks): string {
  const on = (Object.keys(marks) as (keyof TreeMarks)[]).filter((mark) => marks[mark]?.has(i));
  return [base, ...on].join(" ");
}

function drawWord(sentence: Sentence, i: number, layout: ArcLayout, marks: TreeMarks): SVGGElement {
  const place = layout.words[i - 1] ?? { x: 0, row: 0 };
  const base = layout.rows[place.row]?.base ?? 0;
  const width = wordWidth(sentence, i) + 12;
  return s(
    "g",
    {
      class: classes("word", i, marks),
      "data-word": i,
      role: "button",
      tabindex: i === 1 ? 0 : -1,
      "aria-label": describeWord(sentence, i),
    },
    s("rect", { class: "box", x: place.x - width / 2, y: base + 3, width, height: TAG_LINE + 2, rx: 6 }),
    textAt(place.x, base + WORD_LINE, "word", "form", wordAt(sentence, i).form),
    " ",
    textAt(place.x, base + TAG_LINE, "tag", "tag", tagOf(sentence, i)),
  );
}

function textAt(x: number, y: number, size: keyof typeof SIZES, name: string, text: string): SVGTextElement {
  return s("text", { class: name, x, y, "font-size": SIZES[size], "text-anchor": "middle" }, shown(text));
}

/** A bracket under the words of a multiword token. */
function drawToken(first: number, last: number, form: string, layout: ArcLayout): SVGGElement {
  const group = s("g", { class: "token", "aria-hidden": "true" });
  const places = layout.words.slice(first - 1, last);
  for (const row of new Set(places.map((place) => place.row))) {
    const xs = places.filter((place) => place.row === row).map((place) => place.x);
    const from = Math.min(...xs) - 8;
    const to = Math.max(...xs) + 8;
    const y = (layout.rows[row]?.base ?? 0) + TAG_LINE + 6;
    group.append(
      s("path", { class: "bracket", d: `M${from} ${y}v4H${to}v-4`, fill: "none" }),
      textAt((from + to) / 2, y + 15, "token", "form", form),
    );
  }
  return group;
}

/** Marks are null for an arc of another tree. */
function drawArc(
  sentence: Sentence,
  arc: Arc,
  segments: Segment[],
  layout: ArcLayout,
  marks: TreeMarks | null,
): SVGGElement {
  const kind = relationKind(arc.head === 0 ? "root" : arc.label);
  const doubt = isDoubtful(wordAt(sentence, arc.dependent)) ? " doubtful" : "";
  const group = s("g", {
    class: marks ? classes(`arc ${kind}${doubt}`, arc.dependent, marks) : "arc replaced",
    "data-dependent": arc.dependent,
    "data-head": arc.head,
    "data-label": arc.label,
    "aria-hidden": "true",
    "data-title": describeArc(sentence, arc.dependent),
  });
  for (const segment of segments) {
    const base = layout.rows[segment.row]?.base ?? 0;
    const path = segmentPath(segment, base, segment.arrow === null ? 0 : ARROW);
    group.append(
      s("path", { class: "hit", d: path, fill: "none" }),
      s("path", { class: "line", d: path, fill: "none" }),
    );
    if (segment.arrow !== null) {
      const [x, y] = [segment.arrow, base];
      group.append(s("path", { class: "tip", d: `M${x - ARROW} ${y - 2 * ARROW}H${x + ARROW}L${x} ${y + 1}Z` }));
    }
  }
  for (const { label, y } of segments) {
    if (label !== null && arc.label) group.append(textAt(label, y + 4, "label", "label", arc.label));
  }
  return group;
}
