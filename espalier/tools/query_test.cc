#include "espalier/tools/query.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

std::vector<std::vector<int>> matches(const std::string& pattern, const Sentence& sentence) {
  std::vector<std::vector<int>> all;
  Query(pattern).match(sentence, [&](std::span<const int> words) { all.emplace_back(words.begin(), words.end()); });
  return all;
}
using Found = std::vector<std::vector<int>>;

Sentence old_dog() {
  Sentence s = testing::dependencies(
      "the/DET/3/det old/ADJ/3/amod dog/NOUN/4/nsubj sees/VERB/0/root a/DET/6/det cat/NOUN/4/obj");
  s.word(4).lemma = "see";
  s.word(4).feats = "Mood=Ind|Tense=Pres";
  s.word(6).deprel = "obj:x";
  return s;
}

TEST(Query, SubjectVerbObject) {
  const Query query("V:upos=VERB >nsubj S >obj O");
  EXPECT_EQ(query.names(), (std::vector<std::string>{"V", "S", "O"}));
  EXPECT_EQ(matches("V:upos=VERB >nsubj S >obj O", old_dog()), (Found{{4, 3, 6}}));
}

TEST(Query, WhatCanBeAsked) {
  const Sentence s = old_dog();
  EXPECT_EQ(matches("V >obj O", s), (Found{{4, 6}}));  // subtypes, too
  EXPECT_EQ(matches("V >obj:y O", s), (Found{}));
  EXPECT_EQ(matches("V >/obj/ O", s), (Found{}));  // expressions are about all of it
  EXPECT_EQ(matches("V >nsubj|obj O", s), (Found{{4, 3}, {4, 6}}));
  EXPECT_EQ(matches("V >/OBJ.*/i O", s), (Found{{4, 6}}));
  EXPECT_EQ(matches("D <det N", s), (Found{{1, 3}, {5, 6}}));
  EXPECT_EQ(matches("V:lemma=see >> D:upos=DET", s), (Found{{4, 1}, {4, 5}}));
  EXPECT_EQ(matches("D:form=the << V", s), (Found{{1, 3}, {1, 4}}));
  EXPECT_EQ(matches("A . :upos=NOUN", s), (Found{{2}, {5}}));
  EXPECT_EQ(matches("A:form=old .. B:upos=NOUN|VERB", s), (Found{{2, 3}, {2, 4}, {2, 6}}));
  EXPECT_EQ(matches("N:upos=NOUN !>amod", s), (Found{{6}}));
  EXPECT_EQ(matches("N:upos=NOUN !>det :form=a", s), (Found{{3}}));
  EXPECT_EQ(matches("V:Tense=Pres", s), (Found{{4}}));
  EXPECT_EQ(matches("V:upos!=DET&Tense!=Pres", s), (Found{{2}, {3}, {6}}));
  EXPECT_EQ(matches("V:form=/s.*s|o.d/", s), (Found{{2}, {4}}));
  EXPECT_EQ(matches("V >nsubj S; S >det D", s), (Found{{4, 3, 1}}));
  EXPECT_EQ(matches("V >nsubj S ; S >det D; S >amod _", s), (Found{{4, 3, 1}}));
  EXPECT_EQ(matches("_ >nsubj _", s), (Found{{}}));  // once, although nothing has a name
}

TEST(Query, WhatMakesNoSenseIsSaid) {
  for (const char* pattern :
       {"", ";", "V S", "V >", "V:upos", "V:colour=red", "upos=VERB", "V >>nsubj S", "V:form=/(/", "V:form=/a",
        "V:form=/a/x", "V >nsubj| S", "A > A", "A > B > C > D > E > F > G > H > I > J > K > L > M"}) {
    if (std::string(pattern) == "V >") {
      EXPECT_NO_THROW(Query{pattern});  // any dependent
      continue;
    }
    EXPECT_THROW(Query{pattern}, Error) << pattern;
  }
}

TEST(Query, NothingHangs) {
  Sentence s;
  s.tokens.resize(1);
  s.word(1).form = std::string(5000, 'a');
  EXPECT_THROW(matches("A:form=/(a+)+b/", s), Error);
  Sentence cycle = testing::dependencies("a/X/2/x b/X/1/x");
  EXPECT_EQ(matches("A >> B", cycle), (Found{{1, 2}, {2, 1}}));
}

// ---- against brute force: every assignment of words, checked by definition
// --------------------------------------------

struct Relation {
  std::string sign;
  int from, to;
  bool negated;
  std::string label;
};

