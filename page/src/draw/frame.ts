// The SVG element around a drawing. What is a little too wide for its place is drawn a little smaller.
import { s } from "./dom";
import { FAMILY } from "./text";

const SMALLEST = 0.82; // scale at which texts are still read with ease

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
