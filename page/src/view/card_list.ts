// Sentences, a page at a time.
import { button, h } from "../draw/dom";
import { Card, type CardContent, type Surroundings } from "./card";

export const PAGE_SIZE = 10;

export class CardList {
  readonly element = h("section", { class: "cards", "aria-label": "Sentences" });
  private cards: Card[] = [];
  private contents: readonly CardContent[] = [];
  private keys: string[] = []; // of the cards
  private page = 0;
  private readonly body = h("div", { class: "card-body" });
  private readonly bars = [
    h("nav", { class: "pages", "aria-label": "Pages" }),
    h("nav", { class: "pages", "aria-label": "Pages, again" }),
  ];

  constructor(private readonly around: Surroundings) {
    this.element.append(this.bars[0] as HTMLElement, this.body, this.bars[1] as HTMLElement);
    let width = 0;
    new ResizeObserver(() => {
      if (this.body.clientWidth === width || this.body.clientWidth === 0) return;
      width = this.body.clientWidth;
      this.redraw();
    }).observe(this.body);
  }

  /** Shows these sentences; cards of unchanged sentences stay, with their open panels. */
  show(contents: readonly CardContent[], page = 0): void {
    const old = new Map(this.cards.map((card, i) => [this.keys[i], card]));
    this.contents = contents;
    this.page = Math.max(0, Math.min(page, this.pages() - 1));
    this.keys = this.shownContents().map((content) => this.key(content));
    const gone = new Set(this.cards);
    this.cards = this.shownContents().map(
      (content, i) => old.get(this.keys[i] ?? "") ?? new Card(this.around, content),
    );
    for (const card of this.cards) gone.delete(card);
    for (const card of gone) card.leave();
    this.body.replaceChildren(...this.cards.map((card) => card.element));
    for (const card of this.cards) if (!card.element.querySelector("svg")) card.draw();
    this.showPages();
  }

  redraw(): void {
    for (const card of this.cards) card.draw();
  }

  /** With another parser all cards are new. */
  renew(): void {
    this.show(this.contents, this.page);
  }

  /** Brings the sentence with this index among those shown onto the screen, and the keyboard to it. */
  reveal(index: number, word = 1): void {
    this.show(this.contents, Math.floor(index / PAGE_SIZE));
    const card = this.cards[index % PAGE_SIZE];
    card?.element.scrollIntoView({ block: "start", behavior: "auto" });
    card?.focusWord(Math.max(1, word));
  }

  get first(): number {
    return this.page * PAGE_SIZE;
  }

  private pages(): number {
    return Math.max(1, Math.ceil(this.contents.length / PAGE_SIZE));
  }
  private shownContents(): readonly CardContent[] {
    return this.contents.slice(this.first, this.first + PAGE_SIZE);
  }
  /** Identifies the content of a card and its parser. */
  private key({ number, name, sentence, other, found }: CardContent): string {
    const parser = this.around.parser()?.model.name ?? "";
    return JSON.stringify([number, name, sentence, other, [...(found ?? [])], parser]);
  }

  private showPages(): void {
    const pages = this.pages();
    const go = (page: number) => (): void => {
      this.show(this.contents, page);
      this.element.scrollIntoView({ block: "start" });
    };
    for (const bar of this.bars) {
      bar.hidden = pages < 2;
      const number = h("input", {
        type: "number",
        min: 1,
        max: pages,
        value: this.page + 1,
        "aria-label": "Page",
        change: () => go((number.valueAsNumber || 1) - 1)(),
      });
      bar.replaceChildren(
        button("‹", go(this.page - 1), { disabled: this.page === 0, "aria-label": "Previous page" }),
        h("span", {}, "Page ", number, ` of ${pages}`),
        button("›", go(this.page + 1), { disabled: this.page >= pages - 1, "aria-label": "Next page" }),
      );
    }
  }
}
