// The rules of Universal Dependencies for readable CoNLL-U files: those of its validator
// (universaldependencies.org/validation-rules.html) at its first two levels, which do not depend on the language.
// Level 1, the file: sent_id and text, spaces where none belong, characters that are not composed (NFC), multiword
// tokens that are annotated. Level 2, the annotation: tags, features, relations, enhanced dependencies, MISC, empty
// nodes. A column or comment may be missing in the whole file, but not in some of its sentences. Tested by
// ud_rules_test.cc; rule by rule against the validator by tests/ud_validator_test.cc.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "espalier/format/format.h"

namespace espalier {

class UdRules {
 public:
  using Report = std::function<void(const Problem&)>;

  /// 0 checks nothing.
  explicit UdRules(int level) : level_(level) {}

  /// `report` gets each problem with its line; the sentences of a file come in order.
  void check(const Sentence& sentence, const std::string& file, const Report& report);
  /// After the last sentence: reports columns and comments that only some sentences have.
  void finish(const std::string& file, const Report& report) const;

 private:
  /// Counts of sentences that have something, and of those without.
  struct Tally {
    long given = 0, missing = 0, first_missing = 0;  // counts; a line
    void add(bool is_given, long line) {
      ++(is_given ? given : missing);
      if (!is_given && missing == 1) first_missing = line;
    }
  };
  void count(const Sentence& sentence);

  int level_;
  std::unordered_set<std::string> ids_, parallel_ids_;
  Tally sent_id_, text_, upos_, deprel_, enhanced_;
  bool no_space_before_ = false;  // the sentence before ended with SpaceAfter=No
};

}  // namespace espalier
