// Debian's Chromium, driven by Playwright, with an empty profile.
import { existsSync } from "node:fs";
import { after, before } from "node:test";
import { chromium, type Browser as Chromium, type BrowserContextOptions, type Page } from "playwright-core";
import { TEXT } from "../mock/sentences";
import { startMock, type MockServer } from "../mock/server";

declare const PAGE_FOLDER: string;
export const DIST = new URL("dist/", PAGE_FOLDER);

const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync) ?? "/usr/bin/chromium";

export interface Opened {
  page: Page;
  /** What must not happen: errors, refused by the policy, requests to elsewhere. */
  troubles: string[];
}

/** A browser and a mock server, for all tests of a run. */
class Browser {
  mock!: MockServer;
  private chromium!: Chromium;

  async start(): Promise<void> {
    this.mock = await startMock(DIST);
    this.chromium = await chromium.launch({ executablePath: EXECUTABLE, args: FLAGS }); // Playwright makes an empty profile
  }

  async open(address = this.mock.address, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await this.chromium.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(30_000); // machines that test are busy
    const page = await context.newPage();
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of (401|503)/.test(message.text()))
        troubles.push(`console: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(new URL(address).origin + "/") && !/^(blob|data|file):/.test(url))
        troubles.push(`request: ${url}`);
    });
    await page.goto(address);
    return { page, troubles };
  }

  /** The mock server with the text whose trees it knows. */
  async openText(options: BrowserContextOptions = {}): Promise<Opened> {
    const opened = await this.open(undefined, options);
    await opened.page.waitForSelector("svg.tree");
    await opened.page.fill("#text", TEXT);
    await opened.page.waitForFunction(() => document.querySelector(".trees .form")?.textContent === "Flying");
    return opened;
  }

  async stop(): Promise<void> {
    await this.chromium.close();
    await this.mock.close();
  }
}

export const browser = new Browser();
before(() => browser.start());
after(() => browser.stop());
