// Handles pointer, drag and keyboard events of a drawn tree. Dragging a word, or an arc, onto
// another word asks for that word as the head.
import { s } from "../draw/dom";

export interface TreeEvents {
  hover(word: number, target: DOMRect): void;
  leave(): void;
  /** By a key, the keyboard's attention may go to what comes up. */
  select(word: number, byKey: boolean): void;
  /** The neighbour to go to: up to the head, down to a dependent. */
  headOf(word: number): number;
  dependentOf(word: number): number;
  /** A new head was asked for; missing where heads cannot be changed. */
  drop?: ((dependent: number, head: number) => void) | undefined;
}

const FAR = 8; // pixels after which a press is a drag

// Where the last press was: what comes under a pointer that has not moved since (a panel opened, the tree made room) was
// not pointed at.
let pressed = { x: -1, y: -1 };

/** `svg` is a drawing, or one tree of a drawing of several. */
export function listen(svg: SVGGraphicsElement, rightToLeft: boolean, events: TreeEvents): void {
  const wordOf = (target: EventTarget | null): number => {
    if (!(target instanceof Element)) return 0;
    const group = target.closest<SVGGElement>("[data-word], [data-dependent]");
    return Number(group?.dataset["word"] ?? group?.dataset["dependent"] ?? 0);
  };

  svg.addEventListener("pointerover", (event) => {
    const word = wordOf(event.target);
    if (!word || event.pointerType === "touch" || (event.clientX === pressed.x && event.clientY === pressed.y)) return;
    light(svg, word);
    const target = (event.target as Element).closest("[data-word]") ?? (event.target as Element);
    const box = target.matches("[data-word]")
      ? target.getBoundingClientRect()
      : new DOMRect(event.clientX, event.clientY, 0, 8);
    events.hover(word, box);
  });
  svg.addEventListener("pointerout", () => {
    light(svg, 0);
    events.leave();
  });
  svg.addEventListener("focusin", (event) => {
    const word = wordOf(event.target);
    if (!word || !(event.target as Element).matches(":focus-visible")) return;
    light(svg, word);
    events.hover(word, (event.target as Element).getBoundingClientRect());
  });
  svg.addEventListener("focusout", () => {
    light(svg, 0);
    events.leave();
  });

  svg.addEventListener("keydown", (event) => {
    const word = wordOf(event.target);
    if (!word) return;
    const last = svg.querySelectorAll("[data-word]").length;
    const forward = rightToLeft ? "ArrowLeft" : "ArrowRight";
    const backward = rightToLeft ? "ArrowRight" : "ArrowLeft";
    const goal = {
      [forward]: Math.min(word + 1, last),
      [backward]: Math.max(word - 1, 1),
      Home: 1,
      End: last,
      ArrowUp: events.headOf(word),
      ArrowDown: events.dependentOf(word),
    }[event.key];
    if (event.key === "Enter" || event.key === " ") events.select(word, true);
    else if (event.key === "Escape") events.leave();
    else if (goal) moveTo(svg, goal);
    else return;
    event.preventDefault();
  });

  listenToPresses(svg, wordOf, events);
}

/** Lights the word, its arc and the arcs to its dependents. */
function light(svg: SVGGraphicsElement, word: number): void {
  for (const element of svg.querySelectorAll(".lit")) element.classList.remove("lit");
  svg.classList.toggle("has-light", word > 0);
  if (!word) return;
  const own = `[data-word="${word}"], [data-dependent="${word}"], [data-head="${word}"]`;
  for (const element of svg.querySelectorAll(own)) element.classList.add("lit");
}

/** Brings the keyboard to a word; the tree's one tab stop goes with it. */
export function moveTo(svg: SVGGraphicsElement, word: number): void {
  const group = svg.querySelector<SVGGElement>(`[data-word="${word}"]`);
  if (!group) return;
  for (const other of svg.querySelectorAll("[data-word][tabindex='0']")) other.setAttribute("tabindex", "-1");
  group.setAttribute("tabindex", "0");
  group.focus();
}

function listenToPresses(
  svg: SVGGraphicsElement,
  wordOf: (target: EventTarget | null) => number,
  events: TreeEvents,
): void {
  svg.addEventListener("click", (event) => {
    const word = wordOf(event.target);
    if (word && !svg.classList.contains("was-dragged")) events.select(word, false);
  });
  svg.addEventListener("pointerdown", (press) => {
    svg.classList.remove("was-dragged");
    pressed = { x: press.clientX, y: press.clientY };
    const dependent = wordOf(press.target);
    // Fingers scroll; they pick a head in the inspector.
    if (!dependent || !events.drop || press.pointerType === "touch" || press.button !== 0) return;
    const drop = events.drop;
    const rubber = s("path", { class: "rubber", fill: "none" });
    let goal = 0;
    const end = new AbortController();
    const move = (event: PointerEvent): void => {
      if (Math.hypot(event.clientX - press.clientX, event.clientY - press.clientY) < FAR && !rubber.parentNode) return;
      if (!rubber.parentNode) {
        svg.append(rubber);
        svg.setPointerCapture(press.pointerId);
        svg.classList.add("dragging", "was-dragged");
        events.leave();
      }
      const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGGElement>("[data-word]");
      goal = under && svg.contains(under) ? Number(under.dataset["word"]) : 0;
      if (goal === dependent) goal = 0;
      for (const word of svg.querySelectorAll(".goal")) word.classList.remove("goal");
      if (goal) under?.classList.add("goal");
      rubber.setAttribute("d", rubberPath(svg, dependent, event));
    };
    const finish = (take: boolean): void => {
      end.abort();
      rubber.remove();
      svg.classList.remove("dragging");
      for (const word of svg.querySelectorAll(".goal")) word.classList.remove("goal");
      if (take && goal) drop(dependent, goal);
    };
    svg.addEventListener("pointermove", move, { signal: end.signal });
    svg.addEventListener("pointerup", () => finish(true), { signal: end.signal });
    svg.addEventListener("pointercancel", () => finish(false), { signal: end.signal });
    addEventListener("keydown", (event) => event.key === "Escape" && finish(false), { signal: end.signal });
  });
}

function rubberPath(svg: SVGGraphicsElement, dependent: number, event: PointerEvent): string {
  const drawing = svg instanceof SVGSVGElement ? svg : (svg.ownerSVGElement as SVGSVGElement);
  const frame = drawing.getBoundingClientRect();
  const scale = drawing.viewBox.baseVal.width / frame.width;
  const from = svg.querySelector(`[data-word="${dependent}"]`)?.getBoundingClientRect() ?? frame;
  const x1 = (from.left + from.width / 2 - frame.left) * scale;
  const y1 = (from.top - frame.top) * scale;
  const x2 = (event.clientX - frame.left) * scale;
  const y2 = (event.clientY - frame.top) * scale;
  const height = Math.min(60, 20 + Math.abs(x2 - x1) / 4);
  return `M${x1} ${y1}C${x1} ${y1 - height} ${x2} ${y2 - height} ${x2} ${y2}`;
}
