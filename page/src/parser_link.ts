// What the page asks of a model about a sentence that is on the screen: parse it again with arcs that were fixed, its
// k-best list, how it was parsed.
import type { Api, ModelInfo, Parsed, ParseRequest } from "./api";
import { writeConllu } from "./format/conllu";
import type { Analysis } from "./tree/analysis";
import { copyOf, type Sentence } from "./tree/sentence";
import type { Trace } from "./tree/trace";

/** Heads that somebody decided; a label of null is left to the parser. */
export type FixedArcs = ReadonlyMap<number, { head: number; label: string | null }>;

export const NOTHING_FIXED: FixedArcs = new Map();
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
      const batch = sentences.slice(i, i + BATCH).map((sentence) => unparsed(sentence, NOTHING_FIXED));
      const parsed = await this.api.parse({ ...this.always, conllu: writeConllu(batch) });
      all.push(...parsed.map(({ sentence }) => sentence));
    }
    return all;
  }
  async again(sentence: Sentence, fixed: FixedArcs): Promise<Sentence> {
    return (await this.ask(sentence, fixed, {})).sentence;
  }
  async list(sentence: Sentence, fixed: FixedArcs): Promise<Analysis[]> {
    return (await this.ask(sentence, fixed, { kbest: LIST })).kbest;
  }
  async trace(sentence: Sentence, fixed: FixedArcs): Promise<Trace | null> {
    return (await this.ask(sentence, fixed, { trace: true })).trace;
  }

  private async ask(sentence: Sentence, fixed: FixedArcs, more: Partial<ParseRequest>): Promise<Parsed> {
    const conllu = writeConllu([unparsed(sentence, fixed)]);
    const keep: Partial<ParseRequest> = fixed.size > 0 ? { keep: ["heads"] } : {};
    const [parsed] = await this.api.parse({ ...this.always, conllu, ...keep, ...more });
    if (!parsed) throw new Error("The server gave no sentence back.");
    return parsed;
  }
}

/** The words alone, with what is fixed. */
export function unparsed(sentence: Sentence, fixed: FixedArcs): Sentence {
  const words = copyOf(sentence);
  words.comments = sentence.comments.filter((comment) => /^#\s*(text|sent_id)\s*=/.test(comment));
  words.words.forEach((word, index) => {
    const given = fixed.get(index + 1);
    word.head = given?.head ?? null;
    word.deprel = given?.label ?? "_";
    word.lemma = word.upos = word.xpos = word.feats = word.deps = "_";
    word.misc = /(^|\|)SpaceAfter=No(\||$)/.test(word.misc) ? "SpaceAfter=No" : "_";
  });
  return words;
}
