// A server that answers as `espalier serve` does, without a parser: enough for the page to be tried.
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readConllu } from "../../src/format/conllu";
import { treeFor, type MockWord } from "./sentences";

/** As the server sends it. */
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export interface Request {
  text?: string;
  conllu?: string;
  keep?: string[];
  kbest?: number;
  trace?: boolean;
  confidence?: boolean;
}

export interface MockServer {
  address: string;
  requests: Request[];
  wantToken: string;
  delay: number;
  differAt: number; // index of the word from which on trees of a list differ
  close(): Promise<void>;
}

const TYPES: Record<string, string> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
};

export async function startMock(dist: URL): Promise<MockServer> {
  const mock: MockServer = {
    address: "",
    requests: [],
    wantToken: "",
    delay: 0,
    differAt: 0,
    close: async () => undefined,
  };
  const server: Server = createServer((request, response) => void answer(request, response, dist, mock));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  mock.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  mock.close = () =>
    new Promise((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  return mock;
}

async function answer(request: IncomingMessage, response: ServerResponse, dist: URL, mock: MockServer): Promise<void> {
  const send = (status: number, type: string, body: string): void => {
    response
      .writeHead(status, {
        "Content-Type": type,
        "Content-Security-Policy": POLICY,
        "X-Content-Type-Options": "nosniff",
      })
      .end(body);
  };
  const json = (status: number, value: unknown): void => send(status, "application/json", JSON.stringify(value));
  const path = request.url ?? "/";
  if (path.startsWith("/v1/") && mock.wantToken && request.headers.authorization !== `Bearer ${mock.wantToken}`) {
    return json(401, { error: { status: 401, message: "this server wants a token" } });
  }
  if (path === "/v1/models") {
    const model = {
      language: "en",
      predicts: ["tokens", "tags", "lemmas", "heads"],
      tokenizer: true,
      kbest: true,
      trace: true,
      confidence: true,
    };
    return json(200, {
      models: [
        { name: "toy", ...model },
        { name: "plain", ...model, kbest: false, trace: false, confidence: false },
        { name: "de_toy", ...model, language: "de", kbest: false, trace: false },
        { name: "phrases", ...model, predicts: ["tokens", "tags", "constituents"], kbest: false },
      ],
      default: "toy",
    });
  }
  if (path === "/v1/parse") {
    let body = "";
    for await (const piece of request) body += String(piece);
    const asked = JSON.parse(body) as Request & { model: string };
    mock.requests.push(asked);
    if (asked.text?.includes("FAIL"))
      return json(503, { error: { status: 503, message: "the queue is full; try again" } });
    await new Promise((resolve) => setTimeout(resolve, mock.delay));
    const write = asked.model === "phrases" ? phrasesJson : toJson(mock.differAt);
    return json(200, { model: asked.model, sentences: sentencesIn(asked).map((words) => write(words, asked)) });
  }
  const name = path === "/" ? "index.html" : path.slice(1);
  if (!["index.html", "script.js", "style.css"].includes(name))
    return json(404, { error: { status: 404, message: "there is nothing at this path" } });
  send(200, TYPES[name.split(".").at(-1) ?? ""] ?? "text/plain", readFileSync(new URL(name, dist), "utf8"));
}

function sentencesIn({ text, conllu, keep }: Request): MockWord[][] {
  if (conllu !== undefined) {
    return readConllu(conllu).map((sentence) => {
      const tree = treeFor(sentence.words.map((word) => word.form));
      return tree.map(([form, lemma, upos, head, deprel, feats], i) => {
        const given = keep?.includes("heads") ? sentence.words[i] : undefined;
        const tag = keep?.includes("tags") ? sentence.words[i]?.upos : undefined;
        return [
          form,
          lemma,
          tag === undefined || tag === "_" ? upos : tag,
          given?.head ?? head,
          given?.head == null ? deprel : given.deprel === "_" ? "dep" : given.deprel,
          feats,
        ];
      });
    });
  }
  const sentences = (text ?? "").match(/[^.!?\n]+[.!?]?/g) ?? [];
  return sentences
    .map((sentence) => sentence.match(/[^\s.,!?]+|[.,!?]/g) ?? [])
    .filter((words) => words.length > 0)
    .map(treeFor);
}

const toJson =
  (differAt: number) =>
  (words: MockWord[], { kbest, trace, confidence }: Request): unknown => {
    return {
      version: 2,
      text: words
        .map(([form]) => form)
        .join(" ")
        .replace(/ (?=[.,!?])/g, ""),
      ...(confidence ? { confidence: 0.87 } : {}),
      comments: [],
      tokens: words.map(([form, lemma, upos, head, deprel, feats], i) => ({
        id: i + 1,
        form,
        lemma,
        upos,
        feats: feats ?? {},
        head,
        deprel,
        ...(confidence ? { confidence: i === 0 ? 0.42 : 0.97 } : {}),
      })),
      ...(kbest ? { kbest: listOf(words, kbest, differAt) } : {}),
      ...(trace ? { trace: traceOf(words) } : {}),
    };
  };

/** The tree itself, and some in which one word hangs elsewhere. */
function listOf(words: MockWord[], k: number, differAt: number): unknown[] {
  const heads = words.map((word) => word[3]);
  const deprels = words.map((word) => word[4]);
  const list = [{ score: 10, heads, deprels }];
  for (let i = differAt; i < words.length && list.length < Math.min(k, 4); i++) {
    if (heads[i] === 0) continue;
    const other = [...heads];
    other[i] = heads.indexOf(0) + 1 === heads[i] ? (i === 0 ? 2 : i) : heads.indexOf(0) + 1;
    list.push({
      score: 10 - list.length * 0.75,
      heads: other,
      deprels: deprels.map((label, j) => (j === i ? "dep" : label)),
    });
  }
  return list;
}

/** The steps of arc-hybrid to the tree, as far as it is projective. */
function traceOf(words: MockWord[]): unknown {
  const steps: unknown[] = [];
  const stack = [0];
  const buffer = words.map((_, i) => i + 1);
  const attached = new Set<number>();
  const head = (word: number): number => words[word - 1]?.[3] ?? -1;
  const open = (word: number): boolean => words.some((other, i) => other[3] === word && !attached.has(i + 1));
  for (let guard = 0; guard < 4 * words.length && (buffer.length > 0 || stack.length > 1); guard++) {
    const top = stack.at(-1) ?? 0;
    const below = stack.at(-2) ?? 0;
    const canClose = top > 0 && !open(top);
    const move = canClose && head(top) === buffer[0] ? "left" : canClose && head(top) === below ? "right" : "shift";
    if (move === "shift" && buffer.length === 0) break;
    const arc = move === "left" ? { head: buffer[0], dependent: top } : { head: below, dependent: top };
    const label = words[top - 1]?.[4] ?? "";
    steps.push({
      stack: [...stack],
      buffer: [...buffer],
      forced: stack.length === 1,
      taken: 0,
      actions: [
        { move, score: 3.1, ...(move === "shift" ? {} : { label, ...arc }) },
        { move: move === "shift" ? "left" : "shift", score: 1.2 },
      ],
    });
    if (move === "shift") stack.push(buffer.shift() ?? 0);
    else attached.add(stack.pop() ?? 0);
  }
  return { kind: "transition", system: "arc-hybrid", steps };
}

/** A sentence whose words but the first are a noun phrase, from an agenda. */
function phrasesJson(words: MockWord[], { trace, confidence }: Request): unknown {
  const n = words.length;
  const leaves = words.map(([form, , upos]) => `(${upos} ${form})`);
  const build = (label: string, first: number, last: number, score: number): unknown => ({
    move: "build",
    label,
    first,
    last,
    score,
  });
  const steps = [
    {
      stack: words.map((_, i) => i + 1),
      actions: [build("NP", 2, n, -0.1), build("S", 1, 2, -2.3)],
    },
    {
      stack: [1, { label: "NP", first: 2, last: n }],
      actions: [build("S", 1, n, -0.2)],
    },
  ].map((step) => ({ ...step, buffer: [], taken: 0, forced: false }));
  return {
    version: 2,
    comments: confidence ? [`# bracket = S 1-${n} 0.97`, `# bracket = NP 2-${n} 0.42`] : [],
    tokens: words.map(([form, lemma, upos], i) => ({ id: i + 1, form, lemma, upos })),
    constituents: `(ROOT (S ${leaves[0]} (NP ${leaves.slice(1).join(" ")})))`,
    ...(trace ? { trace: { kind: "transition", system: "agenda", whose: "one of two strategies", steps } } : {}),
  };
}
