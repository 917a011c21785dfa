// What Universal Dependencies ask of a CoNLL-U file beyond what can be read, in the words of its validator
// (universaldependencies.org/validation-rules.html), whose first two levels are covered but for what needs to know the
// language. Level 1, the file: sent_id given twice, text that the words do not make, spaces where none belong,
// characters that are not composed (NFC), multiword tokens that are annotated. Level 2, the annotation: unknown UPOS
// and universal relations, FEATS and DEPS out of order or repeated, root that is none, empty nodes in the tree. Columns
// that say nothing are no matter. Tested by ud_rules_test.cc.
#pragma once

#include <functional>
#include <string>
#include <unordered_set>

#include "espalier/format/format.h"

namespace espalier {

class UdRules {
 public:
  /// 0 checks nothing.
  explicit UdRules(int level) : level_(level) {}

  /// `report` gets each problem with its line; the sentences of a file come in order.
  void check(const Sentence& sentence, const std::string& file, const std::function<void(const Problem&)>& report);

 private:
  int level_;
  std::unordered_set<std::string> ids_;
};

}  // namespace espalier
