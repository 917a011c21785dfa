// What each tree of a list costs, by name of the loss. Tested by rank_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/tree/analysis.h"

namespace espalier {

class ListLoss {
 public:
  /// "auto": labelled errors for dependencies, wrong brackets for constituents. "paper": wrong heads of words that are
  /// no punctuation.
  explicit ListLoss(const std::string& name);

  std::vector<double> operator()(const Sentence& gold, std::span<const Analysis> analyses) const;
  static const std::vector<std::string>& names();

 private:
  enum Kind { kAuto, kLabelled, kUnlabelled, kPaper, kBrackets };
  double cost(const Sentence& gold, const Analysis& analysis, Kind kind) const;

  Kind kind_;
};

}  // namespace espalier
