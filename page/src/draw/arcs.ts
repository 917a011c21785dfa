// A dependency tree as SVG. Classes carry the colours (style.css), data-word and data-dependent tell what is what to those
// who listen (view/tree_events.ts), words can be reached by keyboard, the row of them has one tab stop.
import { arcsOf, multiwordTokens, said, wordAt, type Arc, type Sentence } from "../tree/sentence";
import { relationKind } from "../tree/names";
import { readsRightToLeft } from "../tree/direction";
import { layoutArcs, segmentPath, type ArcInput, type ArcLayout, type Segment } from "../layout/arcs";
import { describeArc, describeWord } from "./describe";
import { s } from "./dom";
import { fits, frame } from "./frame";
import { shown, SIZES, textWidth } from "./text";

export interface TreeMarks {
  different?: ReadonlySet<number> | undefined; // words whose arc is not the other tree's
  found?: ReadonlySet<number> | undefined; // words that a search found
  fixed?: ReadonlySet<number> | undefined; // words whose arc was given
  broken?: ReadonlySet<number> | undefined; // words with a problem
}

export interface ArcDrawing {
  width: number; // of rows; Infinity for one row
  arcs?: Arc[]; // instead of the sentence's own
  marks?: TreeMarks;
}

const WORD_LINE = 20; // from the base line to the words' own
const TAG_LINE = 37;
const TOKEN_LINE = 58;
const ARROW = 4.5;

export function drawArcs(
  sentence: Sentence,
  { width, arcs = arcsOf(sentence), marks = {} }: ArcDrawing,
): SVGSVGElement {
  const tokens = multiwordTokens(sentence);
  const input: ArcInput = {
    wordWidths: sentence.words.map((_, i) => wordWidth(sentence, i + 1)),
    arcs: arcs.map(({ head, dependent, label }) => ({ head, dependent, labelWidth: textWidth(shown(label), "label") })),
    width: Infinity,
    below: tokens.length > 0 ? TOKEN_LINE + 10 : TAG_LINE + 10,
    rightToLeft: readsRightToLeft(sentence),
  };
  const row = layoutArcs(input);
  const layout = fits(row.width, width) ? row : layoutArcs({ ...input, width });
  const svg = frame("tree arcs", "Dependency tree", layout, width);
  // Words first, so that they come first for screen readers; arcs lie above.
  svg.append(s("g", { class: "words" }, ...sentence.words.map((_, i) => drawWord(sentence, i + 1, layout, marks))));
  svg.append(...tokens.map((token) => drawToken(token.first, token.last, token.form, layout)));
  arcs.forEach((arc, index) => {
    const own = layout.segments.filter((segment) => segment.arc === index);
    svg.append(drawArc(sentence, arc, own, layout, marks));
  });
  return svg;
}

function tagOf(sentence: Sentence, i: number): string {
  const { upos, xpos } = wordAt(sentence, i);
  return said(upos) || said(xpos);
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

/** A bracket under the words that are one in writing. */
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

function drawArc(sentence: Sentence, arc: Arc, segments: Segment[], layout: ArcLayout, marks: TreeMarks): SVGGElement {
  const kind = relationKind(arc.head === 0 ? "root" : arc.label);
  const doubt = wordAt(sentence, arc.dependent).confidence;
  const group = s("g", {
    class: classes(`arc ${kind}${doubt !== undefined && doubt < 0.5 ? " doubtful" : ""}`, arc.dependent, marks),
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
