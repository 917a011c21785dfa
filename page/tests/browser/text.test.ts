// Text that is parsed as one types, and everything that can be done with its trees.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { readConllu } from "../../src/format/conllu";
import { browser } from "./browser";

const words = (page: Page): Promise<string[]> => page.locator(".card .trees .word .form").allTextContents();

test("trees appear while one types, and only the last text is asked for", async () => {
  const { page, troubles } = await browser.open();
  await page.waitForSelector("svg.tree");
  browser.mock.requests.length = 0;
  await page.fill("#text", "");
  await page.locator("#text").pressSequentially("Figs ripen.", { delay: 10 });
  await page.waitForFunction(() => document.querySelectorAll(".word").length === 3);
  assert.deepEqual(await words(page), ["Figs", "ripen", "."]);
  assert.ok(browser.mock.requests.length <= 3, `${browser.mock.requests.length} requests`);
  assert.equal(browser.mock.requests.at(-1)?.text, "Figs ripen.");
  assert.match((await page.textContent(".status"))!, /1 sentence, 3 words/);

  browser.mock.delay = 600; // an old answer that comes late is not shown
  await page.fill("#text", "Old text.");
  await page.waitForTimeout(400);
  browser.mock.delay = 0;
  await page.fill("#text", "New text.");
  await page.waitForFunction(() => document.querySelector(".word .form")?.textContent === "New");
  await page.waitForTimeout(700);
  assert.equal((await words(page))[0], "New");

  await page.fill("#text", "FAIL");
  await page.waitForSelector(".status.problem");
  assert.match((await page.textContent(".status"))!, /queue is full/);
  assert.deepEqual(troubles, []);
});

test("hovering tells all about a word, and arcs light up", async () => {
  const { page, troubles } = await browser.open();
  await page.hover("[data-word='2'] .form");
  const card = page.locator(".hover-card");
  for (const text of ["planes", "plane", "noun", "plural", "nsubj", "subject", "dangerous", "97 %"]) {
    assert.ok((await card.textContent())!.includes(text), text);
  }
  assert.equal(await page.locator(".arc.lit").count(), 2); // to its head, and from its dependent
  await page.hover("h1");
  assert.equal(await card.isVisible(), false);
  assert.deepEqual(troubles, []);
});

test("clicking an arc shows the alternatives; fixing one parses again with it", async () => {
  const { page, troubles } = await browser.open();
  await page.locator("[data-dependent='1'] .label").first().click();
  await page.waitForSelector(".choices li.current");
  assert.match((await page.textContent(".choices"))!, /amod ← planes.*dep ← dangerous/);
  await page.click(".choices button");
  await page.waitForSelector(".arc.fixed[data-dependent='1'][data-head='5']");
  const asked = readConllu(browser.mock.requests.at(-1)!.conllu ?? browser.mock.requests.at(-2)!.conllu!)[0]!;
  assert.deepEqual(
    asked.words.map(({ head, deprel }) => `${head} ${deprel}`),
    ["5 dep", "null _", "null _", "null _", "null _", "null _"],
  );
  assert.match((await page.textContent(".fixed-bar"))!, /Flying ← dangerous/);
  await page.click(".fixed-bar button");
  await page.waitForSelector(".arc.fixed", { state: "detached" });
  await page.waitForSelector(".arc[data-dependent='1'][data-head='2']");
  assert.deepEqual(troubles, []);
});

test("dragging a word onto another fixes its head", async () => {
  const { page, troubles } = await browser.open();
  const middle = async (selector: string): Promise<[number, number]> => {
    const box = (await page.locator(selector).first().boundingBox())!;
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  await page.waitForSelector("[data-word='3']");
  await page.mouse.move(...(await middle("[data-word='3'] .form")));
  await page.mouse.down();
  await page.mouse.move(...(await middle("[data-word='4'] .form")), { steps: 4 });
  assert.equal(await page.locator(".rubber").count(), 1);
  await page.mouse.move(...(await middle("[data-word='2'] .form")), { steps: 4 });
  await page.mouse.up();
  await page.waitForSelector(".arc.fixed[data-dependent='3'][data-head='2']");
  assert.deepEqual(troubles, []);
});

test("a head is picked in the tree, or in a list, without a mouse", async () => {
  const { page, troubles } = await browser.open();
  await page.focus("[data-word='1']");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-word")), "3");
  await page.keyboard.press("ArrowUp"); // can → dangerous
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-word")), "5");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  await page.selectOption(".decide select", "4");
  await page.fill(".decide input", "advcl");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".arc.fixed[data-dependent='1'][data-head='4'][data-label='advcl']");
  await page.click("text=Pick in the tree");
  await page.click("[data-word='3']");
  await page.waitForSelector(".arc.fixed[data-dependent='1'][data-head='3']");
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".inspector").isVisible(), false);
  assert.equal(
    await page.evaluate(() => document.activeElement?.getAttribute("data-word")),
    "1",
    "the keyboard is back",
  );
  assert.deepEqual(troubles, []);
});

