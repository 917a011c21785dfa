// Words that would like to be markup, and a page that everybody can use.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { browser } from "./browser";
import { GOLD, SYSTEM, textFile } from "./files";
import { HOSTILE } from "./hostile";

/** Every column of every word hostile, each sentence with one string. */
function hostileTreebank(): string {
  return HOSTILE.map((raw) => {
    const text = raw.replace(/[\t\r\n]/g, " ");
    const line = (id: number, head: number): string =>
      [id, text, text, text, text, `${text}=${text}`, head, text, "_", `x=${text}`].join("\t");
    return `# sent_id = ${text}\n# text = ${text}\n1-2\t${text}${"\t_".repeat(8)}\n${line(1, 2)}\n${line(2, 0)}\n`;
  }).join("\n");
}

test("none of the hostile strings runs, in any column, panel or file that is saved", async () => {
  assert.ok(HOSTILE.length >= 50);
  const { page, troubles } = await browser.open();
  await page.waitForSelector("svg.tree");
  const elements = await page.evaluate(
    () => document.querySelectorAll("script, iframe, img, object, embed, foreignObject, a[href^='javascript']").length,
  );
  for (const text of HOSTILE) {
    await page.fill("#text", text + " x");
    await page.keyboard.press("Space");
  }
  await page.waitForTimeout(600);
  await page.click("#tab-files");
  await page
    .locator("input[type=file]")
    .last()
    .setInputFiles(textFile('"><img src=x onerror=window.hacked=1>.conllu', hostileTreebank()));
  await page.waitForSelector(".file-view svg.tree");
  const pages = Math.ceil(HOSTILE.length / 10);
  for (let i = 0; i < pages; i++) {
    const cards = await page.locator(".file-view .card").count();
    for (let card = 0; card < cards; card++) {
      const own = page.locator(".file-view .card").nth(card);
      await own.locator("[data-word='1']").first().focus();
      await page.keyboard.press("Enter");
    }
    await page.waitForSelector(".choices li:not(.quiet)");
    await page.keyboard.press("Escape");
    const first = page.locator(".file-view .card").first();
    await first.locator("[data-panel='list']").click();
    await first.locator(".candidate").first().waitFor();
    await first.locator("[data-panel='steps']").click();
    await first.locator(".steps").waitFor();
    if (i + 1 < pages) await page.locator(".file-view [aria-label='Next page']").first().click();
  }
  await page.fill("[aria-label='Search']", HOSTILE[0]!);
  await page.waitForTimeout(300);
  assert.equal(await page.evaluate(() => (window as { hacked?: unknown }).hacked), undefined);
  assert.equal(
    await page.evaluate(
      () =>
        document.querySelectorAll("script, iframe, img, object, embed, foreignObject, a[href^='javascript']").length,
    ),
    elements,
  );
  assert.deepEqual(troubles, []);
});

test("a saved SVG with hostile words is well-formed and holds no script", async () => {
  const { page } = await browser.open();
  await page.click("#tab-files");
  const form = HOSTILE.slice(0, 12).map((text) => text.replace(/[\t\r\n]/g, " "));
  const lines = form.map((text, i) => [i + 1, text, "_", text, "_", "_", i, text, "_", "_"].join("\t"));
  await page
    .locator("input[type=file]")
    .last()
    .setInputFiles(textFile("x.conllu", lines.join("\n")));
  await page.locator(".file-view .menu summary").click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.locator(".menu-list button", { hasText: "SVG" }).last().click(),
  ]);
  const svg = readFileSync(await file.path(), "utf8");
  const names = await page.evaluate((text) => {
    const document = new DOMParser().parseFromString(text, "image/svg+xml");
    return [...document.querySelectorAll("*")].flatMap((element) => [
      element.tagName,
      ...[...element.attributes].map(({ name }) => `@${name}`),
    ]);
  }, svg);
  assert.deepEqual(
    names.filter((name) => /parsererror|script|foreignObject|@on|@href/i.test(name)),
    [],
  );
  assert.ok(names.includes("title"));
});

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string;
  nodes: { html: string }[];
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`axe finds nothing serious, ${colorScheme}`, async () => {
    const { page } = await browser.openText({ colorScheme, bypassCSP: true });
    const check = async (where: string): Promise<void> => {
      await page.waitForTimeout(250); // what fades has faded
      const violations = (await page.evaluate("axe.run().then((result) => result.violations)")) as Finding[];
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      assert.deepEqual(
        serious.map(({ id, nodes }) => `${where}: ${id}: ${nodes[0]?.html}`),
        [],
      );
    };
    await page.waitForSelector("svg.tree");
    await page.evaluate(AXE);
    await check("text");
    await page.locator("[data-panel='list']").first().click();
    await page.waitForSelector(".candidate");
    await check("list");
    await page.locator("[data-panel='steps']").first().click();
    await page.waitForSelector(".steps");
    await page.click("[aria-label='Next step']");
    await check("steps");
    await page.click("[data-word='2']");
    await page.waitForSelector(".choices li.current");
    await check("inspector");
    await page.click(".choices button");
    await page.waitForSelector(".decision-bar .chip");
    await check("fixed");
    await page.click("#tab-files");
    await check("no file");
    for (const [name, text] of [
      ["a", GOLD],
      ["b", SYSTEM],
    ] as const) {
      await page.locator("input[type=file]").last().setInputFiles(textFile(name, text));
      await page.locator(".slot.filled", { hasText: name }).waitFor();
    }
    await page.waitForSelector(".scores-all");
    await page.click(".guide summary");
    await check("files");
    await page.click("#tab-text");
    await page.selectOption("#model", "phrases");
    await page.waitForSelector(".trees .phrase");
    await page.locator("[data-panel='steps']").first().click();
    await page.waitForSelector(".steps");
    await page.click("[aria-label='Next step']");
    await check("steps of phrases");
  });
}
