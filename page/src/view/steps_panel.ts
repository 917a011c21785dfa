// Step by step through the parser: stack, buffer, the tree so far, and the action that was taken beside those that were
// not. For graph parsers: the arcs that scored best for each word.
import { copyOf, formOf, spanText, wordAt, type Sentence } from "../tree/sentence";
import {
  arcsBefore,
  buildsPhrases,
  phrasesBefore,
  type Action,
  type ScoredArc,
  type StackItem,
  type Step,
  type Trace,
} from "../tree/trace";
import { drawArcs } from "../draw/arcs";
import { drawPhrases } from "../draw/phrases";
import { button, h, uniqueId } from "../draw/dom";
import { shown } from "../draw/text";
import { distanceText, POINTS, short } from "./details";
import { makeStill } from "./kbest_panel";

export function stepsPanel(sentence: Sentence, trace: Trace | null, width: () => number): HTMLElement {
  if (trace?.kind === "transition" && trace.steps.length > 0)
    return new Stepper(sentence, trace, trace.steps, width).element;
  if (trace?.kind === "graph" && trace.arcs.length > 0) return arcTable(sentence, trace, trace.arcs);
  return h("p", { class: "quiet" }, "This model does not tell how it came to its tree.");
}

type About = Pick<Trace, "system" | "whose">;

/** The parser whose steps are shown, if a model has several. */
function owner({ whose }: About): HTMLElement | null {
  return whose ? h("p", { class: "quiet owner" }, `Of ${whose}.`) : null;
}

class Stepper {
  readonly element: HTMLElement;
  private at = 0;
  private readonly slider: HTMLInputElement;
  private readonly place = h("output", { class: "quiet" });
  private readonly body = h("div", { class: "step-body", "aria-live": "polite" });
  private readonly back: HTMLButtonElement;
  private readonly on: HTMLButtonElement;

  private readonly sentence: Sentence;
  private readonly phrases: boolean;
  private readonly scale: number;
  private readonly buffers: boolean; // an agenda has none

  constructor(
    sentence: Sentence,
    about: About,
    private readonly steps: readonly Step[],
    private readonly width: () => number,
  ) {
    this.sentence = copyOf(sentence);
    this.phrases = buildsPhrases(steps);
    this.scale = scaleOf(steps.map(({ actions }) => actions));
    this.buffers = steps.some(({ buffer }) => buffer.length > 0);
    for (const word of this.sentence.words) word.confidence = undefined; // that is about the finished tree
    const id = uniqueId("step");
    this.slider = h("input", {
      id,
      type: "range",
      min: 0,
      max: steps.length,
      value: 0,
      input: () => this.go(this.slider.valueAsNumber),
    });
    this.back = button("‹", () => this.go(this.at - 1), { "aria-label": "Previous step" });
    this.on = button("›", () => this.go(this.at + 1), { "aria-label": "Next step" });
    this.element = h(
      "div",
      { class: "steps" },
      h(
        "div",
        { class: "step-bar" },
        h("label", { for: id }, `Steps of ${about.system || "the parser"}`),
        this.back,
        this.slider,
        this.on,
        this.place,
      ),
      owner(about),
      this.body,
    );
    this.go(0);
  }

  private go(step: number): void {
    this.at = Math.max(0, Math.min(step, this.steps.length));
    this.slider.value = String(this.at);
    this.back.disabled = this.at === 0;
    this.on.disabled = this.at === this.steps.length;
    this.place.textContent = `${this.at} / ${this.steps.length}`;
    const state = this.steps[this.at];
    const drawing = this.drawing(state);
    makeStill(drawing);
    this.body.replaceChildren(
      state ? this.stateView(state) : h("p", { class: "quiet" }, "Nothing is left to do: this is the tree."),
      h("div", { class: "canvas" }, drawing),
      ...(state ? [actionTable(this.sentence, state, this.scale)] : []),
    );
  }

  /** The tree so far. Words that are still on the stack stand out. */
  private drawing(state: Step | undefined): SVGSVGElement {
    if (this.phrases) {
      const children = phrasesBefore(this.sentence, this.steps, this.at);
      const root = state ? null : this.sentence.phrases;
      const tree = { sentence: this.sentence, root: root ?? { label: "", children, word: 0, trace: "" } };
      return drawPhrases([tree], this.width())[0] as SVGSVGElement;
    }
    const found = new Set(state?.stack.flatMap(({ label, first }) => (label ? [] : [first])) ?? []);
    const all = arcsBefore(this.steps, this.steps.length); // words stay where they will be
    const arcs = arcsBefore(this.steps, this.at);
    return drawArcs([{ sentence: this.sentence, arcs, room: all.slice(arcs.length), marks: { found } }], this.width());
  }

