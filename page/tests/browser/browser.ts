// Debian's Chromium, driven by Playwright, with an empty profile of its own for each run.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";
import { startMock, type MockServer } from "../mock/server";

declare const PAGE_FOLDER: string;
export const DIST = new URL("dist/", PAGE_FOLDER);

const FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find(existsSync) ?? "/usr/bin/chromium";

export interface Opened {
  page: Page;
  /** What must not happen: errors, refused by the policy, requests to elsewhere. */
  troubles: string[];
}

/** A browser and a mock server for one file of tests. */
export class Browser {
  mock!: MockServer;
  private profile = "";

  async start(): Promise<void> {
    this.mock = await startMock(DIST);
    this.profile = mkdtempSync(join(tmpdir(), "espalier-page-"));
  }

  private readonly contexts: BrowserContext[] = [];

  async context(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const context = await chromium.launchPersistentContext(mkdtempSync(join(this.profile, "profile-")), {
      executablePath: EXECUTABLE, args: FLAGS, viewport: { width: 1280, height: 800 }, ...options,
    });
    this.contexts.push(context);
    return context;
  }

  async open(address = this.mock.address, options: BrowserContextOptions = {}): Promise<Opened> {
    const context = await this.context(options);
    const page = context.pages()[0] ?? (await context.newPage());
    const troubles: string[] = [];
    page.on("pageerror", (error) => troubles.push(`error: ${error.message}`));
    page.on("console", (message) => {
      if (message.type() === "error" && !/status of (401|503)/.test(message.text())) troubles.push(`console: ${message.text()}`);
    });
    page.on("dialog", (dialog) => {
      troubles.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on("request", (request) => {
      const url = request.url();
      if (!url.startsWith(this.mock.address) && !/^(blob|data|file):/.test(url)) troubles.push(`request: ${url}`);
    });
    await page.goto(address);
    return { page, troubles };
  }

  async stop(): Promise<void> {
    await Promise.all(this.contexts.map((context) => context.close()));
    await this.mock.close();
    rmSync(this.profile, { recursive: true, force: true });
  }
}
