// Losses, by name: the same ones for training parsers (prices of arcs, inside the search) and for ranking whole
// analyses. loss/registry.cc is the list; docs/objectives.md explains them. Tested by loss_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/analysis.h"

namespace espalier {

/// A loss is a count of errors, which grows with the sentence, or a share between 0 and 1.
enum class LossScale { kCount, kShare };

/// Whether a wrong label can cost something: trees that differ in labels alone are then worth comparing.
enum class LooksAtLabels { kNo, kPerhaps, kYes };

class ArcLoss;

class Loss {
 public:
  virtual ~Loss() = default;

  virtual LossScale scale() const = 0;
  /// By default unknown: a loss over whole trees may look at anything.
  virtual LooksAtLabels looks_at_labels() const { return LooksAtLabels::kPerhaps; }
  /// The loss itself if it is a sum over words, which a search can use too; else nothing.
  virtual const ArcLoss* over_arcs() const { return nullptr; }
  /// Whether it runs a program of the user, which should not be called only to test something.
  virtual bool is_program() const { return false; }
  /// The costs of these analyses of the sentence: never negative, 0 if nothing is wrong. `gold` may be partial; words
  /// without annotation (Token::kNoHead, "_") cost nothing. Throws a usage Error if the analyses lack a column that the
  /// loss looks at.
  virtual std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const = 0;
  /// The cost of a single analysis.
  double cost(const Sentence& gold, const Analysis& analysis) const {
    const Analysis* const one = &analysis;
    return costs(gold, {&one, 1})[0];
  }
  /// The factor that turns the loss of a sentence into a number of words, so that all losses have margins of one scale.
  double in_words(int words) const { return scale() == LossScale::kShare ? words : 1; }
};

/// Finds a loss by its name, or "name:argument". Throws a usage Error that lists the losses.
std::unique_ptr<const Loss> make_loss(std::string_view name);
/// The names, for help.
std::vector<std::string> loss_names();

}  // namespace espalier
