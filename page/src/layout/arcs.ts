// Where words and arcs go. Words stand in rows, arcs above them, each one level above what it spans, so that no two touch;
// an arc between rows runs out of the first at its edge and into the next. At a word arcs leave side by side, in the order
// that keeps nested ones from crossing: to the left the shorter outside, then the root's, then to the right the longer
// inside (as espalier/format/draw/arc_layout.h has it). Several trees over the same words have them in the same places,
// row under row. All pure: widths come in, places go out.

export interface LayoutArc {
  head: number; // 0 for the root
  dependent: number;
  labelWidth: number;
}

export interface WordsInput {
  wordWidths: readonly number[]; // of words 1..n
  width: number; // rows are no wider, unless a word is; Infinity for one row
  below: number; // room for text under a row's base line
  title?: number; // room above a row's arcs
  rightToLeft: boolean;
}

export interface ArcInput extends WordsInput {
  arcs: readonly LayoutArc[];
}

export interface Row {
  first: number; // its words
  last: number;
  top: number; // y where it begins
  base: number; // y of the line that words hang from and arcs stand on
}

/** What one row shows of an arc. */
export interface Segment {
  arc: number; // index among the tree's arcs
  row: number;
  y: number; // of its horizontal part
  from: number; // x, left to right; the same for the root's arrow
  to: number;
  legs: { from: boolean; to: boolean }; // goes down to a word there, else to the edge of the row
  arrow: number | null; // x of the arrow, if the dependent is in this row
  label: number | null; // x of the label's middle, in every row where it fits and in one at least
}

export interface ArcLayout {
  width: number;
  height: number;
  rows: Row[];
  words: { x: number; row: number }[]; // middles of words 1..n
  segments: Segment[];
}

export const MARGIN = 16;
export const LEVEL = 24; // between arcs one above the other
const WORD_GAP = 16; // least space between words
const SLOT = 9; // between arcs that meet at a word
const LABEL_AIR = 17; // between a label and its arc's corners
const EDGE_AIR = 6; // between a label and the edge of its row
const EDGE = 14; // what is seen of an arc that leaves its row
const ROW_GAP = 18;
const SAME_ROW_GAP = 6; // between the rows of two trees with the same words

interface End {
  arc: number;
  key: number; // place among the arcs at its word
}

export function layoutArcs({ arcs, ...words }: ArcInput): ArcLayout {
  return layoutTogether(words, [arcs])[0] as ArcLayout;
}

/** Several trees over the same words: the first row of each, then the second of each, and so on. */
export function layoutTogether(input: WordsInput, trees: readonly (readonly LayoutArc[])[]): ArcLayout[] {
  const layers = trees.map((arcs) => ({ arcs, offsets: placeEnds(input.wordWidths.length, arcs) }));
  const { x, rowOf, rows, width } = balanced(input, layers);
  const layouts = layers.map((layer): ArcLayout => {
    const own = rows.map((row) => ({ ...row }));
    return { width, height: 0, rows: own, words: [], segments: cutIntoSegments(layer, x, rowOf, own, width) };
  });
  const height = stackRows(input, layouts);
  if (input.rightToLeft) x.forEach((middle, i) => (x[i] = width - middle));
  for (const layout of layouts) {
    layout.height = height;
    layout.words = x.slice(1).map((middle, i) => ({ x: middle, row: rowOf[i + 1] ?? 0 }));
    if (input.rightToLeft) mirror(layout.segments, width);
  }
  return layouts;
}

/** A tree, and where its arcs meet their words. */
interface Layer {
  arcs: readonly LayoutArc[];
  offsets: Offsets;
}

const isRoot = (arc: LayoutArc): boolean => arc.head === 0;
const leftOf = (arc: LayoutArc): number => (isRoot(arc) ? arc.dependent : Math.min(arc.head, arc.dependent));
const rightOf = (arc: LayoutArc): number => Math.max(arc.head, arc.dependent);

class Offsets {
  private readonly at = new Map<string, number>();
  readonly room: number[];

  constructor(words: number) {
    this.room = new Array<number>(words + 1).fill(0);
  }
  set(arc: number, word: number, x: number): void {
    this.at.set(`${arc} ${word}`, x);
  }
  get(arc: number, word: number): number {
    return this.at.get(`${arc} ${word}`) ?? 0;
  }
}

