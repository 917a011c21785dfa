// A sentence with its trees and the functions for them. Beside it another analysis of the same words, if there are two
// files.
import { choicesFor, type Analysis } from "../tree/analysis";
import { compare, differs, f1, phrasesNotIn, type Comparison } from "../tree/compare";
import { DOUBT, doubtfulPhrases, doubtfulWords, spanOf } from "../tree/confidence";
import { readsRightToLeft } from "../tree/direction";
import {
  commentValue,
  formOf,
  hasHeads,
  spanText,
  textOf,
  wordAt,
  wordsOf,
  type Phrase,
  type Sentence,
} from "../tree/sentence";
import { drawArcs, type ArcTree } from "../draw/arcs";
import { drawPhrases } from "../draw/phrases";
import { button, h, type Child } from "../draw/dom";
import { shown } from "../draw/text";
import type { Decision, Decisions, ParserLink } from "../parser_link";
import { percent, wordDetails } from "./details";
import type { HoverCard } from "./hover_card";
import type { Inspector } from "./inspector";
import { kbestPanel } from "./kbest_panel";
import { saveMenu } from "./save_menu";
import { stepsPanel } from "./steps_panel";
import { listen, moveTo } from "./tree_events";

/** Shared by all cards. */
export interface Surroundings {
  hover: HoverCard;
  inspector: Inspector;
  parser(): ParserLink | null;
  wrap(): boolean;
  say(message: string): void;
}

export interface CardContent {
  number: number; // of the sentence, from 1
  sentence: Sentence;
  name: string; // of its file, "" for typed text
  language: string; // a code such as "en", "" if it is not known
  other?: { sentence: Sentence; name: string } | undefined;
  found?: ReadonlySet<number> | undefined;
}

type Panel = "list" | "steps";
const DRAWER_PADDING = 32; // as in style.css
const MOST_DOUBTS = 12; // that are named

/** A doubtful arc or phrase, and what shows more about it. */
interface Doubt {
  name: string;
  confidence: number | undefined;
  show(press: MouseEvent): void;
}

export class Card {
  readonly element = h("article", { class: "card" });
  sentence: Sentence;
  private readonly parser: ParserLink | null;
  private readonly decided = new Map<number, Decision>();
  private readonly badge = h("span", { class: "badge" });
  private readonly trees = h("div", { class: "trees" });
  private readonly doubts = h("p", { class: "doubts" });
  private readonly decisionBar = h("div", { class: "decision-bar", hidden: true });
  private readonly drawer = h("div", { class: "drawer", hidden: true });
  private panel: Panel | null = null;
  private list: Promise<Analysis[]> | null = null; // of the sentence as it is
  private picking = 0; // the word whose head is being picked
  private selected = 0;

  constructor(
    private readonly around: Surroundings,
    private readonly content: CardContent,
  ) {
    this.sentence = content.sentence;
    this.parser = around.parser();
    this.element.append(this.header(), this.trees, this.doubts, this.decisionBar, this.drawer);
    this.element.setAttribute("aria-label", `Sentence ${content.number}`);
    if (content.language) this.element.lang = content.language;
  }

  /** To be called when the card leaves the page: closes the panels about its words. */
  leave(): void {
    this.around.inspector.leave(this);
    this.around.hover.hide();
  }

  /** To be called when the card has its place on the page, and when that changes its width. */
  draw(): void {
    const { other, name } = this.content;
    const focused = this.trees.contains(document.activeElement) ? this.focusedWord() : 0;
    const comparison = other ? compare(this.sentence, other.sentence) : null;
    const views: View[] = [{ sentence: this.sentence, name: "", own: true }];
    // Two trees that are the same are drawn once.
    if (other && comparison && differs(comparison)) {
      views.splice(0, 1, { ...(views[0] as View), name }, { sentence: other.sentence, name: other.name, own: false });
    }
    this.trees.replaceChildren(
      ...this.sentence.problems
        .filter(({ word }) => word === 0)
        .map(({ message }) => h("p", { class: "problem" }, `${message}.`)),
      // Words that are not the same cannot stand under each other.
      ...(comparison?.comparable === false
        ? views.flatMap((view) => this.drawings([view], comparison))
        : this.drawings(views, comparison)),
    );
    this.mark();
    this.showDoubts(comparison);
    if (focused) this.focusWord(focused); // restore the focus after redrawing
  }

