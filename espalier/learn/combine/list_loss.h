// The costs of the trees of a list, by name of the loss. Tested by ranker_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/loss/loss.h"

namespace espalier {

class ListLoss {
 public:
  /// A loss of loss/registry.cc; or "auto": `labelled` for dependencies, `brackets` for constituents; or
  /// "no-punctuation": wrong heads of words that are no punctuation, as in the paper. Throws a usage Error for others.
  explicit ListLoss(const std::string& name);

  std::vector<double> operator()(const Sentence& gold, std::span<const Analysis> analyses) const;

 private:
  bool automatic_, punctuation_;
  std::unique_ptr<const Loss> loss_, brackets_;
};

}  // namespace espalier
