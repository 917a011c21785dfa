// The panel about one word: what is known of it, what else the parser thought of, and a way to decide its head.
import type { ArcChoice } from "../tree/analysis";
import { formOf, said, wordAt, type Sentence } from "../tree/sentence";
import { explainRelation } from "../tree/names";
import { button, h, present, uniqueId, type Child } from "../draw/dom";
import { short, wordDetails } from "./details";

export interface Subject {
  sentence: Sentence;
  word: number;
  /** What a k-best list says about the word; missing where there is no parser to ask. */
  choices?: (() => Promise<ArcChoice[]>) | undefined;
  /** Parses again with the head decided, or with null left to the parser again. */
  fix?: ((head: number | null, label: string | null) => void) | undefined;
  fixed: boolean;
  /** Lets the next word that is pressed in the tree be the head. */
  pick?: (() => void) | undefined;
  closed(): void;
  /** Brings the keyboard back to the word. */
  focus(): void;
}

export class Inspector {
  readonly element = h("aside", { class: "inspector", "aria-label": "About the word", hidden: true });
  private subject: Subject | null = null;

  constructor() {
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  show(subject: Subject): void {
    this.subject?.closed();
    this.subject = subject;
    this.element.hidden = false;
    document.body.classList.add("inspecting");
    this.element.replaceChildren(
      button("×", () => this.close(), { class: "close", "aria-label": "Close" }),
      wordDetails(subject.sentence, subject.word),
      ...present([...this.headSection(subject), ...this.choiceSection(subject)]),
    );
  }

  close(): void {
    if (!this.subject) return;
    const { subject } = this;
    this.subject = null;
    this.element.hidden = true;
    document.body.classList.remove("inspecting");
    subject.closed();
    subject.focus();
  }

  private choiceSection({ sentence, word, choices, fix }: Subject): Child[] {
    if (!choices) return [];
    const list = h("ul", { class: "choices" }, h("li", { class: "quiet" }, "Asking the parser…"));
    const subject = this.subject;
    choices().then(
      (all) => {
        if (this.subject !== subject) return;
        list.replaceChildren(...all.map((choice) => choiceRow(sentence, word, choice, fix)));
        if (all.length < 2) list.append(h("li", { class: "quiet" }, "The parser thought of no other head."));
      },
      (error: Error) => list.replaceChildren(h("li", { class: "problem" }, error.message)),
    );
    return [h("h4", {}, "Alternatives"), list];
  }

  private headSection({ sentence, word, fix, fixed, pick }: Subject): Child[] {
    if (!fix) return [];
    const headId = uniqueId("head");
    const labelId = uniqueId("label");
    const { head, deprel } = wordAt(sentence, word);
    const heads = h("select", { id: headId });
    for (let i = 0; i <= sentence.words.length; i++) {
      if (i !== word)
        heads.append(
          h("option", { value: i, selected: i === head }, i === 0 ? "ROOT" : `${i}  ${formOf(sentence, i)}`),
        );
    }
    const label = h("input", {
      id: labelId,
      type: "text",
      placeholder: "any",
      autocapitalize: "off",
      spellcheck: "false",
      size: 10,
    });
    if (fixed) label.value = said(deprel);
    const decide = (event: Event): void => {
      event.preventDefault();
      fix(Number(heads.value), label.value.trim() || null);
    };
    return [
      h("h4", {}, "Decide the head"),
      h(
        "form",
        { class: "decide", submit: decide },
        h("label", { for: headId }, "Head"),
        heads,
        h("label", { for: labelId }, "Relation"),
        label,
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: "primary" }, "Fix and parse again"),
          pick ? button("Pick in the tree", pick) : null,
          fixed ? button("Release", () => fix(null, null)) : null,
        ),
      ),
    ];
  }
}

function choiceRow(sentence: Sentence, word: number, choice: ArcChoice, fix: Subject["fix"]): HTMLLIElement {
  const { head, deprel } = wordAt(sentence, word);
  const current = head === choice.head && deprel === choice.label;
  const behind = choice.behind < 1e-9 ? "best" : short(-choice.behind);
  const trees = choice.count === 1 ? "in 1 tree" : `in ${choice.count} trees`;
  return h(
    "li",
    { class: current ? "current" : "" },
    h(
      "span",
      { class: "what" },
      h("b", { title: explainRelation(choice.label) }, said(choice.label) || "–"),
      " ← ",
      h("bdi", {}, formOf(sentence, choice.head)),
    ),
    h("span", { class: "score" }, `${behind}, ${trees}`),
    fix && !current
      ? button("Fix", () => fix(choice.head, choice.label), {
          "aria-label": `Fix ${choice.label} from ${formOf(sentence, choice.head)}`,
        })
      : null,
  );
}
