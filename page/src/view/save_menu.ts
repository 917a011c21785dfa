// "Save": the sentence as a picture or as text.
import { writeBrackets } from "../format/brackets";
import { writeConllu } from "../format/conllu";
import { textOf, type Sentence } from "../tree/sentence";
import { download, pngBlob, svgText } from "../draw/save";
import { button, h } from "../draw/dom";

export function saveMenu(sentence: () => Sentence, number: number, drawing: () => SVGSVGElement | null): HTMLElement {
  const name = (ending: string): string => `sentence-${number}.${ending}`;
  const menu = h("details", { class: "menu" });
  const entry = (label: string, save: (picture: SVGSVGElement) => void): HTMLButtonElement =>
    button(label, () => {
      const picture = drawing();
      menu.open = false;
      if (picture) save(picture);
    });
  menu.append(
    h("summary", { class: "quiet-button" }, "Save"),
    h(
      "div",
      { class: "menu-list" },
      entry("SVG", (picture) => download(name("svg"), svgText(picture, textOf(sentence())), "image/svg+xml")),
      entry("PNG", (picture) => void pngBlob(picture, textOf(sentence())).then((blob) => download(name("png"), blob))),
      entry("CoNLL-U", () => download(name("conllu"), writeConllu([sentence()]))),
      ...(sentence().phrases ? [entry("Brackets", () => download(name("ptb"), writeBrackets(sentence()) + "\n"))] : []),
    ),
  );
  menu.addEventListener("focusout", (event) => {
    if (!menu.contains(event.relatedTarget as Node | null)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  return menu;
}
