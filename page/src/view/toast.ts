// One line at the foot of the page, for a while.
export class Toast {
  private timer = 0;

  constructor(private readonly element: HTMLElement) {}

  show(message: string): void {
    clearTimeout(this.timer);
    this.element.textContent = message;
    this.element.classList.toggle("shown", message !== "");
    if (message) this.timer = window.setTimeout(() => this.show(""), Math.max(4000, 80 * message.length));
  }
}
