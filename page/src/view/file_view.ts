// Treebanks: one to browse and search, a second to compare it with.
import { readTreebank, type Treebank } from "../format/files";
import { writeConllu } from "../format/conllu";
import { chosen, entriesOf, placesIn, type Entry, type Place, type Scores } from "../tree/browse";
import { f1 } from "../tree/compare";
import { parseQuery, SEARCH_KEYS } from "../tree/search";
import { button, h, uniqueId } from "../draw/dom";
import { download } from "../draw/save";
import { shown } from "../draw/text";
import type { Surroundings } from "./card";
import { CardList } from "./card_list";

const score = (right: number, all: number): string => (all === 0 ? "–" : ((100 * right) / all).toFixed(2));
const count = (n: number, thing: string): string => `${n.toLocaleString("en")} ${thing}${n === 1 ? "" : "s"}`;

export class FileView {
  readonly element = h("div", { class: "view file-view" });
  private treebanks: [Treebank | null, Treebank | null] = [null, null];
  private entries: Entry[] = [];
  private visible: Entry[] = [];
  private scores: Scores | null = null;
  private places: Place[] = [];
  private at = -1;
  private readonly slots = h("div", { class: "slots" });
  private readonly bar = h("div", { class: "browse-bar", hidden: true });
  private readonly summary = h("div", { class: "summary", role: "status" });
  private readonly query = h("input", {
    type: "search",
    placeholder: `word, ${SEARCH_KEYS.slice(1, 5)
      .map((key) => key + ":")
      .join(" ")} …`,
    "aria-label": "Search",
    spellcheck: "false",
    autocapitalize: "off",
  });
  private readonly onlyErrors = h("input", { type: "checkbox", id: uniqueId("only") });
  private readonly errorsLabel = h("label", { for: this.onlyErrors.id });
  private readonly jumps = h("span", { class: "jumps" });
  private readonly list: CardList;