  private stateView({ stack, buffer }: Step): HTMLElement {
    const chips = (items: HTMLElement[], end: "start" | "end"): HTMLElement =>
      h("div", { class: `chips ${end}` }, ...(items.length > 0 ? items : [h("span", { class: "quiet" }, "empty")]));
    const shownBuffer = buffer
      .slice(0, 12)
      .map((word) => h("bdi", { class: "chip" }, shown(formOf(this.sentence, word), 24)));
    if (buffer.length > 12) shownBuffer.push(h("span", { class: "quiet" }, `… ${buffer.length - 12} more`));
    const items = (this.buffers ? stack.slice(-12) : stack).map((item) => this.stackChip(item));
    if (!this.buffers) return h("div", {}, h("h4", {}, "Items"), chips(items, "start"));
    return h(
      "div",
      { class: "state" },
      h("div", {}, h("h4", {}, "Stack"), chips(items, "end")),
      h("div", {}, h("h4", {}, "Buffer"), chips(shownBuffer, "start")),
    );
  }

  private stackChip({ label, first, last }: StackItem): HTMLElement {
    const words = h("bdi", {}, shown(spanText(this.sentence, first, last), 30));
    return h("span", { class: "chip" }, label ? h("b", {}, shown(label), " ") : null, words);
  }
}

function actionTable(sentence: Sentence, { actions, taken, forced }: Step, scale: number): HTMLElement {
  if (forced) return h("p", { class: "quiet" }, `${actionText(sentence, actions[taken])}: nothing else was possible.`);
  const best = Math.max(...actions.map((action) => action.score));
  const rows = actions.map((action, i) => {
    const behind = best - action.score;
    const note = i !== taken ? "" : behind > 0 ? "taken: the beam saw farther" : "taken";
    return scoreRow(actionText(sentence, action), behind, scale, i === taken, note);
  });
  return h(
    "div",
    {},
    h("ol", { class: "scores", "aria-label": "Actions" }, ...rows),
    h(
      "p",
      { class: "quiet bars" },
      `${POINTS} In this sentence the second action usually has ${short(scale)} less: with much less between them, a decision was close.`,
    ),
  );
}

function actionText(sentence: Sentence, action: Action | undefined): string {
  if (!action) return "–";
  const { move, label, arc, span } = action;
  const built = arc
    ? `: ${formOf(sentence, arc.head)} → ${formOf(sentence, arc.dependent)}`
    : span
      ? `: ${spanText(sentence, span.first, span.last)}`
      : "";
  return [move, label].filter(Boolean).join(" ") + built;
}

/** The median distance from the best to the second score, the unit for telling close decisions from clear ones. */
function scaleOf(lists: readonly (readonly { score: number }[])[]): number {
  const gaps = lists
    .map((list) => list.map(({ score }) => score).sort((a, b) => b - a))
    .flatMap(([first, second]) =>
      first !== undefined && second !== undefined && first > second ? [first - second] : [],
    )
    .sort((a, b) => a - b);
  return gaps[Math.floor(gaps.length / 2)] ?? 1;
}

/** The bar is full for the best, and shrinks to a quarter with each usual distance. */
function scoreRow(text: string, behind: number, scale: number, strong: boolean, note: string): HTMLElement {
  const bar = h("span", { class: "bar" });
  bar.style.inlineSize = `${Math.max(1, 100 * 4 ** (-behind / scale)).toFixed(1)}%`;
  return h(
    "li",
    { class: strong ? "taken" : "" },
    h("bdi", { class: "what" }, shown(text, 90)),
    h("span", { class: "meter", "aria-hidden": "true" }, bar),
    h("span", { class: "score" }, distanceText(behind)),
    note ? h("span", { class: "quiet" }, note) : null,
  );
}

function arcTable(sentence: Sentence, about: About, arcs: readonly ScoredArc[]): HTMLElement {
  const byWord = sentence.words.map((_, i) =>
    arcs.filter((arc) => arc.dependent === i + 1).sort((a, b) => b.score - a.score),
  );
  const scale = scaleOf(byWord);
  const groups = byWord.map((own, i) =>
    own.length === 0
      ? null
      : h(
          "section",
          {},
          h("h4", {}, h("bdi", {}, wordAt(sentence, i + 1).form)),
          h(
            "ol",
            { class: "scores" },
            ...own.map((arc) =>
              scoreRow(
                arc.head === 0 ? arc.label : `${arc.label} of ${formOf(sentence, arc.head)}`,
                Math.max(0, -arc.score),
                scale,
                arc.chosen,
                arc.chosen ? "in the tree" : "",
              ),
            ),
          ),
        ),
  );
  return h(
    "div",
    { class: "arc-table" },
    h(
      "p",
      { class: "quiet" },
      `The best arcs that ${about.system || "the parser"} saw for each word, and the score of the best tree with the arc. ${POINTS}`,
    ),
    owner(about),
    h("div", { class: "columns" }, ...groups),
  );
}
