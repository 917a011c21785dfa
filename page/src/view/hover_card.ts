// The card beside the pointer, or beside the word that has the keyboard's attention. There is one.
import { h } from "../draw/dom";

const GAP = 10;

export class HoverCard {
  private readonly element = h("div", { class: "hover-card", role: "tooltip", hidden: true });

  constructor(parent: HTMLElement) {
    parent.append(this.element);
    addEventListener("scroll", () => this.hide(), { passive: true, capture: true });
  }

  show(content: Node, target: DOMRect): void {
    this.element.replaceChildren(content);
    this.element.hidden = false;
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const x = Math.max(8, Math.min(target.left + target.width / 2 - width / 2, innerWidth - width - 8));
    const fitsBelow = target.bottom + GAP + height < innerHeight;
    const y = fitsBelow ? target.bottom + GAP : Math.max(8, target.top - GAP - height);
    this.element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}
