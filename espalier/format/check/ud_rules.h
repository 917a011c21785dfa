// What Universal Dependencies ask of a CoNLL-U file beyond what can be read, as its validator does
// (universaldependencies.org/validation-rules.html) at its first two levels, which know nothing of languages.
// Level 1, the file: sent_id and text, spaces where none belong, characters that are not composed (NFC), multiword
// tokens that are annotated. Level 2, the annotation: tags, features, relations, enhanced dependencies, MISC, empty
// nodes. Columns and comments that a file has nowhere are no matter; where some sentences have them, the others should,
// too. Tested by ud_rules_test.cc; rule by rule against the validator by tests/ud_validator_test.cc.
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
  /// After the last one: what only some have.
  void finish(const std::string& file, const Report& report) const;

 private:
  /// Where something is given, and where it is missing.
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
