// Choices of the user, kept in the browser if it allows that.

const THEMES = ["auto", "light", "dark"] as const;
type Theme = (typeof THEMES)[number];

function stored(key: string): string | null {
  try {
    return localStorage.getItem(`espalier.${key}`);
  } catch {
    return null; // a page from a file may have no storage
  }
}

function store(key: string, value: string): void {
  try {
    localStorage.setItem(`espalier.${key}`, value);
  } catch {
    // then it is forgotten with the page
  }
}

class Settings {
  private theme: Theme = THEMES.find((theme) => theme === stored("theme")) ?? "auto";
  private wraps = stored("wrap") !== "no";

  get wrap(): boolean {
    return this.wraps;
  }
  set wrap(wrap: boolean) {
    this.wraps = wrap;
    store("wrap", wrap ? "yes" : "no");
  }

  nextTheme(): void {
    this.theme = THEMES[(THEMES.indexOf(this.theme) + 1) % THEMES.length] as Theme;
    store("theme", this.theme);
    this.applyTheme();
  }

  applyTheme(): void {
    document.documentElement.dataset["theme"] = this.theme;
    const button = document.getElementById("theme");
    const name = { auto: "as the system", light: "light", dark: "dark" }[this.theme];
    button?.setAttribute("aria-label", `Colours: ${name}`);
    button?.setAttribute("title", `Colours: ${name}`);
  }
}

export const settings = new Settings();