  focusWord(word: number): void {
    const tree = this.trees.querySelector<SVGGraphicsElement>("g.layer, svg.constituents");
    if (tree) moveTo(tree, word);
  }

  private focusedWord(): number {
    return Number((document.activeElement as SVGElement | null)?.dataset["word"] ?? 0);
  }

  private width(): number {
    return this.around.wrap() ? Math.max(280, this.trees.clientWidth) : Infinity;
  }

  private header(): HTMLElement {
    const { number, sentence } = this.content;
    const id = commentValue(sentence, "sent_id");
    return h(
      "header",
      {},
      h("span", { class: "number", title: id ?? "" }, String(number)),
      h("p", { class: "text", dir: "auto" }, shown(textOf(sentence), 600)),
      this.badge,
      h("div", { class: "tools" }, ...this.tools()),
    );
  }

  private tools(): Child[] {
    const { parser } = this;
    const toggle = (panel: Panel, label: string): HTMLButtonElement =>
      button(label, () => void this.toggle(panel), {
        class: "quiet-button",
        "aria-expanded": "false",
        "data-panel": panel,
      });
    return [
      parser?.hasList ? toggle("list", "Alternatives") : null,
      parser?.hasTrace ? toggle("steps", "Steps") : null,
      saveMenu(
        () => this.sentence,
        this.content.number,
        () => this.trees.querySelector("svg.tree"),
      ),
    ];
  }

  /** The number of doubtful arcs or phrases and what they are; if there are two files, their comparison. */
  private showDoubts(comparison: Comparison | null): void {
    const arcs = comparison ? null : this.doubtfulArcs();
    const doubts = arcs ?? (comparison ? null : this.doubtfulPhrases());
    this.badge.hidden = !comparison && !doubts;
    this.doubts.hidden = !doubts || doubts.length === 0;
    if (comparison) {
      this.badge.className = differs(comparison) ? "badge bad" : "badge good";
      this.badge.textContent = scores(comparison);
    }
    if (!doubts) return;
    const what = arcs ? "arc" : "phrase";
    this.badge.className = doubts.length > 0 ? "badge doubtful" : "badge good";
    this.badge.textContent = doubts.length === 1 ? `1 doubtful ${what}` : `${doubts.length || "no"} doubtful ${what}s`;
    const more = doubts.length - MOST_DOUBTS;
    this.doubts.replaceChildren(
      h("span", { class: "legend" }, h("i", { class: "stroke doubtful" }), `less than ${percent(DOUBT)} sure:`),
      ...doubts.slice(0, MOST_DOUBTS).map(({ name, confidence, show }) => {
        const chip = button("", show, { class: "chip" });
        chip.append(h("bdi", {}, shown(name, 30)), h("span", { class: "quiet" }, percent(confidence ?? 0)));
        return chip;
      }),
      more > 0 ? `and ${more} more` : "",
    );
  }

  private doubtfulArcs(): Doubt[] | null {
    const { sentence } = this;
    const words = doubtfulWords(sentence);
    return (
      words &&
      words.map((word) => ({
        name: formOf(sentence, word),
        confidence: wordAt(sentence, word).confidence,
        show: (press) => this.inspect(this.sentence, word, true, press.detail === 0),
      }))
    );
  }

  private doubtfulPhrases(): Doubt[] | null {
    const phrases = doubtfulPhrases(this.sentence);
    return (
      phrases &&
      phrases.map((phrase) => {
        const words = wordsOf(phrase);
        return {
          name: `${phrase.label} ${spanText(this.sentence, words[0] ?? 0, words.at(-1) ?? 0)}`,
          confidence: phrase.confidence,
          show: () => this.point(phrase),
        };
      })
    );
  }

