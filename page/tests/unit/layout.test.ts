import assert from "node:assert/strict";
import { test } from "node:test";
import { readBrackets } from "../../src/format/brackets";
import { layoutArcs, segmentPath, type ArcInput, type ArcLayout } from "../../src/layout/arcs";
import { layoutPhrases } from "../../src/layout/phrases";

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

test("in one row every label fits its arc", () => {
  for (let seed = 1; seed <= 200; seed++) {
    const input = { ...randomInput(seed), width: Infinity };
    for (const { arc, from, to } of layoutArcs(input).segments) {
      if (input.arcs[arc]!.head !== 0) assert.ok(to - from >= input.arcs[arc]!.labelWidth + 20);
    }
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
