// Treebanks: browsing, searching, comparing, saving; and the page that draw --to html writes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { browser, DIST } from "./browser";
import { BRACKETS, BRACKETS_OTHER, BROKEN, GOLD, HEBREW, LONG, SYSTEM, textFile } from "./files";

async function put(page: Page, ...files: [string, string][]): Promise<void> {
  await page.click("#tab-files");
  for (const [name, text] of files) {
    await page.locator("input[type=file]").last().setInputFiles(textFile(name, text));
    await page.locator(".slot.filled", { hasText: name }).waitFor();
  }
  await page.waitForSelector(".file-view svg.tree");
}

const numbers = (page: Page): Promise<string[]> => page.locator(".file-view .card .number").allTextContents();

test("a file is shown a page at a time, and searched", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["gold.conllu", GOLD]);
  assert.match((await page.textContent(".slot.filled"))!, /gold.conllu23 sentences, 115 words/);
  assert.equal(await page.locator(".file-view .card").count(), 10);
  await page.locator(".file-view [aria-label='Next page']").first().click();
  await page.locator(".file-view [aria-label='Next page']").first().click();
  assert.deepEqual(await numbers(page), ["21", "22", "23"]);
  await page.fill("[aria-label='Search']", "quince, rel:advmod");
  await page.waitForFunction(() => document.querySelectorAll(".file-view .card").length === 4);
  assert.deepEqual(await numbers(page), ["4", "10", "16", "22"]);
  assert.match((await page.textContent(".summary"))!, /4 of 23 sentences/);
  assert.equal(await page.locator(".file-view .word.found").count(), 8);
  await page.fill("[aria-label='Search']", "quince rel:nsubj");
  await page.waitForFunction(() => document.querySelectorAll(".file-view .word.found").length === 4);
  await page.fill("[aria-label='Search']", "colour:red");
  await page.waitForSelector(".summary .problem");
  assert.deepEqual(troubles, []);
});

test("two files are compared: scores, marks, jumps", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["gold.conllu", GOLD], ["system.conllu", SYSTEM]);
  await page.waitForSelector(".scores-all");
  assert.match((await page.textContent(".scores-all"))!, /LAS98.26UAS98.26tags99.13the same20 of 23/);
  assert.deepEqual((await page.locator(".file-view .badge").allTextContents()).slice(1, 5), [
    "LAS 100 % · tags 80 %",
    "LAS 100 %",
    "LAS 80 %",
    "LAS 100 %",
  ]);
  // Words stand under each other, and a tag that differs is marked in both.
  const card = page.locator(".file-view .card").nth(1);
  assert.deepEqual(await card.locator(".name").allTextContents(), ["gold.conllu", "system.conllu"]);
  assert.deepEqual(await card.locator(".retagged .tag").allTextContents(), ["NOUN", "PROPN"]);
  const places = (layer: number): Promise<number[]> =>
    page
      .locator(".file-view .card")
      .nth(3)
      .locator("g.layer")
      .nth(layer)
      .locator(".form")
      .evaluateAll((all) => all.map((form) => Math.round(form.getBoundingClientRect().x)));
  assert.deepEqual(await places(0), await places(1));
  assert.equal((await places(0)).length, 5);
  await page.click("[aria-label='Next difference']");
  await page.keyboard.press("n");
  assert.equal(
    await page.evaluate(() => document.activeElement?.closest(".card")?.querySelector(".number")?.textContent),
    "4",
  );
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-word")), "4");
  await page.keyboard.press("n");
  assert.equal(
    await page.evaluate(() => document.activeElement?.closest(".card")?.querySelector(".number")?.textContent),
    "15",
  );
  await page.check(".only input");
  assert.deepEqual(await numbers(page), ["2", "4", "15"]);
  assert.equal(await page.locator(".arc.different").count(), 4); // one in each tree
  assert.deepEqual(troubles, []);
});

test("a file that is taken away leaves the other; keys work wherever the keyboard is", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["gold.conllu", GOLD], ["system.conllu", SYSTEM]);
  await page.waitForSelector(".scores-all");
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press("n");
  assert.equal(
    await page.evaluate(() => document.activeElement?.closest(".card")?.querySelector(".number")?.textContent),
    "2",
  );
  await page.click("[aria-label='Remove gold.conllu']");
  await page.waitForSelector(".scores-all", { state: "detached" });
  assert.match((await page.textContent(".slot.filled"))!, /system.conllu23 sentences/);
  assert.equal(await page.locator(".file-view .card").count(), 10);
  await page.fill("[aria-label='Search']", "nnn");
  await page.waitForFunction(() => document.querySelectorAll(".file-view .card").length === 0);
  assert.match((await page.textContent(".summary"))!, /0 of 23 sentences.*try fewer/);
  assert.deepEqual(troubles, []);
});

test("brackets are drawn and compared", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["gold.ptb", BRACKETS], ["system.ptb", BRACKETS_OTHER]);
  await page.waitForSelector(".phrase.different");
  assert.match((await page.textContent(".scores-all"))!, /F192.31/);
  assert.equal(await page.locator(".phrase.different").count(), 1);
  const places = await page
    .locator("svg.constituents")
    .evaluateAll((all) => all.map((svg) => [...svg.querySelectorAll(".form")].map((form) => form.getAttribute("x"))));
  assert.deepEqual(places[0], places[1]);
  assert.deepEqual(troubles, []);
});

