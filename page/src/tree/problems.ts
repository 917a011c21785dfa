// What keeps a sentence's heads from being a tree, as espalier/tree/sentence.h tells it: several roots, cycles, heads
// out of range, words without one. O(n).
import type { Problem, Sentence } from "./sentence";

export function treeProblems(sentence: Sentence): Problem[] {
  const problems: Problem[] = [];
  const heads = sentence.words.map((word) => word.head);
  const annotated = heads.filter((head) => head !== null).length;
  if (annotated === 0) return problems;
  heads.forEach((head, index) => {
    const word = index + 1;
    if (head === null) problems.push({ word, message: "has no head although other words do" });
    else if (head > heads.length) problems.push({ word, message: `has head ${head}, past the end of the sentence` });
    else if (head === word) problems.push({ word, message: "is its own head" });
  });
  const roots = heads.flatMap((head, index) => (head === 0 ? [index + 1] : []));
  if (roots.length === 0 && annotated === heads.length) problems.push({ word: 0, message: "no word is the root" });
  for (const word of roots.slice(1)) problems.push({ word, message: `is a second root beside word ${roots[0]}` });
  for (const word of cycles(heads)) problems.push({ word, message: "is its own ancestor: the heads go in a circle" });
  return problems;
}

/** One word of each circle of two or more. */
function cycles(heads: readonly (number | null)[]): number[] {
  const seenBy = new Int32Array(heads.length + 1); // the walk that came by first
  const found: number[] = [];
  for (let start = 1; start <= heads.length; start++) {
    let at = start;
    while (at >= 1 && at <= heads.length && seenBy[at] === 0) {
      seenBy[at] = start;
      at = heads[at - 1] ?? 0;
    }
    if (at >= 1 && at <= heads.length && seenBy[at] === start && heads[at - 1] !== at) found.push(at);
  }
  return found;
}