  constructor(private readonly around: Surroundings) {
    this.list = new CardList(around);
    let waiting = 0;
    this.query.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = window.setTimeout(() => this.choose(), 150);
    });
    this.onlyErrors.addEventListener("change", () => this.choose());
    this.bar.append(this.query, h("span", { class: "only" }, this.onlyErrors, this.errorsLabel), this.jumps);
    this.element.append(this.slots, this.bar, this.summary, this.list.element);
    document.addEventListener("keydown", (event) => {
      const writing = event.target instanceof Element && event.target.matches("input:not([type='checkbox']), select");
      if (this.element.hidden || writing || event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "n") this.jump(1);
      else if (event.key === "p") this.jump(-1);
    });
    this.showSlots();
  }

  redraw(): void {
    this.list.redraw();
  }

  /** With another model. */
  renew(): void {
    this.showSlots();
    this.list.renew();
  }

  /** Takes dropped files: the first to browse, the second to compare with it; a third replaces both. */
  async take(files: readonly File[]): Promise<void> {
    for (const file of files.slice(0, 2)) {
      const both = this.treebanks[0] !== null && this.treebanks[1] !== null;
      if (both || (files.length > 1 && file === files[0])) this.treebanks = [null, null];
      await this.put(this.treebanks[0] ? 1 : 0, file);
    }
  }

  async put(slot: 0 | 1, file: File): Promise<void> {
    try {
      this.set(slot, readTreebank(file.name, await file.text()));
    } catch (error) {
      this.around.say(`${shown(file.name)}: ${(error as Error).message}`);
    }
  }

  set(slot: 0 | 1, treebank: Treebank | null): void {
    this.treebanks[slot] = treebank;
    if (!this.treebanks[0]) this.treebanks = [this.treebanks[1], null];
    const [first, second] = this.treebanks;
    const { entries, scores } = first ? entriesOf(first, second) : { entries: [], scores: null };
    this.entries = entries;
    this.scores = second ? scores : null;
    this.bar.hidden = !first;
    this.errorsLabel.textContent = second ? "only differences" : "only errors";
    this.showSlots();
    this.choose();
  }

  private showSlots(): void {
    const [first, second] = this.treebanks;
    const parser = this.around.parser();
    this.slots.replaceChildren(
      this.slotView(0, first, "Drop a treebank here, or choose one", "CoNLL-U, brackets or JSON"),
    );
    if (first)
      this.slots.append(this.slotView(1, second, "Compare with a second file", "the same words, another analysis"));
    if (first && !second && parser?.makesTrees && first.sentences.some(({ words }) => words.length > 0)) {
      this.slots.append(
        button(`Compare with the parser (${parser.model.name})`, () => void this.compareWithParser(), {
          class: "quiet-button",
        }),
      );
    }
  }

  private slotView(slot: 0 | 1, treebank: Treebank | null, title: string, hint: string): HTMLElement {
    const input = h("input", {
      type: "file",
      class: "visually-hidden",
      "aria-label": title,
      change: () => {
        const file = input.files?.[0];
        if (file) void this.put(slot, file);
      },
    });
    if (!treebank) {
      return h(
        "label",
        { class: slot === 0 && !this.treebanks[0] ? "slot large" : "slot" },
        input,
        h("b", {}, title),
        h("span", { class: "quiet" }, hint),
      );
    }
    const words = treebank.sentences.reduce((sum, sentence) => sum + sentence.words.length, 0);
    return h(
      "div",
      { class: "slot filled" },
      h("b", {}, h("bdi", {}, shown(treebank.name))),
      h("span", { class: "quiet" }, `${count(treebank.sentences.length, "sentence")}, ${count(words, "word")}`),
      button("×", () => this.set(slot, null), { class: "close", "aria-label": `Remove ${shown(treebank.name)}` }),
    );
  }

  private async compareWithParser(): Promise<void> {
    const parser = this.around.parser();
    const first = this.treebanks[0];
    if (!parser || !first) return;
    this.around.say(`Parsing ${count(first.sentences.length, "sentence")}…`);
    try {
      const sentences = await parser.parseAll(first.sentences);
      this.set(1, { name: parser.model.name, sentences });
      this.around.say("");
    } catch (error) {
      this.around.say((error as Error).message);
    }
  }

  private choose(): void {
    const query = parseQuery(this.query.value);
    this.visible = query.error ? [] : chosen(this.entries, query, this.onlyErrors.checked);
    const searching = query.words.length > 0;
    this.places = placesIn(this.visible, searching ? "found" : "errors");
    this.at = -1;
    const [first, second] = this.treebanks;
    this.list.show(
      this.visible.map(({ number, sentence, other, found }) => ({
        number,
        sentence,
        found,
        name: first?.name ?? "",
        language: "",
        other: other && second ? { sentence: other, name: second.name } : undefined,
      })),
    );
    this.showJumps(searching ? "hit" : second ? "difference" : "error");
    this.showSummary(query.error);
  }

  private showJumps(thing: string): void {
    const none = this.places.length === 0;
    this.jumps.replaceChildren(
      button("‹", () => this.jump(-1), { disabled: none, "aria-label": `Previous ${thing}` }),
      h(
        "span",
        { class: "quiet" },
        this.at < 0 ? count(this.places.length, thing) : `${this.at + 1} of ${count(this.places.length, thing)}`,
      ),
      button("›", () => this.jump(1), { disabled: none, "aria-label": `Next ${thing}` }),
    );
    this.jumps.dataset["thing"] = thing;
  }

  private jump(by: number): void {
    if (this.places.length === 0) return;
    this.at =
      this.at < 0 ? (by > 0 ? 0 : this.places.length - 1) : (this.at + by + this.places.length) % this.places.length;
    const place = this.places[this.at] as Place;
    this.list.reveal(place.index, place.word);
    this.showJumps(this.jumps.dataset["thing"] ?? "error");
  }

  private showSummary(error: string): void {
    const parts: (Node | string)[] = [];
    const some = this.visible.length < this.entries.length;
    if (error) parts.push(h("span", { class: "problem" }, error));
    else if (some)
      parts.push(`${this.visible.length.toLocaleString("en")} of ${count(this.entries.length, "sentence")}`);
    if (this.scores) parts.push(scoreList(this.scores));
    if (some && !error && this.visible.length === 0) parts.push("– try fewer words, or * for any letters");
    if (this.visible.length > 0) {
      parts.push(
        button(some ? "Save these as CoNLL-U" : "Save as CoNLL-U", () => this.save(), { class: "quiet-button" }),
      );
    }
    this.summary.replaceChildren(...parts);
  }

  private save(): void {
    download("sentences.conllu", writeConllu(this.visible.map(({ sentence }) => sentence)));
  }
}

function scoreList({ arcs, tags, phrases, incomparable, exact, compared }: Scores): HTMLElement {
  const list = h("dl", { class: "scores-all" });
  const add = (name: string, value: string): void => list.append(h("div", {}, h("dt", {}, name), h("dd", {}, value)));
  if (arcs.words > 0) {
    add("LAS", score(arcs.labelled, arcs.words));
    add("UAS", score(arcs.heads, arcs.words));
  }
  if (tags.words > 0) add("tags", score(tags.right, tags.words));
  if (phrases.gold + phrases.system > 0) add("F1", (100 * f1(phrases)).toFixed(2));
  add("the same", `${exact} of ${compared}`);
  if (incomparable > 0) add("other words", count(incomparable, "sentence"));
  return list;
}
