// What counts as wrong, by name: the same losses for training a parser (cost by cost, inside the search) and for
// choosing among whole analyses. loss/registry.cc is the list; docs/losses.md explains it. Tested by loss_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/analysis.h"

namespace espalier {

/// A loss counts errors (0, 1, 2, ...: grows with the sentence), or is a share of the whole between 0 and 1.
enum class LossScale { kCount, kShare };

class Loss {
 public:
  virtual ~Loss() = default;

  virtual LossScale scale() const = 0;
  /// What each of these analyses of the sentence costs: never negative, 0 if nothing is wrong. `gold` holds what is
  /// known of the truth; what it leaves open (Token::kNoHead, "_") costs nothing. Throws a usage Error if the analyses
  /// lack what the loss looks at.
  virtual std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const = 0;
  /// The same for a single analysis.
  double cost(const Sentence& gold, const Analysis& analysis) const {
    const Analysis* const one = &analysis;
    return costs(gold, {&one, 1})[0];
  }
  /// What turns the loss of a sentence into a number of words, so that all losses ask for margins of one size.
  double in_words(int words) const { return scale() == LossScale::kShare ? words : 1; }
};

/// Finds a loss by its name, or "name:argument". Throws a usage Error that tells which there are.
std::unique_ptr<const Loss> make_loss(std::string_view name);
/// The names, for help.
std::vector<std::string> loss_names();

}  // namespace espalier
