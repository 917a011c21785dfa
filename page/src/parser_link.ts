// What the page asks of a model about a sentence that is on the screen: parse it again with what a reader decided, its
// k-best list, how it was parsed.
import type { Api, ModelInfo, Parsed, ParseRequest } from "./api";
import { writeConllu } from "./format/conllu";
import type { Analysis } from "./tree/analysis";
import { copyOf, wordAt, type Sentence } from "./tree/sentence";
import type { Trace } from "./tree/trace";

/** What a reader decided about a word; null is left to the parser, and a label without a head, too. */
export interface Decision {
  head: number | null;
  label: string | null;
  tag: string | null;
}
export type Decisions = ReadonlyMap<number, Decision>;

export const NOTHING_DECIDED: Decisions = new Map();
const LIST = 12; // alternatives to ask for
const BATCH = 100; // sentences in a request

export class ParserLink {
  constructor(
    private readonly api: Api,
    readonly model: ModelInfo,
  ) {}

  get hasList(): boolean {
    return this.model.kbest;
  }
  get hasTrace(): boolean {
    return this.model.trace;
  }
  get makesArcs(): boolean {
    return this.model.predicts.includes("heads");
  }

  get makesTags(): boolean {
    return this.model.predicts.includes("tags");
  }
  get makesTrees(): boolean {
    return this.makesArcs || this.model.predicts.includes("constituents");
  }
  /** Part of every request. */
  private get always(): ParseRequest {
    return { model: this.model.name, ...(this.model.confidence ? { confidence: true } : {}) };
  }

  async parseText(text: string, signal: AbortSignal): Promise<Parsed[]> {
    return this.api.parse({ ...this.always, text }, signal);
  }
  /** The words of many sentences, in requests of moderate size. */
  async parseAll(sentences: readonly Sentence[]): Promise<Sentence[]> {
    const all: Sentence[] = [];
    for (let i = 0; i < sentences.length; i += BATCH) {
      const batch = sentences
        .slice(i, i + BATCH)
        .map((sentence) => unparsed(sentence, NOTHING_DECIDED, this.model.predicts));
      const parsed = await this.api.parse({ ...this.always, conllu: writeConllu(batch) });
      all.push(...parsed.map(({ sentence }) => sentence));
    }
    return all;
  }
  async again(sentence: Sentence, decisions: Decisions): Promise<Sentence> {
    const again = (await this.ask(sentence, decisions, {})).sentence;
    // How sure the parser is says nothing of arcs that were given.
    for (const [word, { head }] of decisions) if (head !== null) wordAt(again, word).confidence = undefined;
    return again;
  }
  async list(sentence: Sentence, decisions: Decisions): Promise<Analysis[]> {
    return (await this.ask(sentence, decisions, { kbest: LIST })).kbest;
  }
  async trace(sentence: Sentence, decisions: Decisions): Promise<Trace | null> {
    return (await this.ask(sentence, decisions, { trace: true })).trace;
  }

  private async ask(sentence: Sentence, decisions: Decisions, more: Partial<ParseRequest>): Promise<Parsed> {
    const conllu = writeConllu([unparsed(sentence, decisions, this.model.predicts)]);
    const decided = [...decisions.values()];
    const keep: ("tags" | "heads")[] = [];
    if (decided.some(({ tag }) => tag !== null)) keep.push("tags");
    if (decided.some(({ head }) => head !== null)) keep.push("heads");
    const [parsed] = await this.api.parse({ ...this.always, conllu, ...(keep.length > 0 ? { keep } : {}), ...more });
    if (!parsed) throw new Error("The server gave no sentence back.");
    return parsed;
  }
}

/** The words, with what is decided, and those columns that the model does not predict and may want to see. */
export function unparsed(sentence: Sentence, decisions: Decisions, predicts: readonly string[]): Sentence {
  const words = copyOf(sentence);
  words.comments = sentence.comments.filter((comment) => /^#\s*(text|sent_id)\s*=/.test(comment));
  words.words.forEach((word, index) => {
    const given = decisions.get(index + 1);
    word.head = given?.head ?? null;
    word.deprel = (word.head !== null && given?.label) || "_";
    if (predicts.includes("tags")) {
      word.upos = given?.tag ?? "_";
      word.xpos = word.feats = "_";
    }
    if (predicts.includes("lemmas")) word.lemma = "_";
    word.deps = "_";
    word.misc = /(^|\|)SpaceAfter=No(\||$)/.test(word.misc) ? "SpaceAfter=No" : "_";
  });
  return words;
}
