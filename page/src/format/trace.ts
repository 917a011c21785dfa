// A trace as the server gives it (docs/server.md).
import type { Action, ScoredArc, StackItem, Step, Trace } from "../tree/trace";
import { countIn, isObject, listIn, numberIn, textIn, type Json, type JsonObject } from "./json";

export function traceFromJson(value: Json | undefined): Trace | null {
  if (!isObject(value)) return null;
  const about = { system: textIn(value["system"]), whose: textIn(value["whose"]) };
  if (value["kind"] === "transition") {
    return { ...about, kind: "transition", steps: listIn(value["steps"]).filter(isObject).map(stepFrom) };
  }
  if (value["kind"] === "graph") {
    return { ...about, kind: "graph", arcs: listIn(value["arcs"]).filter(isObject).map(arcFrom) };
  }
  return null;
}

function stepFrom(value: JsonObject): Step {
  const actions = listIn(value["actions"]).filter(isObject).map(actionFrom);
  return {
    stack: listIn(value["stack"]).map(itemFrom),
    buffer: listIn(value["buffer"]).map((word) => countIn(word) ?? 0),
    actions,
    taken: Math.min(countIn(value["taken"]) ?? 0, Math.max(0, actions.length - 1)),
    forced: value["forced"] === true,
  };
}

function itemFrom(value: Json): StackItem {
  if (isObject(value)) {
    return { label: textIn(value["label"]), first: countIn(value["first"]) ?? 0, last: countIn(value["last"]) ?? 0 };
  }
  const word = countIn(value) ?? 0;
  return { label: "", first: word, last: word };
}

function actionFrom(value: JsonObject): Action {
  const head = countIn(value["head"]);
  const dependent = countIn(value["dependent"]);
  const first = countIn(value["first"]);
  const last = countIn(value["last"]);
  return {
    move: textIn(value["move"]),
    label: textIn(value["label"]),
    arc: head !== null && dependent !== null ? { head, dependent } : null,
    span: first !== null && last !== null ? { first, last } : null,
    score: numberIn(value["score"]) ?? 0,
  };
}

function arcFrom(value: JsonObject): ScoredArc {
  return {
    head: countIn(value["head"]) ?? 0,
    dependent: countIn(value["dependent"]) ?? 0,
    label: textIn(value["label"]),
    score: numberIn(value["score"]) ?? 0,
    chosen: value["chosen"] === true,
  };
}
