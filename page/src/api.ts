// The server's interface (docs/server.md): the list of models, and parsing. Addresses are relative, so that the page
// works behind any prefix.
import { isObject, listFromJson, listIn, sentenceFromJson, textIn, type Json, type JsonObject } from "./format/json";
import { traceFromJson } from "./format/trace";
import type { Analysis } from "./tree/analysis";
import type { Sentence } from "./tree/sentence";
import type { Trace } from "./tree/trace";

export interface ModelInfo {
  name: string;
  language: string;
  predicts: string[];
  kbest: boolean;
  trace: boolean; // can show how it builds a tree
  confidence: boolean; // is calibrated
}

export interface ParseRequest {
  model: string;
  text?: string;
  conllu?: string;
  keep?: ("tags" | "heads")[]; // given columns of the CoNLL-U to keep
  kbest?: number;
  trace?: boolean;
  confidence?: boolean;
}

export interface Parsed {
  sentence: Sentence;
  kbest: Analysis[];
  trace: Trace | null;
}

export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

export class Api {
  token = ""; // if the server needs one

  async models(): Promise<ModelInfo[]> {
    const answer = await this.ask("v1/models", {});
    return listIn(answer["models"])
      .filter(isObject)
      .map((model) => ({
        name: textIn(model["name"]),
        language: textIn(model["language"]),
        predicts: listIn(model["predicts"]).map((column) => textIn(column)),
        kbest: model["kbest"] === true,
        trace: model["trace"] === true,
        confidence: model["confidence"] === true,
      }));
  }

  async parse(request: ParseRequest, signal?: AbortSignal): Promise<Parsed[]> {
    const answer = await this.ask("v1/parse", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(request),
      signal: signal ?? null,
    });
    throwIfError(200, answer); // an answer that fails after its beginning ends with the error
    return listIn(answer["sentences"]).map((value) => {
      const sentence = sentenceFromJson(value);
      return {
        sentence,
        kbest: listFromJson(value, sentence.words.length),
        trace: isObject(value) ? traceFromJson(value["trace"]) : null,
      };
    });
  }

  private async ask(path: string, options: RequestInit): Promise<JsonObject> {
    const headers = new Headers(options.headers);
    if (this.token) headers.set("Authorization", `Bearer ${this.token}`);
    const response = await fetch(path, { ...options, headers });
    const body = (await response.json().catch(() => null)) as Json;
    if (!response.ok) {
      throwIfError(response.status, body);
      throw new ApiError(response.status, `The server answered ${response.status}.`);
    }
    if (!isObject(body)) throw new ApiError(response.status, "The server's answer was not JSON.");
    return body;
  }
}

function throwIfError(status: number, body: Json): void {
  const error = isObject(body) ? body["error"] : undefined;
  if (error === undefined) return;
  throw new ApiError(status, isObject(error) ? textIn(error["message"], "The server failed.") : String(error));
}
