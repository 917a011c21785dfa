// The panel of one word: its details, alternatives of the parser, and controls to decide its head, relation
// and tag. It belongs to the card whose word it shows, and goes when that card goes.
import type { ArcChoice } from "../tree/analysis";
import { formOf, said, wordAt, type Sentence } from "../tree/sentence";
import { explainRelation, RELATION_NAMES, UPOS_NAMES, explainUpos } from "../tree/names";
import { button, h, present, uniqueId, type Child } from "../draw/dom";
import type { Decision } from "../parser_link";
import { distanceText, POINTS, wordDetails } from "./details";

export interface Subject {
  owner: object; // the card
  sentence: Sentence;
  word: number;
  /** The word's alternatives in the k-best list; missing if there is no parser. */
  choices?: (() => Promise<ArcChoice[]>) | undefined;
  /** Parses again with the decision, or without one if it is null. */
  decide?: ((decision: Decision | null) => void) | undefined;
  decided: Decision | undefined;
  tags: boolean; // a tag can be decided, too
  /** Makes the next word that is pressed in the tree the head. */
  pick?: (() => void) | undefined;
  closed(): void;
  /** Brings the keyboard back to the word. */
  focus(): void;
}

const NOTHING: Decision = { head: null, label: null, tag: null };

export class Inspector {
  readonly element = h("section", { class: "inspector", "aria-label": "About the word", tabindex: -1, hidden: true });
  private subject: Subject | null = null;
  private readonly relations = h(
    "datalist",
    { id: uniqueId("relations") },
    ...RELATION_NAMES.map((name) => h("option", { value: name }, explainRelation(name))),
  );

  constructor() {
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /** `takeFocus`: the keyboard's attention comes along. */
  show(subject: Subject, takeFocus = false): void {
    this.subject?.closed();
    this.subject = subject;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = false;
    document.body.classList.add("inspecting");
    this.element.replaceChildren(
      button("×", () => this.close(), { class: "close", "aria-label": "Close" }),
      wordDetails(subject.sentence, subject.word, subject.decided),
      ...present([...this.choiceSection(subject), ...this.decideSection(subject)]),
    );
    if (hadFocus || takeFocus) this.element.focus();
  }

  close(): void {
    const { subject } = this;
    this.dismiss();
    subject?.focus();
  }

  /** Closes what is about a card that goes; the keyboard stays where it is. */
  leave(owner: object): void {
    if (this.subject?.owner === owner) this.dismiss();
  }

  /** Closes the panel; the keyboard stays where it is. */
  dismiss(): void {
    const { subject } = this;
    this.subject = null;
    this.element.hidden = true;
    document.body.classList.remove("inspecting");
    subject?.closed();
  }

  private choiceSection({ sentence, word, choices, decide, decided }: Subject): Child[] {
    if (!choices) return [];
    const list = h("ul", { class: "choices" }, h("li", { class: "quiet" }, "Asking the parser…"));
    const subject = this.subject;
    choices().then(
      (all) => {
        if (this.subject !== subject) return;
        const use = decide && ((head: number, label: string) => decide({ ...(decided ?? NOTHING), head, label }));
        list.replaceChildren(...all.map((choice) => choiceRow(sentence, word, choice, use)));
        if (all.length < 2) list.append(h("li", { class: "quiet" }, "The parser thought of no other head."));
      },
      (error: Error) => list.replaceChildren(h("li", { class: "problem" }, error.message)),
    );
    return [h("h4", {}, "What else it could be"), list];
  }

  private decideSection({ sentence, word, decide, decided = NOTHING, tags, pick }: Subject): Child[] {
    if (!decide) return [];
    const { head, upos } = wordAt(sentence, word);
    const open = (now: string): string => (now ? `left to the parser (${now})` : "left to the parser");
    const fields: HTMLElement[] = [];
    const field = (name: string, input: HTMLElement): void => {
      input.id = uniqueId("decide");
      fields.push(h("label", { for: input.id }, name), input);
    };
    const heads = h("select", {}, h("option", { value: "" }, open(head === null ? "" : formOf(sentence, head))));
    for (let i = 0; i <= sentence.words.length; i++) {
      if (i === word) continue;
      const text = i === 0 ? "none: it is the root" : `${i}  ${formOf(sentence, i)}`;
      heads.append(h("option", { value: i, selected: i === decided.head }, text));
    }
    const label = h("input", {
      type: "text",
      placeholder: "left to the parser",
      list: this.relations.id,
      autocapitalize: "off",
      spellcheck: "false",
      size: 10,
      value: decided.label ?? "",
    });
    const tag = h("select", {}, h("option", { value: "" }, open(said(upos))));
    for (const name of UPOS_NAMES)
      tag.append(h("option", { value: name, selected: name === decided.tag }, `${name}  ${explainUpos(name)}`));
    field("Head", heads);
    field("Relation", label);
    if (tags) field("Tag", tag);
    const submit = (event: Event): void => {
      event.preventDefault();
      const relation = label.value.trim() || null;
      // A relation alone is one to the head that the word has.
      const chosen = heads.value !== "" ? Number(heads.value) : relation ? head : null;
      const decision = { head: chosen, label: relation, tag: tag.value || null };
      decide(decision.head === null && decision.tag === null ? null : decision);
    };
    return [
      h("h4", {}, "Decide it yourself"),
      h(
        "form",
        { class: "decide", submit },
        ...fields,
        this.relations,
        h(
          "div",
          { class: "row" },
          h("button", { type: "submit", class: "primary" }, "Parse again"),
          pick ? button("Pick the head in the tree", pick) : null,
          decided !== NOTHING ? button("Release", () => decide(null)) : null,
        ),
      ),
    ];
  }
}

function choiceRow(
  sentence: Sentence,
  word: number,
  choice: ArcChoice,
  use: ((head: number, label: string) => void) | undefined,
): HTMLLIElement {
  const { head, deprel } = wordAt(sentence, word);
  const current = head === choice.head && deprel === choice.label;
  const label = said(choice.label) || "dependent";
  return h(
    "li",
    { class: current ? "current" : "" },
    h(
      "span",
      { class: "what" },
      h("b", { title: explainRelation(choice.label) }, label),
      ...(choice.head === 0 ? [] : [" of ", h("bdi", {}, formOf(sentence, choice.head))]),
    ),
    h("span", { class: "score", title: `of the best tree with this arc. ${POINTS}` }, distanceText(choice.behind)),
    use && !current
      ? button("Use", () => use(choice.head, choice.label), {
          "aria-label": `Use ${label} of ${formOf(sentence, choice.head)}`,
        })
      : null,
  );
}
