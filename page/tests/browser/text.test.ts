// Text that is parsed as one types, and everything that can be done with its trees.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { readConllu } from "../../src/format/conllu";
import { browser } from "./browser";

const words = (page: Page): Promise<string[]> => page.locator(".card .trees .word .form").allTextContents();

test("trees appear while one types, and only the last text is asked for", async () => {
  const { page, troubles } = await browser.openText();
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

test("a text that has gone takes what was open about its words with it", async () => {
  const { page, troubles } = await browser.openText();
  await page.click("[data-word='2']");
  await page.waitForSelector(".choices li.current");
  assert.equal(await page.locator(".guide").isVisible(), false);
  await page.locator("#text").focus();
  await page.keyboard.press("End");
  await page.locator("#text").pressSequentially(" More follows.", { delay: 5 });
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 3);
  assert.ok(await page.locator(".inspector").isVisible(), "the first sentence is still there");
  await page.fill("#text", "Figs ripen.");
  await page.waitForFunction(() => document.querySelectorAll(".card").length === 1);
  assert.equal(await page.locator(".inspector").isVisible(), false);
  assert.equal(await page.locator(".guide").isVisible(), true);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "text", "the keyboard stays where one types");

  // An answer about a sentence that has gone meanwhile changes nothing, and says nothing.
  await page.click("[data-word='1']");
  browser.mock.delay = 4000;
  await page.selectOption(".decide select >> nth=0", "0");
  const [asked] = await Promise.all([
    page.waitForRequest((request) => request.postData()?.includes('"keep"') === true),
    page.locator(".decide .primary").click(),
  ]);
  const answered = asked.response();
  await page.waitForTimeout(500); // the mock has it, and takes its time
  browser.mock.delay = 0;
  await page.fill("#text", "Plums fall.");
  await page.waitForFunction(() => document.querySelector(".word .form")?.textContent === "Plums");
  await (await answered)!.finished();
  await page.waitForTimeout(300);
  assert.deepEqual(await words(page), ["Plums", "fall", "."]);
  assert.equal(await page.textContent("#toast"), "");
  assert.equal(await page.locator(".inspector").isVisible(), false);
  assert.deepEqual(troubles, []);
});

test("doubtful arcs are counted, named and dashed; a decided one is no longer doubtful", async () => {
  const { page, troubles } = await browser.openText();
  await page.waitForSelector("svg.tree");
  const first = page.locator(".card").first();
  assert.equal(await first.locator(".badge").textContent(), "1 doubtful arc");
  assert.match((await first.locator(".doubts").textContent())!, /less than 70 % sure:Flying42 %/);
  assert.equal(await first.locator(".arc.doubtful").count(), 1);
  assert.equal(
    await first.locator(".arc.doubtful .line").evaluate((line) => getComputedStyle(line).strokeDasharray),
    "4px, 3px",
  );
  await first.locator(".doubts .chip").click();
  await page.waitForSelector(".choices button");
  assert.match((await page.textContent(".inspector"))!, /Flying.*Confidence42 %/);
  await page.click(".choices button");
  await page.waitForSelector(".arc.fixed");
  assert.equal(await first.locator(".badge").textContent(), "no doubtful arcs");
  assert.equal(await first.locator(".doubts").isVisible(), false);
  assert.match((await page.textContent(".inspector"))!, /You decided this arc/);
  assert.ok(!(await page.textContent(".inspector"))!.includes("Confidence"));
  assert.deepEqual(troubles, []);
});

test("a tag is decided", async () => {
  const { page, troubles } = await browser.openText();
  await page.click("[data-word='1']");
  await page.selectOption(".decide select >> nth=1", "NOUN");
  await page.locator(".decide .primary").click();
  await page.waitForFunction(() => document.querySelector("[data-word='1'] .tag")?.textContent === "NOUN");
  const request = browser.mock.requests.findLast(({ keep }) => keep)!;
  assert.deepEqual(request.keep, ["tags"]);
  assert.deepEqual(
    readConllu(request.conllu!)[0]!.words.map(({ upos, head }) => [upos, head]),
    [["NOUN", null], ...Array.from({ length: 5 }, () => ["_", null])],
  );
  assert.match((await page.textContent(".decision-bar"))!, /Flying: NOUN/);
  // A head besides: both are asked for.
  await page.click(".choices button");
  await page.waitForSelector(".arc.fixed[data-head='5']");
  assert.deepEqual(browser.mock.requests.findLast(({ keep }) => keep)!.keep, ["tags", "heads"]);
  assert.match((await page.textContent(".decision-bar"))!, /Flying: NOUN, dep of dangerous/);
  await page.locator(".inspector").getByRole("button", { name: "Release" }).click();
  await page.waitForFunction(() => document.querySelector("[data-word='1'] .tag")?.textContent === "VERB");
  assert.equal(await page.locator(".decision-bar").first().isVisible(), false);
  assert.deepEqual(troubles, []);
});