/** Gives every end of an arc its place beside the others at its word. */
function placeEnds(n: number, arcs: readonly LayoutArc[]): Offsets {
  const ends: End[][] = Array.from({ length: n + 1 }, () => []);
  arcs.forEach((arc, index) => {
    const length = rightOf(arc) - leftOf(arc);
    const key = (word: number): number => (isRoot(arc) ? 0 : leftOf(arc) === word ? n + 1 - length : length - n - 1);
    ends[arc.dependent]?.push({ arc: index, key: key(arc.dependent) });
    if (!isRoot(arc)) ends[arc.head]?.push({ arc: index, key: key(arc.head) });
  });
  const offsets = new Offsets(n);
  ends.forEach((list, word) => {
    list.sort((a, b) => a.key - b.key);
    const width = SLOT * Math.max(0, list.length - 1);
    list.forEach(({ arc }, place) => offsets.set(arc, word, SLOT * place - width / 2));
    offsets.room[word] = width;
  });
  return offsets;
}

interface Placed {
  x: number[];
  rowOf: number[];
  rows: Row[];
  width: number;
}

/** Rows as narrow as they can be without becoming more, so that the last is not left with a word or two. */
function balanced(input: WordsInput, layers: readonly Layer[]): Placed {
  let best = placeWords(input, layers);
  if (best.rows.length === 1) return best;
  let [low, high] = [0, input.width];
  while (high - low > 4) {
    const width = (low + high) / 2;
    const placed = placeWords({ ...input, width }, layers);
    if (placed.rows.length > best.rows.length || placed.width > input.width) low = width;
    else [best, high] = [placed, width];
  }
  return best;
}

/** The words' middles, as close together as words and all trees' labels allow, a new row where one is full. */
function placeWords({ wordWidths, width: available }: WordsInput, layers: readonly Layer[]): Placed {
  const n = wordWidths.length;
  const half = [0, ...wordWidths.map((width) => width / 2)];
  const ending: { arc: LayoutArc; from: number; to: number }[][] = Array.from({ length: n + 1 }, () => []);
  for (const { arcs, offsets } of layers) {
    half.forEach((least, word) => (half[word] = Math.max(least, (offsets.room[word] ?? 0) / 2)));
    arcs.forEach((arc, index) => {
      const [from, to] = [offsets.get(index, leftOf(arc)), offsets.get(index, rightOf(arc))];
      if (isRoot(arc)) half[arc.dependent] = Math.max(half[arc.dependent] ?? 0, arc.labelWidth / 2);
      else ending[rightOf(arc)]?.push({ arc, from, to });
    });
  }
  const margin = (row: number): number => (row === 0 ? MARGIN : MARGIN + EDGE);
  const x = [0];
  const rowOf = [0];
  const rows: Row[] = [{ first: 1, last: 0, top: 0, base: 0 }];
  const edges: number[] = []; // of rows, as far as arcs that leave them can be seen
  /** How far left word `i` can stand in a row: labels of arcs from words before must fit. */
  const least = (i: number, row: number): number => {
    let middle = 0;
    for (const { arc, from, to } of ending[i] ?? []) {
      const left = leftOf(arc);
      const start = (x[left] ?? 0) + from;
      const entering = arc.labelWidth + LABEL_AIR + EDGE_AIR;
      if (rowOf[left] === row) middle = Math.max(middle, start + arc.labelWidth + 2 * LABEL_AIR - to);
      // No room at the end of the row before: then there must be some at the beginning of this one.
      else if (rowOf[left] === row - 1 && (edges[row - 1] ?? 0) - start < entering)
        middle = Math.max(middle, entering - to);
    }
    return middle;
  };
  let end = MARGIN;
  let width = 0;
  for (let i = 1; i <= n; i++) {
    const h = half[i] ?? 0;
    let row = rows.length - 1;
    let middle = Math.max(end + h, least(i, row));
    if (middle + h + MARGIN + EDGE > available && rows[row]?.last === i - 1 && rows[row]?.first !== i) {
      rows.push({ first: i, last: i - 1, top: 0, base: 0 });
      edges.push((x[i - 1] ?? 0) + (half[i - 1] ?? 0) + MARGIN + EDGE);
      row++;
      middle = Math.max(margin(row) + h, least(i, row));
    }
    x.push(middle);
    rowOf.push(row);
    (rows[row] as Row).last = i;
    end = middle + h + WORD_GAP;
    width = Math.max(width, middle + h + MARGIN);
  }
  return { x, rowOf, rows, width: rows.length > 1 ? width + EDGE : width };
}

