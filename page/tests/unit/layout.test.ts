import assert from "node:assert/strict";
import { test } from "node:test";
import { readBrackets } from "../../src/format/brackets";
import { layoutArcs, layoutTogether, segmentPath, type ArcInput, type ArcLayout } from "../../src/layout/arcs";
import { layoutPhrases, layoutPhrasesTogether } from "../../src/layout/phrases";

/** Numbers that look random and are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed * 2654435761 + 1;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function randomInput(seed: number): ArcInput {
  const random = randomNumbers(seed);
  const n = 1 + random(30);
  const root = 1 + random(n);
  const arcs = Array.from({ length: n }, (_, i) => {
    const dependent = i + 1;
    let head = dependent === root ? 0 : 1 + random(n);
    if (head === dependent) head = root;
    return { head, dependent, labelWidth: 10 + random(60) };
  });
  return {
    wordWidths: Array.from({ length: n }, () => 10 + random(90)),
    arcs,
    width: random(3) === 0 ? Infinity : 300 + random(700),
    below: 47,
    rightToLeft: random(2) === 1,
  };
}

function overlapping(layout: ArcLayout): string[] {
  const found: string[] = [];
  layout.segments.forEach((a, i) => {
    for (const b of layout.segments.slice(i + 1)) {
      if (a.row !== b.row || a.y !== b.y || a.from === a.to || b.from === b.to) continue;
      if (a.from < b.to && b.from < a.to) found.push(`${a.arc} ${b.arc}`);
    }
  });
  return found;
}

test("no arc lies on another, words stand apart, rows keep their width", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const input = randomInput(seed);
    const layout = layoutArcs(input);
    assert.deepEqual(overlapping(layout), [], `seed ${seed}`);
    layout.words.forEach((word, i) => {
      const next = layout.words[i + 1];
      if (next?.row !== word.row) return;
      const gap = Math.abs(next.x - word.x) - (input.wordWidths[i]! + input.wordWidths[i + 1]!) / 2;
      assert.ok(gap > 8, `seed ${seed}: words ${i + 1} and ${i + 2}`);
      assert.equal(next.x > word.x, !input.rightToLeft);
    });
    for (const { first, last } of layout.rows) {
      const used = layout.words.slice(first - 1, last).map((word, i) => word.x + input.wordWidths[first - 1 + i]! / 2);
      if (last > first) assert.ok(Math.max(...used) <= Math.max(input.width, layout.width));
    }
    if (layout.rows.length > 1)
      assert.ok(layout.width <= input.width || layout.rows.some(({ first, last }) => first === last), `seed ${seed}`);
  }
});

test("every arc has one arrow, at its dependent, and a label", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const input = randomInput(seed);
    const layout = layoutArcs(input);
    input.arcs.forEach((arc, index) => {
      const own = layout.segments.filter((segment) => segment.arc === index);
      const arrows = own.filter(({ arrow }) => arrow !== null);
      assert.equal(arrows.length, 1);
      assert.ok(own.some(({ label }) => label !== null));
      const word = layout.words[arc.dependent - 1]!;
      assert.equal(arrows[0]!.row, word.row);
      assert.ok(
        Math.abs(arrows[0]!.arrow! - word.x) <=
          Math.max(input.wordWidths[arc.dependent - 1]!, 9 * input.arcs.length) / 2,
      );
    });
  }
});

test("every label is clear of its arc's corners, and of the edge of its row", () => {
  for (let seed = 1; seed <= 400; seed++) {
    const input = randomInput(seed);
    const { segments, rows, width } = layoutArcs(input);
    for (const { arc, from, to, label, legs } of segments) {
      const { head, labelWidth } = input.arcs[arc]!;
      if (head === 0 || label === null) continue;
      const corner = (leg: boolean): number => (leg ? 10 + 2.5 + 3 : 0); // the bend, half of the label's halo, a straight piece
      const left = label - labelWidth / 2 - from - corner(legs.from);
      const right = to - corner(legs.to) - label - labelWidth / 2;
      assert.ok(Math.min(left, right) >= 0, `seed ${seed}, arc ${arc}: ${left} ${right} of ${width}, ${rows.length}`);
    }
  }
});

test("no row is left with a word or two: rows could not be narrower without becoming more", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const input = { ...randomInput(seed), width: 500 };
    const { rows, width } = layoutArcs(input);
    if (rows.length === 1) continue;
    const narrower = layoutArcs({ ...input, width: width - 40 });
    assert.ok(narrower.rows.length > rows.length || width > 500, `seed ${seed}: ${rows.length}`);
  }
  // Nine words, of which eight would fit into the first row.
  const wordWidths = Array.from({ length: 9 }, () => 40);
  const { rows } = layoutArcs({ wordWidths, arcs: [], width: 500, below: 40, rightToLeft: false });
  assert.deepEqual(
    rows.map(({ first, last }) => last - first + 1),
    [5, 4],
  );
});

test("trees of the same words have them under each other, row by row", () => {
  for (let seed = 1; seed <= 100; seed++) {
    const first = randomInput(seed);
    const random = randomNumbers(seed + 1000);
    const second = first.arcs.map((arc) => ({ ...arc, labelWidth: 10 + random(80) })).reverse();
    const [a, b] = layoutTogether({ ...first, title: 16 }, [first.arcs, second]);
    assert.deepEqual(a!.words, b!.words);
    for (const layout of [a!, b!]) assert.deepEqual(overlapping(layout), [], `seed ${seed}`);
    a!.rows.forEach((row, r) => {
      const below = b!.rows[r]!;
      const next = a!.rows[r + 1]?.top ?? a!.height;
      assert.ok(row.top < row.base && row.base < below.top && below.top < below.base && below.base < next);
      for (const { y } of a!.segments.filter((segment) => segment.row === r)) assert.ok(y > row.top && y < row.base);
      for (const { y } of b!.segments.filter((segment) => segment.row === r))
        assert.ok(y > below.top && y < below.base);
    });
  }
});

test("right to left is left to right in a mirror", () => {
  for (let seed = 1; seed <= 50; seed++) {
    const input = randomInput(seed);
    const there = layoutArcs({ ...input, rightToLeft: false });
    const back = layoutArcs({ ...input, rightToLeft: true });
    assert.deepEqual(
      back.words.map(({ x }) => Math.round(10 * (there.width - x))),
      there.words.map(({ x }) => Math.round(10 * x)),
    );
  }
});

test("a sentence without words, and a path of one word", () => {
  const empty = layoutArcs({ wordWidths: [], arcs: [], width: 500, below: 40, rightToLeft: false });
  assert.equal(empty.segments.length, 0);
  const one = layoutArcs({
    wordWidths: [30],
    arcs: [{ head: 0, dependent: 1, labelWidth: 20 }],
    width: 500,
    below: 40,
    rightToLeft: false,
  });
  assert.match(segmentPath(one.segments[0]!, one.rows[0]!.base, 4), /^M[\d.]+ [\d.]+V[\d.]+$/);
});

test("phrases stand above their words, and no two share a place", () => {
  const [sentence] = readBrackets(
    "(S (NP (DT a) (NN b)) (VERYLONGLABEL (X c)) (VP (V d) (NP (-NONE- *)) (PP (P e) (NP (N f)))))",
  );
  for (const rightToLeft of [false, true]) {
    const { nodes, width } = layoutPhrases({
      root: sentence!.phrases!,
      labelWidth: (label) => 8 * label.length,
      leafWidth: () => 10,
      rightToLeft,
    });
    for (const node of nodes) {
      const half = 4 * node.phrase.label.length;
      assert.ok(node.x - half >= 0 && node.x + half <= width);
      for (const child of node.children) assert.ok(child.y > node.y);
      for (const other of nodes) {
        if (other === node || other.y !== node.y) continue;
        assert.ok(
          Math.abs(other.x - node.x) >= half + 4 * other.phrase.label.length,
          `${node.phrase.label} ${other.phrase.label}`,
        );
      }
    }
  }
});

test("phrases of two trees have their words in the same places", () => {
  const trees = [
    "(S (NP (DT a) (NN b)) (VP (V d) (NP (-NONE- *)) (PP (P e) (NP (N f)))))",
    "(S (VERYLONGLABEL (DT a)) (NP (NN b) (ANOTHERLONGLABEL (V d))) (X (-NONE- *)) (P e) (LONGESTLABELOFALL (N f)))",
  ];
  for (const rightToLeft of [false, true]) {
    const [a, b] = layoutPhrasesTogether(
      trees.map((text) => ({
        root: readBrackets(text)[0]!.phrases!,
        labelWidth: (label: string) => 8 * label.length,
        leafWidth: () => 10,
        rightToLeft,
      })),
    );
    const places = (layout: typeof a): [number, number][] =>
      layout!.nodes.filter(({ phrase }) => phrase.word).map(({ phrase, x }) => [phrase.word, Math.round(x)]);
    assert.deepEqual(places(a), places(b));
    assert.equal(places(a).length, 5);
    assert.equal(a!.width, b!.width);
  }
});
