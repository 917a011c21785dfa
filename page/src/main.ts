// The page: text that is parsed as one types where there is a server, and treebanks to look at. A page that was written
// by `espalier draw --to html` carries its sentences with it.
import { Api, ApiError, type ModelInfo } from "./api";
import { readJson } from "./format/json";
import { byId, h } from "./draw/dom";
import { languageName } from "./examples";
import { ParserLink } from "./parser_link";
import { FileView } from "./view/file_view";
import { HoverCard } from "./view/hover_card";
import { Inspector } from "./view/inspector";
import { settings } from "./view/settings";
import { TextView } from "./view/text_view";
import { Toast } from "./view/toast";
import type { Surroundings } from "./view/card";

class Page {
  private readonly api = new Api();
  private link: ParserLink | null = null;
  /** Whether the reader has turned to texts or files: models that are heard of later do not turn the page. */
  private turned = false;
  private readonly toast = new Toast(byId("toast"));
  private readonly inspector = new Inspector();
  private readonly around: Surroundings = {
    hover: new HoverCard(document.body),
    inspector: this.inspector,
    parser: () => this.link,
    wrap: () => settings.wrap,
    say: (message) => this.toast.show(message),
  };
  private readonly texts = new TextView(this.around);
  private readonly files = new FileView(this.around);

  async start(): Promise<void> {
    byId("main").append(this.texts.element, this.files.element);
    byId("side").append(this.inspector.element);
    this.listen();
    const data = document.getElementById("data");
    if (data) {
      this.show("files");
      this.files.set(0, { name: data.dataset["name"] ?? "sentences", sentences: readJson(data.textContent ?? "") });
      return;
    }
    await this.connect();
  }

  private listen(): void {
    byId("tab-text").addEventListener("click", () => this.turn("text"));
    byId("tab-files").addEventListener("click", () => this.turn("files"));
    const wrap = byId<HTMLInputElement>("wrap");
    wrap.checked = settings.wrap;
    wrap.addEventListener("change", () => {
      settings.wrap = wrap.checked;
      this.texts.redraw();
      this.files.redraw();
    });
    const theme = byId<HTMLButtonElement>("theme");
    theme.addEventListener("click", () => settings.nextTheme());
    addEventListener("dragover", (event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      document.body.classList.add("dropping");
    });
    addEventListener("dragleave", (event) => {
      if (!event.relatedTarget) document.body.classList.remove("dropping");
    });
    addEventListener("drop", (event) => {
      document.body.classList.remove("dropping");
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      this.turn("files");
      void this.files.take(files);
    });
  }

  private turn(tab: "text" | "files"): void {
    this.turned = true;
    this.show(tab);
  }

  private show(tab: "text" | "files"): void {
    this.inspector.dismiss();
    this.texts.element.hidden = tab !== "text";
    this.files.element.hidden = tab !== "files";
    for (const name of ["text", "files"]) byId(`tab-${name}`).setAttribute("aria-current", String(name === tab));
  }

  /** Asks which models there are; where there is no server, files can be looked at all the same. */
  private async connect(): Promise<void> {
    try {
      const models = await this.api.models();
      if (models.length === 0) throw new Error("The server has no model.");
      this.offer(models);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) return this.askToken();
      this.show("files");
      this.toast.show("No parser answers behind this page. Files can still be looked at.");
    }
  }

  private askToken(): void {
    const input = h("input", { type: "password", "aria-label": "Token", autocomplete: "off" });
    const form = h(
      "form",
      {
        class: "token-form",
        submit: (event: Event) => {
          event.preventDefault();
          this.api.token = input.value;
          form.remove();
          void this.connect();
        },
      },
      h("p", {}, "This server asks for a token."),
      input,
      h("button", { type: "submit", class: "primary" }, "Continue"),
    );
    this.show("files");
    byId("main").prepend(form);
    input.focus();
  }

  /** Models by their languages' names; those of one language as the server lists them. */
  private offer(models: readonly ModelInfo[]): void {
    const select = byId<HTMLSelectElement>("model");
    const options = models.map((model) => ({ model, language: languageName(model.language) }));
    options.sort((a, b) => a.language.localeCompare(b.language, "en"));
    select.replaceChildren(
      ...options.map(({ model, language }) =>
        h(
          "option",
          { value: model.name, selected: model === models[0] },
          language ? `${language} (${model.name})` : model.name,
        ),
      ),
    );
    const choose = (): void => {
      const model = models.find(({ name }) => name === select.value) ?? (models[0] as ModelInfo);
      this.link = new ParserLink(this.api, model);
      this.texts.restart(model.language);
      this.files.renew();
    };
    select.addEventListener("change", choose);
    byId("model-choice").hidden = models.length < 2;
    byId("tab-text").hidden = false;
    document.body.classList.add("with-parser");
    if (!this.turned) this.show("text");
    choose();
  }
}

// The theme goes before the first drawing.
settings.applyTheme();
void new Page().start();
