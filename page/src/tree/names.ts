// What tags, features, relations and phrases mean, in a few words: Universal Dependencies, and Penn's tags.

const UPOS: Record<string, string> = {
  ADJ: "adjective",
  ADP: "adposition",
  ADV: "adverb",
  AUX: "auxiliary",
  CCONJ: "coordinating conjunction",
  DET: "determiner",
  INTJ: "interjection",
  NOUN: "noun",
  NUM: "numeral",
  PART: "particle",
  PRON: "pronoun",
  PROPN: "proper noun",
  PUNCT: "punctuation",
  SCONJ: "subordinating conjunction",
  SYM: "symbol",
  VERB: "verb",
  X: "other",
};

const PENN: Record<string, string> = {
  CC: "coordinating conjunction",
  CD: "cardinal number",
  DT: "determiner",
  EX: "existential there",
  FW: "foreign word",
  IN: "preposition or subordinating conjunction",
  JJ: "adjective",
  JJR: "adjective, comparative",
  JJS: "adjective, superlative",
  LS: "list marker",
  MD: "modal",
  NN: "noun, singular or mass",
  NNS: "noun, plural",
  NNP: "proper noun, singular",
  NNPS: "proper noun, plural",
  PDT: "predeterminer",
  POS: "possessive ending",
  PRP: "personal pronoun",
  PRP$: "possessive pronoun",
  RB: "adverb",
  RBR: "adverb, comparative",
  RBS: "adverb, superlative",
  RP: "particle",
  SYM: "symbol",
  TO: "to",
  UH: "interjection",
  VB: "verb, base form",
  VBD: "verb, past tense",
  VBG: "verb, gerund or present participle",
  VBN: "verb, past participle",
  VBP: "verb, present, not third person singular",
  VBZ: "verb, present, third person singular",
  WDT: "wh-determiner",
  WP: "wh-pronoun",
  WP$: "possessive wh-pronoun",
  WRB: "wh-adverb",
};

const RELATIONS: Record<string, string> = {
  acl: "clause that modifies a noun",
  advcl: "adverbial clause",
  advmod: "adverb that modifies",
  amod: "adjective that modifies",
  appos: "apposition: another name for the same",
  aux: "auxiliary",
  case: "case marking: preposition, postposition or clitic",
  cc: "coordinating conjunction",
  ccomp: "clause as an object",
  clf: "classifier",
  compound: "part of a compound",
  conj: "joined by coordination",
  cop: "copula: the verb “to be”",
  csubj: "clause as a subject",
  dep: "dependency of unknown kind",
  det: "determiner",
  discourse: "discourse element",
  dislocated: "dislocated element",
  expl: "expletive: holds a place, means nothing",
  fixed: "part of a fixed expression",
  flat: "part of a name or date without a head",
  goeswith: "part of a word that was split",
  iobj: "indirect object",
  list: "item of a list",
  mark: "marker of a subordinate clause",
  nmod: "noun that modifies a noun",
  nsubj: "subject",
  nummod: "number that counts",
  obj: "object",
  obl: "oblique: noun that modifies a verb",
  orphan: "left over where its head was elided",
  parataxis: "side by side, not joined",
  punct: "punctuation",
  reparandum: "what a speaker repaired",
  root: "root of the sentence",
  vocative: "someone addressed",
  xcomp: "clause without a subject of its own",
};

export const UPOS_NAMES = Object.keys(UPOS);
export const RELATION_NAMES = Object.keys(RELATIONS);

const SUBTYPES: Record<string, string> = {
  pass: "passive",
  relcl: "relative",
  poss: "possessive",
  tmod: "temporal",
  npmod: "noun phrase as adverbial",
  unmarked: "without a marker",
  agent: "agent",
  prt: "particle",
  preconj: "first of a pair",
  predet: "before the determiner",
  outer: "of the outer clause",
  foreign: "foreign",
  name: "name",
  pv: "separable verb prefix",
  arg: "argument",
  lmod: "locative",
};

