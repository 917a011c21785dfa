// The SVG element around a drawing. A drawing that is a little too wide is scaled down.
import { s } from "./dom";
import { FAMILY } from "./text";

const SMALLEST = 0.82; // the least scale at which texts are legible

export function fits(width: number, available: number): boolean {
  return width * SMALLEST <= available;
}

export function frame(
  name: string,
  label: string,
  size: { width: number; height: number },
  available: number,
): SVGSVGElement {
  const [width, height] = [Math.ceil(size.width), Math.ceil(size.height)];
  const scale = width > available && fits(width, available) ? available / width : 1;
  return s("svg", {
    class: name,
    role: "group",
    "aria-label": label,
    "font-family": FAMILY,
    width: Math.floor(width * scale),
    height: Math.ceil(height * scale),
    viewBox: `0 0 ${width} ${height}`,
  });
}
