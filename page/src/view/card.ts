// One sentence: its trees, and what can be done with them. Beside it another analysis of the same words, if there are two
// files.
import { choicesFor, type Analysis } from "../tree/analysis";
import { compare, differs, f1, phrasesNotIn, type Comparison } from "../tree/compare";
import { readsRightToLeft } from "../tree/direction";
import { commentValue, hasHeads, textOf, wordAt, formOf, type Sentence } from "../tree/sentence";
import { drawArcs } from "../draw/arcs";
import { drawPhrases } from "../draw/phrases";
import { button, h, present, type Child } from "../draw/dom";
import { shown } from "../draw/text";
import type { FixedArcs, ParserLink } from "../parser_link";
import { percent, wordDetails } from "./details";
import type { HoverCard } from "./hover_card";
import type { Inspector } from "./inspector";
import { kbestPanel, showDifferences } from "./kbest_panel";
import { saveMenu } from "./save_menu";
import { stepsPanel } from "./steps_panel";
import { listen, moveTo } from "./tree_events";

/** What all cards share. */
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
  other?: { sentence: Sentence; name: string } | undefined;
  found?: ReadonlySet<number> | undefined;
}

type Panel = "list" | "steps";
const DRAWER_PADDING = 32; // as in style.css

export class Card {
  readonly element = h("article", { class: "card" });
  sentence: Sentence;
  private readonly fixed = new Map<number, { head: number; label: string | null }>();
  private readonly trees = h("div", { class: "trees" });
  private readonly fixedBar = h("div", { class: "fixed-bar", hidden: true });
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
    this.element.append(this.header(), this.trees, this.fixedBar, this.drawer);
    this.element.setAttribute("aria-label", `Sentence ${content.number}`);
  }

  /** To be called when the card has its place on the page, and when that changes its width. */
  draw(): void {
    const { other, name } = this.content;
    const focused = this.trees.contains(document.activeElement) ? this.focusedWord() : 0;
    const comparison = other ? compare(this.sentence, other.sentence) : null;
    const both = comparison !== null && differs(comparison); // two trees that are the same are drawn once
    const parts: Child[] = this.sentence.problems
      .filter(({ word }) => word === 0)
      .map(({ message }) => h("p", { class: "problem" }, `${message}.`));
    parts.push(...this.drawings(this.sentence, both ? name : "", comparison, other?.sentence, true));
    if (other && both) parts.push(...this.drawings(other.sentence, other.name, comparison, this.sentence, false));
    this.trees.replaceChildren(...present(parts));
    this.mark();
    if (focused) this.focusWord(focused); // what had the keyboard's attention was drawn anew
  }

  focusWord(word: number): void {
    const svg = this.trees.querySelector<SVGSVGElement>("svg.tree");
    if (svg) moveTo(svg, word);
  }

  private focusedWord(): number {
    return Number((document.activeElement as SVGElement | null)?.dataset["word"] ?? 0);
  }

  private width(): number {
    return this.around.wrap() ? Math.max(280, this.trees.clientWidth) : Infinity;
  }

  private header(): HTMLElement {
    const { number, sentence, other } = this.content;
    const id = commentValue(sentence, "sent_id");
    return h(
      "header",
      {},
      h("span", { class: "number", title: id ?? "" }, String(number)),
      h("p", { class: "text", dir: "auto" }, shown(textOf(sentence), 600)),
      other
        ? scoreBadge(compare(sentence, other.sentence))
        : sentence.confidence !== undefined
          ? h("span", { class: "badge", title: "that the whole tree is right" }, `${percent(sentence.confidence)} sure`)
          : null,
      h("div", { class: "tools" }, ...this.tools()),
    );
  }

  private tools(): Child[] {
    const parser = this.around.parser();
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

  private drawings(
    sentence: Sentence,
    name: string,
    comparison: Comparison | null,
    against: Sentence | undefined,
    own: boolean,
  ): Child[] {
    const parts: Child[] = [];
    if (name) parts.push(h("p", { class: "file-name" }, shown(name)));
    const add = (drawing: SVGSVGElement): void => {
      this.listen(drawing, sentence, own);
      parts.push(h("div", { class: "canvas" }, drawing));
    };
    if (hasHeads(sentence) || !sentence.phrases) {
      const broken = new Set(sentence.problems.map(({ word }) => word));
      const marks = {
        different: comparison?.wrongWords,
        found: this.content.found,
        broken,
        fixed: new Set(own ? this.fixed.keys() : []),
      };
      if (sentence.words.length > 0) add(drawArcs(sentence, { width: this.width(), marks }));
    }
    if (sentence.phrases) {
      const different =
        comparison?.comparable && against?.phrases ? phrasesNotIn(sentence.phrases, against.phrases) : undefined;
      add(drawPhrases(sentence, sentence.phrases, this.trees.clientWidth, { different, found: this.content.found }));
    }
    return parts;
  }

  private listen(drawing: SVGSVGElement, sentence: Sentence, own: boolean): void {
    const { hover } = this.around;
    const canFix = own && this.around.parser()?.makesArcs === true;
    listen(drawing, readsRightToLeft(sentence), {
      hover: (word, target) => hover.show(wordDetails(sentence, word), target),
      leave: () => hover.hide(),
      select: (word) => (this.picking && own ? this.pick(word) : this.inspect(sentence, word, own)),
      headOf: (word) => wordAt(sentence, word).head ?? 0,
      dependentOf: (word) => sentence.words.findIndex(({ head }) => head === word) + 1,
      drop: canFix ? (dependent, head) => void this.fix(dependent, head, null) : undefined,
    });
  }

  private inspect(sentence: Sentence, word: number, own: boolean): void {
    this.around.hover.hide();
    const parser = own ? this.around.parser() : null;
    this.around.inspector.show({
      sentence,
      word,
      fixed: own && this.fixed.has(word),
      choices:
        parser?.hasList && parser.makesArcs ? async () => choicesFor(await this.alternatives(parser), word) : undefined,
      fix: parser?.makesArcs ? (head, label) => void this.fix(word, head, label) : undefined,
      pick: parser?.makesArcs ? () => this.startPicking(word) : undefined,
      closed: () => {
        this.selected = this.picking = 0;
        this.mark();
      },
      focus: () => this.focusWord(word),
    });
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
    if (head !== word) void this.fix(word, head, null);
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
    this.list ??= parser.list(this.sentence, this.fixed);
    return this.list;
  }

  /** Parses again with the word's head as given, or open again if it is null. What cannot be done is undone. */
  private async fix(word: number, head: number | null, label: string | null): Promise<void> {
    const parser = this.around.parser();
    if (!parser) return;
    const before = new Map(this.fixed);
    if (head === null) this.fixed.delete(word);
    else this.fixed.set(word, { head, label });
    this.element.classList.add("busy");
    try {
      const sentence = await parser.again(this.sentence, this.fixed);
      const broken = unmet(sentence, this.fixed);
      if (broken) throw new Error(`No tree was found in which “${shown(formOf(sentence, broken))}” has that head.`);
      this.replace(sentence);
      this.around.say(head === null ? "Released, and parsed again." : "Fixed, and parsed again.");
      this.inspect(this.sentence, word, true);
    } catch (error) {
      this.fixed.clear();
      for (const [key, value] of before) this.fixed.set(key, value);
      this.around.say((error as Error).message);
    } finally {
      this.element.classList.remove("busy");
    }
  }

  private replace(sentence: Sentence): void {
    this.sentence = { ...sentence, comments: this.sentence.comments };
    this.list = null;
    this.draw();
    this.showFixed();
    if (this.panel) void this.open(this.panel);
  }

  private showFixed(): void {
    this.fixedBar.hidden = this.fixed.size === 0;
    this.fixedBar.replaceChildren(
      "Fixed: ",
      ...[...this.fixed].map(([word, { head, label }]) => {
        const text = `${shown(formOf(this.sentence, word))} ← ${shown(formOf(this.sentence, head))}${label ? ` (${shown(label)})` : ""}`;
        return h(
          "span",
          { class: "chip" },
          h("bdi", {}, text),
          button("×", () => void this.fix(word, null, null), { "aria-label": `Release ${text}` }),
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
    const parser = this.around.parser();
    if (!parser) return;
    this.drawer.replaceChildren(h("p", { class: "quiet" }, "Asking the parser…"));
    try {
      const content =
        panel === "list"
          ? kbestPanel(this.sentence, await this.alternatives(parser), (chosen) => this.replace(chosen))
          : stepsPanel(
              this.sentence,
              await parser.trace(this.sentence, this.fixed),
              () => this.width() - DRAWER_PADDING,
            );
      if (this.panel !== panel) return;
      this.drawer.replaceChildren(content);
      showDifferences(this.drawer);
    } catch (error) {
      this.drawer.replaceChildren(h("p", { class: "problem" }, (error as Error).message));
    }
  }
}

/** A word whose fixed head the sentence does not have, or 0. */
function unmet(sentence: Sentence, fixed: FixedArcs): number {
  for (const [word, { head }] of fixed) if (wordAt(sentence, word).head !== head) return word;
  return 0;
}

function scoreBadge(comparison: Comparison): HTMLElement {
  const { comparable, arcs, phrases } = comparison;
  if (!comparable) return h("span", { class: "badge bad" }, "other words");
  const texts: string[] = [];
  if (arcs.words > 0) texts.push(`LAS ${percent(arcs.labelled / arcs.words)}`);
  if (phrases.gold + phrases.system > 0) texts.push(`F1 ${percent(f1(phrases))}`);
  return h("span", { class: differs(comparison) ? "badge bad" : "badge good" }, texts.join(" · ") || "–");
}
