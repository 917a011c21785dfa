// A parsed query; query.h describes the syntax.
#pragma once

#include <unicode/regex.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tools/query.h"

namespace espalier {

/// "nsubj|csubj" or "/.*subj/".
class TextTest {
 public:
  /// `subtypes`: "nsubj" also holds of "nsubj:pass".
  static TextTest of(std::string_view text, bool subtypes);
  bool operator()(std::string_view text) const;
  /// The only value that passes; "" if there are several, or all do.
  const std::string& only() const;

 private:
  bool subtypes_ = false;
  std::vector<std::string> values_;                      // any of them; none: all texts pass
  std::shared_ptr<const icu::RegexPattern> expression_;  // instead of values
};

struct WordTest {
  std::string column;  ///< or a feature's name
  bool equal = true;
  TextTest test;
  bool operator()(const Token& token) const;
};

struct QueryRelation {
  enum Kind { kDependent, kHead, kDescendant, kAncestor, kNext, kAfter };
  int from = 0, to = 0;  ///< places in `words`
  Kind kind = kDependent;
  bool negated = false;
  TextTest label;

  bool operator()(const Sentence& sentence, int a, int b) const;
};

struct QueryWord {
  std::string name;  ///< "" = none
  std::vector<WordTest> tests;
  bool positive = false;  ///< outside of negations: a match binds it. If false, no such word may exist.
  bool operator()(const Token& token) const;
};

struct Query::Pattern {
  std::vector<QueryWord> words;
  std::vector<QueryRelation> relations;
  std::vector<std::string> names;
  std::vector<int> places;  ///< of the names, in `words`

  static Pattern parse(std::string_view text);
};

}  // namespace espalier