  /** Marks a doubtful phrase in the tree. */
  private point(phrase: Phrase): void {
    this.around.inspector.dismiss();
    this.mark();
    for (const element of this.trees.querySelectorAll<SVGGElement>(`.doubtful[data-span="${spanOf(phrase)}"]`)) {
      if (element.dataset["phrase"] !== phrase.label) continue;
      element.classList.add("selected");
      element.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }

  /** One drawing of all arcs, one of each constituent tree. */
  private drawings(views: readonly View[], comparison: Comparison | null): Node[] {
    const { found } = this.content;
    const retagged = comparison?.wrongTags;
    const parts: Node[] = [];
    const arcs = views.filter(({ sentence }) => hasHeads(sentence) || !sentence.phrases);
    if (arcs.some(({ sentence }) => sentence.words.length > 0)) {
      const trees = arcs.map(({ sentence, name, own }): ArcTree => {
        const broken = new Set(sentence.problems.map(({ word }) => word));
        const fixed = new Set(own ? this.decided.keys() : []);
        return { sentence, name, marks: { different: comparison?.wrongWords, retagged, found, broken, fixed } };
      });
      const drawing = drawArcs(trees, this.width());
      drawing.querySelectorAll<SVGGElement>("g.layer").forEach((layer, i) => this.listen(layer, arcs[i] as View));
      parts.push(h("div", { class: "canvas" }, drawing));
    }
    const phrases = views.filter((view): view is PhraseView => view.sentence.phrases !== null);
    const drawings = drawPhrases(
      phrases.map(({ sentence }, i) => {
        const against = phrases[1 - i]?.sentence.phrases;
        const different = comparison?.comparable && against ? phrasesNotIn(sentence.phrases, against) : undefined;
        return { sentence, root: sentence.phrases, marks: { different, found, retagged } };
      }),
      this.trees.clientWidth,
    );
    drawings.forEach((drawing, i) => this.listen(drawing, phrases[i] as View));
    // In one place, so that they scroll together.
    const named = drawings.flatMap((drawing, i) => {
      const name = phrases[i]?.name;
      return [...(name ? [h("p", { class: "file-name" }, shown(name))] : []), drawing];
    });
    if (named.length > 0) parts.push(h("div", { class: "canvas" }, ...named));
    return parts;
  }

  private listen(drawing: SVGGraphicsElement, { sentence, own }: View): void {
    const { hover } = this.around;
    const canDecide = own && this.parser?.makesArcs === true;
    listen(drawing, readsRightToLeft(sentence), {
      hover: (word, target) =>
        hover.show(wordDetails(sentence, word, own ? this.decided.get(word) : undefined), target),
      leave: () => hover.hide(),
      select: (word, byKey) => (this.picking && own ? this.pick(word) : this.inspect(sentence, word, own, byKey)),
      headOf: (word) => wordAt(sentence, word).head ?? 0,
      dependentOf: (word) => sentence.words.findIndex(({ head }) => head === word) + 1,
      drop: canDecide ? (dependent, head) => this.decideHead(dependent, head) : undefined,
    });
  }

  private inspect(sentence: Sentence, word: number, own: boolean, takeFocus: boolean): void {
    this.around.hover.hide();
    const parser = own && this.parser?.makesArcs ? this.parser : null;
    this.around.inspector.show(
      {
        owner: this,
        sentence,
        word,
        decided: own ? this.decided.get(word) : undefined,
        tags: parser?.makesTags === true,
        choices: parser?.hasList ? async () => choicesFor(await this.alternatives(parser), word) : undefined,
        decide: parser ? (decision) => void this.decide(word, decision) : undefined,
        pick: parser ? () => this.startPicking(word) : undefined,
        closed: () => {
          this.selected = this.picking = 0;
          this.mark();
        },
        focus: () => this.focusWord(word),
      },
      takeFocus,
    );
    this.selected = word;
    this.mark();
    this.trees.querySelector(`[data-word="${word}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  private startPicking(word: number): void {
    this.picking = word;
    this.around.say(`Press the word that is the head of “${shown(formOf(this.sentence, word))}”.`);
    this.mark();
    this.focusWord(word);
  }

  private pick(head: number): void {
    const word = this.picking;
    this.picking = 0;
    if (head !== word) this.decideHead(word, head);
    this.mark();
  }

  private mark(): void {
    this.element.classList.toggle("picking", this.picking > 0);
    for (const element of this.trees.querySelectorAll(".selected")) element.classList.remove("selected");
    if (!this.selected) return;
    const own = `[data-word="${this.selected}"], [data-dependent="${this.selected}"]`;
    for (const element of this.trees.querySelectorAll(own)) element.classList.add("selected");
  }

  private alternatives(parser: ParserLink): Promise<Analysis[]> {
    this.list ??= parser.list(this.sentence, this.decided);
    return this.list;
  }

  private decideHead(word: number, head: number): void {
    void this.decide(word, { head, label: null, tag: this.decided.get(word)?.tag ?? null });
  }

  /** Parses again with the decision about the word, or without one if it is null. A decision that fails is
   * undone. */
  private async decide(word: number, decision: Decision | null): Promise<void> {
    const { parser } = this;
    if (!parser || !this.element.isConnected) return;
    const before = new Map(this.decided);
    if (decision === null) this.decided.delete(word);
    else this.decided.set(word, decision);
    this.element.classList.add("busy");
    try {
      const sentence = await parser.again(this.sentence, this.decided);
      if (!this.element.isConnected) return; // the text has changed meanwhile
      const broken = unmet(sentence, this.decided);
      if (broken) throw new Error(`No tree was found in which “${shown(formOf(sentence, broken))}” is as you decided.`);
      this.replace(sentence);
      this.around.say(decision === null ? "Released, and parsed again." : "Parsed again as you decided.");
      this.inspect(this.sentence, word, true, false);
    } catch (error) {
      this.decided.clear();
      for (const [key, value] of before) this.decided.set(key, value);
      if (this.element.isConnected) this.around.say((error as Error).message);
    } finally {
      this.element.classList.remove("busy");
    }
  }

  private replace(sentence: Sentence): void {
    // The comment with the confidence belongs to the former tree.
    const comments = this.sentence.comments.filter((comment) => !/^#\s*(confidence|bracket)\s*=/.test(comment));
    this.sentence = { ...sentence, comments };
    this.list = null;
    this.draw();
    this.showDecisions();
    if (this.panel) void this.open(this.panel);
  }

  private showDecisions(): void {
    this.decisionBar.hidden = this.decided.size === 0;
    this.decisionBar.replaceChildren(
      "You decided: ",
      ...[...this.decided].map(([word, decision]) => {
        const text = decisionText(this.sentence, word, decision);
        return h(
          "span",
          { class: "chip" },
          h("bdi", {}, text),
          button("×", () => void this.decide(word, null), { "aria-label": `Release: ${text}` }),
        );
      }),
    );
  }

  private async toggle(panel: Panel): Promise<void> {
    this.panel = this.panel === panel ? null : panel;
    for (const tool of this.element.querySelectorAll<HTMLElement>("[data-panel]")) {
      tool.setAttribute("aria-expanded", String(tool.dataset["panel"] === this.panel));
    }
    this.drawer.hidden = !this.panel;
    if (this.panel) await this.open(this.panel);
  }

  private async open(panel: Panel): Promise<void> {
    const { parser } = this;
    if (!parser) return;
    this.drawer.replaceChildren(h("p", { class: "quiet" }, "Asking the parser…"));
    const width = (): number => this.width() - DRAWER_PADDING;
    try {
      const content =
        panel === "list"
          ? kbestPanel(this.sentence, await this.alternatives(parser), width, (chosen) => this.replace(chosen))
          : stepsPanel(this.sentence, await parser.trace(this.sentence, this.decided), width);
      if (this.panel === panel) this.drawer.replaceChildren(content);
    } catch (error) {
      this.drawer.replaceChildren(h("p", { class: "problem" }, (error as Error).message));
    }
  }
}

/** A tree of the card: the sentence's own, or the other file's. */
interface View {
  sentence: Sentence;
  name: string;
  own: boolean;
}
type PhraseView = View & { sentence: Sentence & { phrases: Phrase } };

/** A word whose decision the sentence does not follow, or 0. */
function unmet(sentence: Sentence, decisions: Decisions): number {
  for (const [number, { head, tag }] of decisions) {
    const word = wordAt(sentence, number);
    if ((head !== null && word.head !== head) || (tag !== null && word.upos !== tag)) return number;
  }
  return 0;
}

/** "duck: VERB, ccomp of saw" */
function decisionText(sentence: Sentence, word: number, { head, label, tag }: Decision): string {
  const arc = head === 0 ? "root" : head === null ? "" : `${shown(label ?? "") || "depends"} ${label ? "of" : "on"} `;
  const what = [tag ?? "", head ? arc + shown(formOf(sentence, head), 30) : arc].filter(Boolean).join(", ");
  return `${shown(formOf(sentence, word), 30)}: ${what}`;
}

function scores({ comparable, arcs, tags, phrases }: Comparison): string {
  if (!comparable) return "other words";
  const texts: string[] = [];
  if (arcs.words > 0) texts.push(`LAS ${percent(arcs.labelled / arcs.words)}`);
  if (tags.right < tags.words) texts.push(`tags ${percent(tags.right / tags.words)}`);
  if (phrases.gold + phrases.system > 0) texts.push(`F1 ${percent(f1(phrases))}`);
  return texts.join(" · ") || "–";
}
