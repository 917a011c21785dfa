// The details of a word, for the card beside the pointer and for the inspector.
import { DOUBT } from "../tree/confidence";
import { formOf, pairsOf, said, wordAt, type Sentence } from "../tree/sentence";
import { explainFeature, explainRelation, explainUpos, explainXpos } from "../tree/names";
import { h } from "../draw/dom";
import type { Decision } from "../parser_link";

/** `decided`: what a reader decided about the word. */
export function wordDetails(sentence: Sentence, i: number, decided?: Decision): HTMLElement {
  const word = wordAt(sentence, i);
  const rows = h("dl", { class: "facts" });
  const add = (name: string, value: string, meaning = ""): void => {
    if (!value) return;
    rows.append(
      h("dt", {}, name),
      h("dd", {}, h("bdi", { class: "value" }, value), meaning ? h("span", { class: "meaning" }, meaning) : null),
    );
  };
  add("Lemma", said(word.lemma));
  add("Tag", said(word.upos), explainUpos(word.upos));
  if (word.xpos !== word.upos) add("Fine tag", said(word.xpos), explainXpos(word.xpos));
  for (const [name, value] of pairsOf(word.feats)) add(name, value || "yes", explainFeature(name, value));
  if (word.head !== null) {
    add("Relation", said(word.deprel) || "–", explainRelation(word.deprel));
    if (word.head > 0) add("Head", formOf(sentence, word.head), `word ${word.head}`);
  }
  const parts: Node[] = [h("h3", {}, h("bdi", {}, word.form), h("small", {}, `word ${i}`)), rows];
  if (word.confidence !== undefined) parts.push(confidenceMeter(word.confidence));
  if (decided && decided.head !== null) parts.push(h("p", { class: "quiet" }, "You decided this arc."));
  for (const { message } of sentence.problems.filter((problem) => problem.word === i)) {
    parts.push(h("p", { class: "problem" }, `This word ${message}.`));
  }
  return h("div", { class: "details" }, ...parts);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(share > 0.995 && share < 1 ? 1 : 0)} %`;
}

/** What is said of all scores that are shown. */
export const POINTS = "Points are the model’s own score of trees and actions, not a probability.";

/** How far from the best something is; `best` if it is that. */
export function distanceText(behind: number, best = "best"): string {
  return behind < 1e-9 ? best : `${short(behind)} points less`;
}

/** A score in few figures. */
export function short(value: number): string {
  return String(Math.abs(value) < 10 ? Number(value.toPrecision(2)) : Math.round(value)).replace("-", "−");
}

export function confidenceMeter(confidence: number): HTMLElement {
  const value = Math.max(0, Math.min(1, confidence));
  const bar = h("span", { class: "bar" });
  bar.style.inlineSize = `${100 * value}%`;
  return h(
    "div",
    { class: value < DOUBT ? "confidence low" : "confidence", title: "that head and relation are right" },
    h("span", {}, "Confidence"),
    h("span", { class: "meter", "aria-hidden": "true" }, bar),
    h("span", {}, percent(value)),
  );
}