test("the k-best list stands side by side with differences marked", async () => {
  const { page, troubles } = await browser.open();
  await page.locator("[data-panel='list']").first().click();
  await page.waitForSelector(".candidate");
  assert.equal(await page.locator(".candidate").count(), 4);
  assert.equal(await page.locator(".candidate").first().locator(".arc.different").count(), 0);
  assert.equal(await page.locator(".candidate").nth(1).locator(".arc.different").count(), 1);
  assert.match(
    (await page.locator(".candidate").nth(1).textContent())!,
    /9.25 \(−0.75\).*amod ← planes.*dep ← dangerous/,
  );
  await page.locator("text=Take this tree").first().click();
  await page.waitForSelector(".trees .arc[data-dependent='1'][data-head='5']");
  assert.deepEqual(troubles, []);
});

test("trees of the list that are wide are turned to what they have differently", async () => {
  const { page, troubles } = await browser.open();
  const long = Array.from({ length: 40 }, (_, i) => `pear${i}`).join(" ");
  await page.waitForSelector("svg.tree");
  await page.fill("#text", `${long}.`);
  await page.waitForFunction(() => document.querySelectorAll(".trees .word").length === 41);
  browser.mock.differAt = 30;
  await page.locator("[data-panel='list']").first().click();
  await page.waitForSelector(".candidate");
  const seen = await page.locator(".candidate:nth-child(2)").evaluate((candidate) => {
    const canvas = candidate.querySelector(".canvas")!.getBoundingClientRect();
    const word = candidate.querySelector(".word.different")!.getBoundingClientRect();
    return word.left >= canvas.left && word.right <= canvas.right;
  });
  browser.mock.differAt = 0;
  assert.ok(seen);
  assert.deepEqual(troubles, []);
});

test("one steps through the parser to the tree", async () => {
  const { page, troubles } = await browser.open();
  await page.locator("[data-panel='steps']").first().click();
  await page.waitForSelector(".steps");
  assert.match((await page.textContent(".step-bar"))!, /arc-hybrid.*0 \/ 12/);
  assert.equal(await page.locator(".steps .arc").count(), 0);
  const slider = page.locator(".step-bar input");
  for (let i = 0; i < 3; i++) await page.click("[aria-label='Next step']");
  assert.match((await page.textContent(".state"))!, /Stack.*ROOT.*planes.*Buffer.*can/);
  assert.equal(await page.locator(".steps .arc").count(), 1);
  assert.match((await page.textContent(".scores li.taken"))!, /shift/);
  await slider.press("End");
  assert.equal(await page.locator(".steps .arc").count(), 6);
  assert.deepEqual(troubles, []);
});

test("phrases are built step by step, too", async () => {
  const { page, troubles } = await browser.open();
  await page.waitForSelector("[data-panel='list']");
  await page.selectOption("#model", "phrases");
  await page.waitForSelector(".trees [data-phrase='NP']");
  await page.locator("[data-panel='steps']").first().click();
  await page.waitForSelector(".steps");
  assert.match((await page.textContent(".steps"))!, /Steps of agenda.*Of one of two strategies\./);
  const phrases = (): Promise<string[]> => page.locator(".steps .phrase .label").allTextContents();
  assert.deepEqual(await phrases(), []);
  assert.equal(await page.locator(".steps .word").count(), 6);
  assert.match((await page.textContent(".scores"))!, /build NP: planes … \..*build S: Flying planes/);
  await page.click("[aria-label='Next step']");
  assert.deepEqual(await phrases(), ["NP"]);
  assert.match((await page.textContent(".step-body"))!, /Items.*Flying.*NP planes/);
  await page.locator(".step-bar input").press("End");
  assert.deepEqual(await phrases(), ["ROOT", "S", "NP"]);
  assert.deepEqual(troubles, []);
});

test("a token is asked for where the server wants one", async () => {
  browser.mock.wantToken = "secret";
  const { page, troubles } = await browser.open();
  await page.fill("[aria-label='Token']", "secret");
  await page.keyboard.press("Enter");
  await page.waitForSelector("svg.tree");
  browser.mock.wantToken = "";
  assert.deepEqual(troubles, []);
});

test("another model parses the text again", async () => {
  const { page, troubles } = await browser.open();
  await page.waitForSelector("[data-panel='list']");
  await page.selectOption("#model", "plain");
  await page.waitForFunction(
    () => document.querySelectorAll("[data-panel]").length === 0 && document.querySelectorAll("svg.tree").length > 0,
  );
  assert.match((await page.textContent(".status"))!, /with plain/);
  assert.deepEqual(troubles, []);
});
