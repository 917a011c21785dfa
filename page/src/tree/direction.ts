// Which way a text runs: as its first strong letter does, as browsers and espalier/format/draw/text_width.cc decide it.
import type { Sentence } from "./sentence";

const STRONG = /\p{L}/u;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function readsRightToLeft(sentence: Sentence): boolean {
  for (const { form } of sentence.words) {
    for (const letter of form) {
      if (STRONG.test(letter)) return RIGHT_TO_LEFT.test(letter);
    }
  }
  return false;
}