test("nothing moves sideways when a word is opened, also in a long sentence", async () => {
  const { page, troubles } = await browser.openText();
  await page.waitForSelector("svg.tree");
  const places = (): Promise<number[]> =>
    page
      .locator(".trees [data-word]")
      .evaluateAll((all) => all.map((word) => Math.round(word.getBoundingClientRect().x)));
  await page.fill("#text", `${Array.from({ length: 60 }, (_, i) => `pear${i}`).join(" ")}.`);
  await page.waitForFunction(() => document.querySelectorAll(".trees .word").length === 61);
  const before = await places();
  await page.click("[data-word='30']");
  await page.waitForSelector(".choices li.current");
  assert.deepEqual(await places(), before);
  await page.keyboard.press("Escape");
  assert.deepEqual(await places(), before);
  assert.deepEqual(troubles, []);
});

test("hovering tells all about a word, and arcs light up", async () => {
  const { page, troubles } = await browser.openText();
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
  const { page, troubles } = await browser.openText();
  await page.locator("[data-dependent='1'] .label").first().click();
  await page.waitForSelector(".choices li.current");
  assert.match((await page.textContent(".choices"))!, /amod of planes.*dep of dangerous/);
  await page.click(".choices button");
  await page.waitForSelector(".arc.fixed[data-dependent='1'][data-head='5']");
  const asked = readConllu(browser.mock.requests.at(-1)!.conllu ?? browser.mock.requests.at(-2)!.conllu!)[0]!;
  assert.deepEqual(
    asked.words.map(({ head, deprel }) => `${head} ${deprel}`),
    ["5 dep", "null _", "null _", "null _", "null _", "null _"],
  );
  assert.match((await page.textContent(".decision-bar"))!, /Flying: dep of dangerous/);
  await page.click(".decision-bar button");
  await page.waitForSelector(".arc.fixed", { state: "detached" });
  await page.waitForSelector(".arc[data-dependent='1'][data-head='2']");
  assert.deepEqual(troubles, []);
});

test("dragging a word onto another fixes its head", async () => {
  const { page, troubles } = await browser.openText();
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
  const { page, troubles } = await browser.openText();
  await page.focus("[data-word='1']");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-word")), "3");
  await page.keyboard.press("ArrowUp"); // can → dangerous
  assert.equal(await page.evaluate(() => document.activeElement?.getAttribute("data-word")), "5");
  await page.keyboard.press("Home");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement?.className), "inspector", "the keyboard came along");
  await page.selectOption(".decide select >> nth=0", "4");
  await page.fill(".decide input", "advcl");
  await page.keyboard.press("Enter");
  await page.waitForSelector(".arc.fixed[data-dependent='1'][data-head='4'][data-label='advcl']");
  await page.click("text=Pick the head in the tree");
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

test("the k-best list is a line for each tree, and one drawing with the differences", async () => {
  const { page, troubles } = await browser.openText();
  await page.locator("[data-panel='list']").first().click();
  await page.waitForSelector(".candidate");
  assert.equal(await page.locator(".candidate").count(), 4);
  const lines = await page.locator(".candidate").allTextContents();
  assert.match(lines[0]!, /1\.the tree abovethe best/);
  assert.match(lines[1]!, /2\.Flying: dep of dangerous, not amod of planes0.75 points less/);
  // The second line is chosen: what it has alone, and what that replaces.
  assert.equal(await page.locator(".alternatives svg.tree").count(), 1);
  assert.equal(await page.locator(".alternatives .arc.different[data-dependent='1'][data-head='5']").count(), 1);
  assert.equal(await page.locator(".alternatives .arc.replaced[data-dependent='1'][data-head='2']").count(), 1);
  const top = (): Promise<number> =>
    page.locator(".candidates").evaluate((list) => Math.round(list.getBoundingClientRect().top));
  const before = await top();
  await page.locator(".candidate input").nth(2).check();
  assert.equal(await page.locator(".alternatives .arc.different[data-dependent='1']").count(), 0);
  assert.equal(await top(), before, "the list stays where it is");
  await page.locator(".candidate input").nth(0).check();
  assert.equal(await page.locator(".alternatives .arc.different, .alternatives .arc.replaced").count(), 0);
  assert.ok(await page.getByRole("button", { name: "Take this tree" }).isDisabled());
  await page.locator(".candidate input").nth(1).check();
  await page.getByRole("button", { name: "Take this tree" }).click();
  await page.waitForSelector(".trees .arc[data-dependent='1'][data-head='5']");
  assert.deepEqual(troubles, []);
});

