// Drawings and texts as files. A saved SVG is self-contained: the styles are written into its elements.

const PROPERTIES = [
  "fill",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "paint-order",
  "opacity",
  "font-weight",
  "font-style",
];

/** A complete SVG document that looks like the drawing on the page. */
export function svgText(drawing: SVGSVGElement, title: string): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll("*")];
  const copies = [copy, ...copy.querySelectorAll("*")];
  copies.forEach((element, i) => {
    const style = getComputedStyle(originals[i] as Element);
    if (element.matches("path, text, rect, circle")) {
      for (const name of PROPERTIES) element.setAttribute(name, style.getPropertyValue(name));
    }
    const about = element.getAttribute("aria-label") ?? element.getAttribute("data-title");
    if (element !== copy && about) element.prepend(titleElement(about));
    for (const name of ["tabindex", "aria-hidden", "aria-label", "data-title"]) element.removeAttribute(name);
    if (element.getAttribute("role") === "button") element.removeAttribute("role");
  });
  for (const hit of copy.querySelectorAll(".hit, .rubber, .word > .box")) hit.remove();
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("role", "img");
  copy.prepend(titleElement(title), paper(drawing));
  return new XMLSerializer().serializeToString(copy) + "\n";
}

function titleElement(text: string): SVGTitleElement {
  const title = document.createElementNS("http://www.w3.org/2000/svg", "title");
  // Characters that XML does not allow are replaced.
  title.textContent = text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd");
  return title;
}

function paper(drawing: SVGSVGElement): SVGRectElement {
  const rect = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  rect.setAttribute("width", "100%");
  rect.setAttribute("height", "100%");
  rect.setAttribute("fill", getComputedStyle(drawing).backgroundColor);
  return rect;
}

export async function pngBlob(drawing: SVGSVGElement, title: string, scale = 2): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal;
  const image = new Image();
  const url = URL.createObjectURL(new Blob([svgText(drawing, title)], { type: "image/svg+xml" }));
  try {
    image.src = url;
    await image.decode();
    // Browsers refuse canvases beyond 16384 pixels a side.
    const fitting = Math.min(scale, 16_000 / Math.max(width, height, 1));
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * fitting);
    canvas.height = Math.ceil(height * fitting);
    canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => {
      canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large."))), "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function download(name: string, content: Blob | string, type = "text/plain"): void {
  const url = URL.createObjectURL(
    typeof content === "string" ? new Blob([content], { type: `${type};charset=utf-8` }) : content,
  );
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