function cutIntoSegments(
  { arcs, offsets }: Layer,
  x: number[],
  rowOf: number[],
  rows: Row[],
  width: number,
): Segment[] {
  const segments: Segment[] = [];
  arcs.forEach((arc, index) => {
    const left = leftOf(arc);
    const right = rightOf(arc);
    const end = (word: number): number => (x[word] ?? 0) + offsets.get(index, word);
    const own: Segment[] = [];
    for (let row = rowOf[left] ?? 0; row <= (rowOf[right] ?? 0); row++) {
      const legs = { from: row === rowOf[left], to: row === rowOf[right] };
      own.push({
        arc: index,
        row,
        y: 0,
        legs,
        label: null,
        from: legs.from ? end(left) : 0,
        to: legs.to ? end(right) : width,
        arrow: row === rowOf[arc.dependent] ? end(arc.dependent) : null,
      });
    }
    // From where to where a label can be: clear of corners.
    const room = ({ from, to, legs }: Segment): [number, number] => [
      from + (legs.from ? LABEL_AIR : EDGE_AIR),
      to - (legs.to ? LABEL_AIR : EDGE_AIR),
    ];
    const longest = own.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a));
    for (const segment of own) {
      const [from, to] = room(segment);
      if (to - from >= arc.labelWidth - 0.5 || segment === longest) segment.label = (from + to) / 2;
    }
    segments.push(...own);
  });
  assignLevels(segments, arcs, rows);
  return segments;
}

/** Short ones first, each just above what it spans; `y` is the level, from 1, until rows are stacked. */
function assignLevels(segments: Segment[], arcs: readonly LayoutArc[], rows: Row[]): void {
  const gaps = (segment: Segment): [number, number] => {
    const arc = arcs[segment.arc] as LayoutArc;
    const { first, last } = rows[segment.row] as Row;
    if (isRoot(arc)) return [arc.dependent - 1, arc.dependent + 1];
    return [segment.legs.from ? leftOf(arc) : first - 1, segment.legs.to ? rightOf(arc) : last + 1];
  };
  const rank = (segment: Segment): number => {
    const arc = arcs[segment.arc] as LayoutArc;
    const [from, to] = gaps(segment);
    return isRoot(arc) ? Infinity : (to - from) * 1e6 + rightOf(arc) - leftOf(arc);
  };
  rows.forEach((_, r) => {
    const top = new Map<number, number>(); // level of the gap behind a word
    const inRow = segments.filter((segment) => segment.row === r).sort((a, b) => rank(a) - rank(b) || 0);
    for (const segment of inRow) {
      const [from, to] = gaps(segment);
      let highest = 0;
      for (let gap = from; gap < to; gap++) highest = Math.max(highest, top.get(gap) ?? 0);
      segment.y = highest + 1;
      if (segment.from !== segment.to) for (let gap = from; gap < to; gap++) top.set(gap, segment.y);
    }
  });
}

/** Gives all rows their places, and all arcs. The height. */
function stackRows({ below, title = 0 }: WordsInput, layouts: readonly ArcLayout[]): number {
  let y = 0;
  for (let r = 0; r < (layouts[0]?.rows.length ?? 0); r++) {
    layouts.forEach(({ rows, segments }, layer) => {
      const own = segments.filter((segment) => segment.row === r);
      const levels = own.reduce((most, segment) => Math.max(most, segment.y), 0);
      const row = rows[r] as Row;
      row.top = y + (layer > 0 ? SAME_ROW_GAP : r === 0 ? 0 : layouts.length > 1 ? 2 * ROW_GAP : 0);
      row.base = row.top + title + (r === 0 ? MARGIN : ROW_GAP) + LEVEL * levels;
      y = row.base + below;
      for (const segment of own) segment.y = row.base - segment.y * LEVEL;
    });
  }
  return y;
}

function mirror(segments: Segment[], width: number): void {
  for (const segment of segments) {
    [segment.from, segment.to] = [width - segment.to, width - segment.from];
    segment.legs = { from: segment.legs.to, to: segment.legs.from };
    if (segment.arrow !== null) segment.arrow = width - segment.arrow;
    if (segment.label !== null) segment.label = width - segment.label;
  }
}

const CORNER = 10;

/** The line of a segment, for an SVG path; it ends `gap` above the base where it goes down. */
export function segmentPath(segment: Segment, base: number, gap: number): string {
  const { from, to, y, legs } = segment;
  const n = (value: number): string => String(Math.round(value * 10) / 10);
  const bottom = base - gap;
  if (from === to) return `M${n(from)} ${n(y)}V${n(bottom)}`;
  const corner = Math.max(0, Math.min(CORNER, (to - from) / 2, bottom - y));
  const start = legs.from
    ? `M${n(from)} ${n(bottom)}V${n(y + corner)}Q${n(from)} ${n(y)} ${n(from + corner)} ${n(y)}`
    : `M${n(from)} ${n(y)}`;
  const end = legs.to ? `H${n(to - corner)}Q${n(to)} ${n(y)} ${n(to)} ${n(y + corner)}V${n(bottom)}` : `H${n(to)}`;
  return start + end;
}