const PHRASES: Record<string, string> = {
  ADJP: "adjective phrase",
  ADVP: "adverb phrase",
  CONJP: "conjunction phrase",
  FRAG: "fragment",
  INTJ: "interjection",
  LST: "list marker",
  NAC: "not a constituent",
  NML: "part of a noun phrase",
  NP: "noun phrase",
  NX: "head of a complex noun phrase",
  PP: "prepositional phrase",
  PRN: "parenthetical",
  PRT: "particle",
  QP: "quantifier phrase",
  ROOT: "the whole sentence",
  RRC: "reduced relative clause",
  S: "clause",
  SBAR: "subordinate clause",
  SBARQ: "wh-question",
  SINV: "inverted clause",
  SQ: "yes/no question",
  TOP: "the whole sentence",
  UCP: "unlike phrases joined",
  VP: "verb phrase",
  WHADJP: "wh-adjective phrase",
  WHADVP: "wh-adverb phrase",
  WHNP: "wh-noun phrase",
  WHPP: "wh-prepositional phrase",
  X: "unknown",
};

const FEATURES: Record<string, string> = {
  Abbr: "abbreviation",
  Foreign: "foreign word",
  Poss: "possessive",
  Reflex: "reflexive",
  Typo: "misspelt",
};

const VALUES: Record<string, string> = {
  "Number=Sing": "singular",
  "Number=Plur": "plural",
  "Number=Dual": "dual",
  "Person=1": "first",
  "Person=2": "second",
  "Person=3": "third",
  "Tense=Past": "past",
  "Tense=Pres": "present",
  "Tense=Fut": "future",
  "Tense=Imp": "imperfect",
  "Mood=Ind": "indicative",
  "Mood=Imp": "imperative",
  "Mood=Sub": "subjunctive",
  "Mood=Cnd": "conditional",
  "VerbForm=Fin": "finite",
  "VerbForm=Inf": "infinitive",
  "VerbForm=Part": "participle",
  "VerbForm=Ger": "gerund",
  "VerbForm=Conv": "converb",
  "Voice=Act": "active",
  "Voice=Pass": "passive",
  "Voice=Mid": "middle",
  "Case=Nom": "nominative",
  "Case=Acc": "accusative",
  "Case=Dat": "dative",
  "Case=Gen": "genitive",
  "Case=Ins": "instrumental",
  "Case=Loc": "locative",
  "Case=Abl": "ablative",
  "Case=Voc": "vocative",
  "Gender=Masc": "masculine",
  "Gender=Fem": "feminine",
  "Gender=Neut": "neuter",
  "Gender=Com": "common",
  "Definite=Def": "definite",
  "Definite=Ind": "indefinite",
  "Degree=Pos": "positive",
  "Degree=Cmp": "comparative",
  "Degree=Sup": "superlative",
  "PronType=Prs": "personal",
  "PronType=Art": "article",
  "PronType=Dem": "demonstrative",
  "PronType=Int": "interrogative",
  "PronType=Rel": "relative",
  "PronType=Neg": "negative",
  "PronType=Tot": "collective",
  "PronType=Ind": "indefinite",
  "Polarity=Neg": "negative",
  "Polarity=Pos": "positive",
  "Aspect=Imp": "imperfective",
  "Aspect=Perf": "perfective",
  "Aspect=Prog": "progressive",
  "NumType=Card": "cardinal",
  "NumType=Ord": "ordinal",
  "Animacy=Anim": "animate",
  "Animacy=Inan": "inanimate",
};

/** Own keys only: a label may be called "constructor". */
function lookUp(table: Record<string, string>, key: string): string {
  return Object.hasOwn(table, key) ? (table[key] ?? "") : "";
}

export const explainUpos = (tag: string): string => lookUp(UPOS, tag);
export const explainXpos = (tag: string): string => lookUp(PENN, tag);
export const explainPhrase = (label: string): string => lookUp(PHRASES, label.replace(/(?<=.)[-=].*$/, ""));

export function explainRelation(label: string): string {
  const [relation = "", subtype = ""] = label.split(":");
  const meaning = lookUp(RELATIONS, relation);
  const kind = lookUp(SUBTYPES, subtype);
  return meaning && kind ? `${meaning} (${kind})` : meaning;
}

/** What a feature's value means; for those that only say yes, what the feature does. */
export function explainFeature(name: string, value: string): string {
  return value === "Yes" ? lookUp(FEATURES, name) : lookUp(VALUES, `${name}=${value}`);
}

export type RelationKind = "root" | "core" | "function" | "punct" | "other";

/** Colours tell kinds of relations apart at a glance; the same as espalier/format/draw/svg_dependencies.cc has. */
export function relationKind(label: string): RelationKind {
  const relation = label.split(":")[0] ?? "";
  if (relation === "root" || relation === "punct") return relation;
  if (["nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp"].includes(relation)) return "core";
  if (["det", "case", "aux", "cop", "mark", "cc", "clf"].includes(relation)) return "function";
  return "other";
}
