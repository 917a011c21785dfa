// Parses text as it is typed.
import type { Parsed } from "../api";
import { h } from "../draw/dom";
import { exampleFor, isExample, languageName } from "../examples";
import type { ParserLink } from "../parser_link";
import { CardList } from "./card_list";
import type { Surroundings } from "./card";

const PAUSE = 250; // milliseconds without a key before the parser is asked

export class TextView {
  readonly element = h("div", { class: "view text-view" });
  private readonly input = h("textarea", {
    id: "text",
    rows: 2,
    dir: "auto",
    spellcheck: "false",
    placeholder: "Type or paste text",
    "aria-label": "Text to parse",
  });
  private readonly status = h("p", { class: "status", role: "status" });
  private readonly list: CardList;
  private waiting = 0;
  private running: AbortController | null = null;

  constructor(private readonly around: Surroundings) {
    this.list = new CardList(around);
    this.input.addEventListener("input", () => {
      clearTimeout(this.waiting);
      this.waiting = window.setTimeout(() => void this.parse(), PAUSE);
    });
    this.element.append(h("div", { class: "writing" }, this.input, this.status), this.list.element);
  }

  redraw(): void {
    this.list.redraw();
  }

  /** With another model: parses again, or something to begin with in its language, unless there is a text (browsers keep
   * it when a page is loaded again). */
  restart(language: string): void {
    const name = languageName(language);
    this.input.placeholder = name ? `Type or paste text in ${name}` : "Type or paste text";
    this.input.lang = language;
    if (this.input.value === "" || isExample(this.input.value)) this.input.value = exampleFor(language);
    void this.parse();
  }

  /** Parses the current text; an earlier request is cancelled. */
  async parse(): Promise<void> {
    clearTimeout(this.waiting);
    this.running?.abort();
    const parser = this.around.parser();
    const text = this.input.value;
    if (!parser || text.trim() === "") {
      this.list.show([]);
      this.status.textContent = "";
      return;
    }
    const running = (this.running = new AbortController());
    const slow = window.setTimeout(() => (this.status.textContent = "Parsing…"), 400);
    try {
      const start = performance.now();
      this.show(parser, await parser.parseText(text, running.signal), performance.now() - start);
    } catch (error) {
      if (!running.signal.aborted) this.fail(error as Error);
    } finally {
      clearTimeout(slow);
    }
  }

  private show(parser: ParserLink, parsed: Parsed[], milliseconds: number): void {
    this.list.show(
      parsed.map(({ sentence }, i) => ({ number: i + 1, sentence, name: "", language: parser.model.language })),
    );
    const words = parsed.reduce((sum, { sentence }) => sum + sentence.words.length, 0);
    const count = (n: number, thing: string): string => `${n} ${thing}${n === 1 ? "" : "s"}`;
    this.status.classList.remove("problem");
    this.status.textContent = `${count(parsed.length, "sentence")}, ${count(words, "word")}, parsed in ${Math.round(milliseconds)} ms by ${parser.model.name}`;
  }

  private fail(error: Error): void {
    this.status.classList.add("problem");
    this.status.textContent = error instanceof TypeError ? "The server cannot be reached." : error.message;
  }
}
