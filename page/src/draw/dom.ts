// Creates elements without parsing markup: words of a sentence only become text nodes and attribute values.

type Listener = (event: never) => void;
export type Attributes = Record<string, string | number | boolean | null | undefined | Listener>;
export type Child = Node | string | null | undefined | false;

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element. Functions become listeners ("click"), true an empty attribute, false and null none. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS(SVG, tag) as SVGElementTagNameMap[K], attributes, children);
}

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...present(children));
  return element;
}

/** The children that are present. */
export function present(children: readonly Child[]): (Node | string)[] {
  return children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false);
}

/** A click by the keyboard has a `detail` of 0. */
export function button(
  label: string,
  click: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  return h("button", { type: "button", click, ...attributes }, label);
}

/** An element of the page, which must exist. */
export function byId<E extends HTMLElement>(id: string): E {
  const element = document.getElementById(id);
  if (!element) throw new Error(`no #${id}`);
  return element as E;
}

let serial = 0;
export const uniqueId = (name: string): string => `${name}-${++serial}`;