test("one steps through the parser to the tree", async () => {
  const { page, troubles } = await browser.openText();
  await page.locator("[data-panel='steps']").first().click();
  await page.waitForSelector(".steps");
  assert.match((await page.textContent(".step-bar"))!, /arc-hybrid.*0 \/ 12/);
  assert.equal(await page.locator(".steps .arc").count(), 0);
  const slider = page.locator(".step-bar input");
  for (let i = 0; i < 3; i++) await page.click("[aria-label='Next step']");
  assert.match((await page.textContent(".state"))!, /Stack.*ROOT.*planes.*Buffer.*can/);
  assert.equal(await page.locator(".steps .arc").count(), 1);
  assert.match((await page.textContent(".scores li.taken"))!, /shiftbesttaken/);
  // The other action is at the distance that is usual in these steps: a quarter of the bar.
  assert.match((await page.locator(".scores li").nth(1).textContent())!, /1.9 points less/);
  const bars = page.locator(".scores .bar");
  assert.deepEqual(await bars.evaluateAll((all) => all.map((bar) => (bar as HTMLElement).style.inlineSize)), [
    "100%",
    "25%",
  ]);
  const place = (): Promise<number> =>
    page
      .locator(".steps .word .form")
      .nth(3)
      .evaluate((word) => Math.round(word.getBoundingClientRect().x));
  const before = await place();
  await slider.press("End");
  assert.equal(await page.locator(".steps .arc").count(), 6);
  assert.equal(await place(), before, "words stay in their places");
  assert.deepEqual(troubles, []);
});

test("doubtful phrases are counted, named and dashed, and shown when their name is pressed", async () => {
  const { page, troubles } = await browser.openText();
  await page.waitForSelector("svg.tree");
  await page.selectOption("#model", "phrases");
  await page.waitForSelector(".trees [data-phrase='NP']");
  const first = page.locator(".card").first();
  assert.equal(await first.locator(".badge").textContent(), "1 doubtful phrase");
  assert.match((await first.locator(".doubts").textContent())!, /less than 70 % sure:NP .* … .*42 %/);
  assert.deepEqual(await first.locator(".phrase.doubtful .label").allTextContents(), ["NP"]);
  assert.equal(
    await first
      .locator(".branch.doubtful")
      .first()
      .evaluate((line) => getComputedStyle(line).strokeDasharray),
    "4px, 3px",
  );
  await first.locator(".doubts .chip").click();
  assert.deepEqual(await first.locator(".phrase.selected .label").allTextContents(), ["NP"]);
  assert.deepEqual(troubles, []);
});

test("phrases are built step by step, too", async () => {
  const { page, troubles } = await browser.openText();
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
  const { page, troubles } = await browser.openText();
  await page.waitForSelector("[data-panel='list']");
  await page.selectOption("#model", "plain");
  await page.waitForFunction(
    () => document.querySelectorAll("[data-panel]").length === 0 && document.querySelectorAll("svg.tree").length > 0,
  );
  assert.match((await page.textContent(".status"))!, /by plain/);
  assert.deepEqual(troubles, []);
});

test("models are listed by language; an example follows the language, a text of one's own stays", async () => {
  const { page, troubles } = await browser.open();
  await page.waitForSelector("[data-panel='list']");
  assert.deepEqual(await page.locator("#model option").allTextContents(), [
    "English (toy)",
    "English (plain)",
    "English (phrases)",
    "German (de_toy)",
  ]);
  assert.equal(await page.inputValue("#model"), "toy");
  await page.selectOption("#model", "de_toy");
  await page.waitForFunction(() => document.querySelector(".trees .form")?.textContent === "Die");
  assert.equal(await page.locator(".card").first().getAttribute("lang"), "de");
  assert.equal(await page.getAttribute("#text", "placeholder"), "Type or paste text in German");
  await page.fill("#text", "Feigen reifen.");
  await page.waitForFunction(() => document.querySelector(".trees .form")?.textContent === "Feigen");
  await page.selectOption("#model", "plain");
  await page.waitForFunction(() => /by plain/.test(document.querySelector(".status")?.textContent ?? ""));
  assert.equal(await page.inputValue("#text"), "Feigen reifen.");
  assert.deepEqual(troubles, []);
});