test("what is wrong with a file is jumped to and told", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["broken.conllu", BROKEN]);
  await page.check(".only input");
  assert.deepEqual(await numbers(page), ["2", "3"]);
  await page.click("[aria-label='Next error']");
  await page.click("[aria-label='Next error']");
  await page.hover(".file-view .card:last-child [data-word='2']");
  assert.match((await page.textContent(".hover-card"))!, /has head 9, past the end/);
  assert.deepEqual(troubles, []);
});

test("a file is compared with the parser", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["gold.conllu", GOLD]);
  await page.click("text=Compare with the parser (toy)");
  await page.waitForSelector(".scores-all");
  assert.match((await page.textContent(".scores-all"))!, /UAS40.00/); // the toy knows none of these sentences: two of five by luck
  assert.deepEqual(troubles, []);
});

test("a dropped file is taken", async () => {
  const { page, troubles } = await browser.open();
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], "dropped.conllu"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
  }, GOLD);
  await page.waitForSelector(".file-view svg.tree");
  assert.match((await page.textContent(".slot.filled"))!, /dropped.conllu/);
  assert.deepEqual(troubles, []);
});

test("long sentences wrap, or scroll; nothing is wider than a phone", async () => {
  const { page, troubles } = await browser.open(undefined, { viewport: { width: 390, height: 800 } });
  for (const text of [LONG, HEBREW, BRACKETS]) {
    await put(page, ["long.conllu", text]);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await page.click("[aria-label^='Remove']");
  }
  await put(page, ["long.conllu", LONG]);
  const width = (): Promise<number> =>
    page
      .locator("svg.tree.arcs")
      .last()
      .evaluate((svg) => svg.clientWidth);
  assert.ok((await width()) <= 390);
  await page.uncheck("#wrap");
  assert.ok((await width()) > 2000);
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  assert.deepEqual(troubles, []);
});

test("right-to-left sentences run so", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["hebrew.conllu", HEBREW]);
  const left = async (word: number): Promise<number> =>
    (await page.locator(`.file-view [data-word="${word}"]`).boundingBox())!.x;
  assert.ok((await left(1)) > (await left(2)) && (await left(2)) > (await left(7)));
  await page.focus(".file-view [data-word='1']");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-word")), "2");
  assert.deepEqual(troubles, []);
});

test("SVG, PNG and CoNLL-U are saved", async () => {
  const { page, troubles } = await browser.open();
  await put(page, ["gold.conllu", GOLD]);
  const save = async (what: string): Promise<Buffer> => {
    await page.locator(".file-view .menu summary").first().click();
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.locator(".file-view .menu-list button", { hasText: what }).first().click(),
    ]);
    assert.equal(file.suggestedFilename(), `sentence-1.${what === "CoNLL-U" ? "conllu" : what.toLowerCase()}`);
    return readFileSync(await file.path());
  };
  const svg = (await save("SVG")).toString();
  assert.match(svg, /^<svg[^>]*xmlns="http:\/\/www.w3.org\/2000\/svg"/);
  assert.match(svg, /<title>The pear grows slowly \.<\/title>/);
  assert.match(svg, /stroke="rgb\(/); // colours stand in the file itself
  assert.ok(!/tabindex|class="hit"|<style/.test(svg));
  const png = await save("PNG");
  assert.equal(png.subarray(1, 4).toString(), "PNG");
  assert.ok(png.length > 3000);
  assert.equal((await save("CoNLL-U")).toString(), GOLD.split("\n\n")[0] + "\n\n");
  assert.deepEqual(troubles, []);
});

/** What `espalier draw --to html` writes, as page/standalone.cc puts it together. */
export function standalone(sentences: string): string {
  const part = (name: string): string => readFileSync(new URL(name, DIST), "utf8");
  return part("standalone.html")
    .replace("@@style@@", () => part("style.css"))
    .replace("@@script@@", () => part("script.js"))
    .replace("@@sentences@@", () => sentences.replaceAll("<", "\\u003c"));
}

test("a page for a file works by itself, without network, under its own policy", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "espalier-file-")), "trees.html");
  const sentence = {
    version: 2,
    comments: [],
    tokens: [{ id: 1, form: "</script><script>alert(1)</script>", upos: "X", head: 0, deprel: "root" }],
  };
  writeFileSync(
    file,
    standalone(
      JSON.stringify(sentence) +
        "," +
        JSON.stringify({ ...sentence, tokens: [{ id: 1, form: "plain", head: 0, deprel: "root" }] }),
    ),
  );
  const { page, troubles } = await browser.open(pathToFileURL(file).href, { offline: true });
  await page.waitForSelector("svg.tree");
  assert.deepEqual(await page.locator(".word .form").allTextContents(), [
    "</script><script>alert(1)</script>",
    "plain",
  ]);
  assert.equal(await page.locator("[data-panel]").count(), 0);
  assert.equal(await page.locator("#tab-text").isVisible(), false);
  const refused = await page.evaluate(async () => {
    const script = document.createElement("script");
    script.textContent = "window.ran = true";
    document.body.append(script);
    return (window as { ran?: boolean }).ran !== true;
  });
  assert.ok(refused, "the policy lets foreign scripts run");
  assert.deepEqual(
    troubles.filter((trouble) => !trouble.includes("Content Security Policy")),
    [],
  );
});
