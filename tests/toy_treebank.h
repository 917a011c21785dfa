// Sentences of a little language that can be learned without error, for tests that train.
#pragma once

#include <vector>

#include "espalier/base/rng.h"
#include "espalier/tree/sentence.h"

namespace espalier {

inline Token word(const char* form, const char* upos, int head, const char* label) {
  Token token;
  token.form = form;
  token.upos = upos;
  token.head = head;
  token.deprel = label;
  return token;
}

/// "the old dog sees a cat in the house".
inline std::vector<Sentence> toy_treebank(int sentences, uint64_t seed) {
  static const char* const nouns[] = {"dog", "cat", "house", "tree", "boy"};
  Rng rng(seed, "toy");
  std::vector<Sentence> treebank;
  for (int s = 0; s < sentences; ++s) {
    Sentence sentence;
    auto& t = sentence.tokens;
    auto noun_phrase = [&](int head, const char* label, bool with_case) {
      std::vector<Token> phrase;
      if (with_case) phrase.push_back(word("in", "ADP", 0, "case"));
      if (rng.below(2)) phrase.push_back(word(rng.below(2) ? "the" : "a", "DET", 0, "det"));
      for (size_t k = rng.below(3); k > 0; --k) phrase.push_back(word("old", "ADJ", 0, "amod"));
      const int noun = static_cast<int>(t.size() + phrase.size()) + 1;
      for (Token& token : phrase) token.head = noun;
      phrase.push_back(word(nouns[rng.below(5)], "NOUN", head, label));
      t.insert(t.end(), phrase.begin(), phrase.end());
      return noun;
    };
    const int subject = noun_phrase(-2, "nsubj", false);
    const int verb = static_cast<int>(t.size()) + 1;
    t.push_back(word("sees", "VERB", 0, "root"));
    t[static_cast<size_t>(subject - 1)].head = verb;
    noun_phrase(verb, "obj", false);
    if (rng.below(2)) noun_phrase(verb, "obl", true);
    t.push_back(word(".", "PUNCT", verb, "punct"));
    treebank.push_back(sentence);
  }
  return treebank;
}

/// The same with two roots: the full stop is one.
inline std::vector<Sentence> rooted_treebank(int sentences, uint64_t seed) {
  std::vector<Sentence> treebank = toy_treebank(sentences, seed);
  for (Sentence& sentence : treebank) sentence.tokens.back().head = 0;
  return treebank;
}

/// The same, where some sentences end in a word that depends on the subject: its arc crosses the root's.
inline std::vector<Sentence> crossing_treebank(int sentences, uint64_t seed) {
  std::vector<Sentence> treebank = toy_treebank(sentences, seed);
  Rng rng(seed, "crossing");
  for (Sentence& sentence : treebank) {
    if (rng.below(3) != 0) continue;
    int subject = 1;
    while (sentence.word(subject).deprel != "nsubj") ++subject;
    sentence.tokens.insert(sentence.tokens.end() - 1, word("itself", "PRON", subject, "acl"));
  }
  return treebank;
}

}  // namespace espalier
