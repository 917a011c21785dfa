// What counts as wrong, by name: the same losses for training a parser (cost by cost, inside the search) and for
// choosing among whole analyses. loss/registry.cc is the list; docs/objectives.md explains it. Tested by loss_test.cc.
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

/// Whether a wrong label can cost something: trees that differ in labels alone are then worth comparing.
enum class LooksAtLabels { kNo, kPerhaps, kYes };

class ArcLoss;

class Loss {
 public:
  virtual ~Loss() = default;

  virtual LossScale scale() const = 0;
  /// A loss over whole trees may look at anything.
  virtual LooksAtLabels looks_at_labels() const { return LooksAtLabels::kPerhaps; }
  /// The loss itself if it is a sum over words, which a search can use too; else nothing.
  virtual const ArcLoss* over_arcs() const { return nullptr; }
  /// A program of the user's: not to be asked out of curiosity.
  virtual bool is_program() const { return false; }
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

/// Finds a loss by its name, or "name:argument". Throws a usage Error that lists the losses.
std::unique_ptr<const Loss> make_loss(std::string_view name);
/// The names, for help.
std::vector<std::string> loss_names();

}  // namespace espalier
