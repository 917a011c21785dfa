// Pictures for a person to look at, in build/page-test/pictures: desktop and phone, light and dark, right to left.
import { test } from "node:test";
import { mkdirSync } from "node:fs";
import { browser } from "../browser/browser";
import { BRACKETS, BRACKETS_OTHER, GOLD, HEBREW, LONG, SYSTEM, textFile } from "../browser/files";

declare const PAGE_FOLDER: string;
const PICTURES = new URL("../build/page-test/pictures/", PAGE_FOLDER).pathname;
mkdirSync(PICTURES, { recursive: true });

const SIZES = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 800 } };

for (const [name, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ["light", "dark"] as const) {
    test(`${name}, ${colorScheme}`, async () => {
      const { page } = await browser.openText({ viewport, colorScheme });
      const shoot = (what: string): Promise<Buffer> =>
        page.screenshot({ path: `${PICTURES}${name}-${colorScheme}-${what}.png` });
      await page.waitForSelector("svg.tree");
      await shoot("text");
      await page.hover("[data-word='2']");
      await shoot("hover");
      await page.mouse.move(0, 0);
      await page.click("[data-panel='list']");
      await page.waitForSelector(".candidate");
      await page.screenshot({ path: `${PICTURES}${name}-${colorScheme}-list.png`, fullPage: true });
      await page.click("[data-panel='steps']");
      for (let i = 0; i < 4; i++) await page.click("[aria-label='Next step']");
      await page.screenshot({ path: `${PICTURES}${name}-${colorScheme}-steps.png`, fullPage: true });
      await page.click("[data-panel='steps']");
      await page.click("[data-word='2']");
      await page.waitForSelector(".choices li.current");
      await shoot("inspector");
      await page.keyboard.press("Escape");
      await page.click("#tab-files");
      await shoot("files");
      const put = (slot: number, file: string, text: string): Promise<void> =>
        page.locator("input[type=file]").nth(slot).setInputFiles(textFile(file, text));
      for (const [what, first, second] of [
        ["compare", GOLD, SYSTEM],
        ["brackets", BRACKETS, BRACKETS_OTHER],
        ["long", LONG, ""],
        ["hebrew", HEBREW, ""],
      ] as const) {
        await put(0, `${what}.conllu`, first);
        await page.waitForSelector(".file-view svg.tree");
        if (second) await put(0, "second.conllu", second);
        await page.waitForTimeout(100);
        await page.screenshot({ path: `${PICTURES}${name}-${colorScheme}-${what}.png`, fullPage: what !== "compare" });
        const remove = page.locator("[aria-label^='Remove']");
        while ((await remove.count()) > 0) await remove.first().click();
      }
      await page.close();
    });
  }
}

// ESPALIER_ADDRESS=http://127.0.0.1:8000/ npm run pictures: with a real model.
test("for docs/page.md", async () => {
  const { page } = await browser.open(process.env["ESPALIER_ADDRESS"], { viewport: { width: 1180, height: 900 } });
  await page.waitForSelector("svg.tree");
  await page.fill("#text", "My sister saw the gardener with the ladder.");
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 1);
  await page.click("[data-panel='list']");
  await page.waitForSelector(".candidate");
  await page.click("[data-word='8']");
  await page.waitForSelector(".choices li.current");
  await page.mouse.move(0, 0);
  await page.waitForTimeout(300);
  await page.screenshot({ path: `${PICTURES}docs.png` });
});