bool below(const Sentence& s, int word, int above) {
  const int head = s.word(word).head;
  return head == above || (head > 0 && below(s, head, above));
}

bool holds(const Relation& r, const Sentence& s, int a, int b) {
  const auto label = [&](int w) { return r.label.empty() || s.word(w).deprel == r.label; };
  if (r.sign == ">") return s.word(b).head == a && label(b);
  if (r.sign == "<") return s.word(a).head == b && label(a);
  if (r.sign == ">>") return below(s, b, a);
  if (r.sign == "<<") return below(s, a, b);
  if (r.sign == ".") return b == a + 1;
  return b > a;
}

TEST(Query, AgainstBruteForce) {
  Rng rng(5, "query");
  const std::vector<std::string> signs = {">", "<", ">>", "<<", ".", ".."};
  size_t found = 0;
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = 1 + static_cast<int>(rng.below(6));
    Sentence s;
    for (int i = 1; i <= n; ++i) {
      Token& word = s.tokens.emplace_back();
      word.form = "w";
      word.upos = rng.below(2) ? "A" : "B";
      word.deprel = rng.below(2) ? "x" : "y";
      word.head = static_cast<int>(rng.below(static_cast<uint64_t>(i)));  // before it: always a tree
    }
    if (rng.below(2)) {  // the same from the other side
      std::ranges::reverse(s.tokens);
      for (Token& word : s.tokens) word.head = word.head == 0 ? 0 : n + 1 - word.head;
    }
    for (Token& word : s.tokens)
      if (word.head == 0) word.deprel = "root";

    // The first word is named W0; relations start from it, or from another that is there.
    const int words = 1 + static_cast<int>(rng.below(3));
    std::vector<std::string> conditions(static_cast<size_t>(words) + 1);
    for (auto& condition : conditions)
      if (rng.below(2)) condition = rng.below(2) ? "A" : "B";
    std::vector<Relation> relations;
    for (int w = 1; w < words; ++w)
      relations.push_back({signs[rng.below(6)], static_cast<int>(rng.below(static_cast<uint64_t>(w))), w, false, ""});
    if (words > 1 && rng.below(3) == 0) relations.push_back({signs[rng.below(6)], 0, 1, rng.below(2) == 0, ""});
    const bool forbidden = rng.below(2);  // a word that must not be there
    if (forbidden)
      relations.push_back(
          {signs[rng.below(6)], static_cast<int>(rng.below(static_cast<uint64_t>(words))), words, true, ""});
    for (Relation& r : relations)
      if (r.sign.size() == 1 && r.sign != "." && rng.below(2)) r.label = rng.below(2) ? "x" : "y";

    const auto text_of = [&](int w) {
      const std::string& condition = conditions[static_cast<size_t>(w)];
      return (w == words ? "" : "W" + std::to_string(w)) +
             (condition.empty() ? (w == words ? "_" : "") : ":upos=" + condition);
    };
    std::string pattern;
    for (int w = 0; w < words; ++w) pattern += text_of(w) + " ; ";
    for (const Relation& r : relations)
      pattern +=
          "W" + std::to_string(r.from) + " " + (r.negated ? "!" : "") + r.sign + r.label + " " + text_of(r.to) + " ; ";

    Found expected;
    std::vector<int> at(static_cast<size_t>(words), 1);
    const auto passes = [&](int w, int word) {
      return conditions[static_cast<size_t>(w)].empty() || s.word(word).upos == conditions[static_cast<size_t>(w)];
    };
    for (;;) {
      bool good = std::set<int>(at.begin(), at.end()).size() == at.size();
      for (int w = 0; w < words; ++w) good = good && passes(w, at[static_cast<size_t>(w)]);
      for (const Relation& r : relations) {
        const int a = at[static_cast<size_t>(r.from)];
        bool any = false;
        if (r.to < words)
          any = at[static_cast<size_t>(r.to)] != a && holds(r, s, a, at[static_cast<size_t>(r.to)]);
        else
          for (int b = 1; b <= n; ++b) any |= b != a && passes(words, b) && holds(r, s, a, b);
        good = good && any != r.negated;
      }
      if (good) expected.push_back(at);
      size_t digit = at.size();
      while (digit > 0 && at[digit - 1] == n) at[--digit] = 1;
      if (digit == 0) break;
      ++at[digit - 1];
    }
    EXPECT_EQ(matches(pattern, s), expected) << pattern;
    found += expected.size();
  }
  EXPECT_GT(found, 2000u);
}

}  // namespace
}  // namespace espalier
