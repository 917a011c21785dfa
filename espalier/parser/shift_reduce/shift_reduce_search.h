// One direction of a shift-reduce parser, for one thread, with the weights of a trained model (Linear) or of one in
// training (OnlineLinear). Reads a sentence from one end, searches, lists, and scores trees of other parsers. Learners
// make updates from the derivations of candidates:
//
//   ShiftReduceSearch<OnlineLinear> search(model, weights);   // keeps references
//   KBestList list = search.list(sentence);                   // by the current weights
//
// Tested by learn/shift_reduce/shift_reduce_trainer_test.cc.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <vector>

#include "espalier/parser/sequential/derivation_features.h"
#include "espalier/parser/sequential/state_scorer.h"
#include "espalier/parser/shift_reduce/shift_reduce_lists.h"
#include "espalier/parser/shift_reduce/shift_reduce_templates.h"
#include "espalier/parser/shift_reduce/shift_reduce_trace.h"

namespace espalier {

template <class Weights>
class ShiftReduceSearch : public ShiftReduceLists {
 public:
  /// Keeps references. The model's own weights are not used.
  ShiftReduceSearch(const ShiftReduceModel& model, const Weights& weights)
      : ShiftReduceLists(model), weights_(weights), factors_(ShiftReduce::factors(model.actions)) {}

  void begin(const Sentence& sentence) {
    read(sentence);
    scorer_.reset(weights_, atoms_);
  }
  /// The best trees are then those of the beam's survivors.
  void search(int width) { ShiftReduceLists::search(width, rows()); }
  double score(int i) const { return survivor(i).score / weights_.scale(); }

  /// The columns of the actions with which this direction builds a tree of known labels.
  std::vector<int32_t> derivation(const BinaryTree& tree) const {
    std::vector<int32_t> columns;
    for (const auto& [move, label] : ShiftReduce::derivation(as_read(tree)))
      columns.push_back(model_.actions.column(move, label));
    return columns;
  }
  double score(std::span<const int32_t> derivation) {
    double sum = 0;
    auto state = space_.initial(arena_, atoms_.size());
    for (const int32_t column : derivation) {
      if (forced_column(space_.legal(state, arena_), model_.actions) < 0) sum += scores(state)[column];
      const auto& action = model_.actions.action(column);
      space_.apply(state, arena_, action.move, action.label);
    }
    return sum / weights_.scale();
  }

  /// While the list is used, the sentence must live and this search must not be used otherwise.
  KBestList list(const Sentence& sentence) {
    return ShiftReduceLists::list(
        sentence, weights_.scale(), [this](const Sentence& s) { begin(s); }, rows());
  }

  /// The trace of a derivation of the current sentence.
  Trace trace(std::span<const int32_t> derivation) {
    const ShiftReduceTrace tell(model_.labels, words_, model_.direction, arena_);
    Trace trace;
    trace.system = fmt::format("{} ({})", ShiftReduce::kName, name_of(model_.direction));
    trace.steps = traced_steps(
        space_, model_.actions, arena_, atoms_.size(), derivation, weights_.scale(),
        [this](const ConstituentState& state) { return scores(state); },
        [&](const ConstituentState& state, TraceStep& step) { tell.describe(state, step); },
        [&](const ConstituentState& state, int move, int label) { return tell.action(state, move, label); });
    return trace;
  }

  /// The features of a derivation of the current sentence.
  FeatureVector features(std::span<const int32_t> derivation, bool with_weights) {
    return walker().of(derivation, atoms_, with_weights ? &weights_ : nullptr);
  }
  std::vector<NamedFeature> feature_names(const Sentence& sentence, std::span<const int32_t> derivation) {
    AtomTexts texts{{}, model_.labels};
    for (const int word : words_) texts.words.push_back(&sentence.word(word));
    if (model_.direction == Direction::kRightToLeft) std::ranges::reverse(texts.words);
    return walker().names(derivation, atoms_, texts, [](int move) {
      constexpr const char* kNames[] = {"shift", "left", "right", "left-part", "right-part", "unary", "stay"};
      return kNames[move];
    });
  }

 private:
  /// Sums of int16 rows need more room.
  using Score = std::conditional_t<std::is_integral_v<typename Weights::Sum>, int, float>;

  DerivationFeatures<ShiftReduce, ShiftReduceFeatures>& walker() {
    if (!features_)
      features_ = std::make_unique<DerivationFeatures<ShiftReduce, ShiftReduceFeatures>>(
          space_, model_.actions, factors_, model_.labels, model_.direction);
    return *features_;
  }
  auto rows() {
    return [this](const ConstituentState& state) { return scores(state); };
  }
  const Score* scores(const ConstituentState& state) {
    return factors_.expand(scorer_.remembered_row(state, arena_), model_.actions, space_.legal(state, arena_), row_);
  }

  const Weights& weights_;
  ActionFactors factors_;
  StateScorer<ShiftReduceFeatures, Weights> scorer_;
  std::vector<Score> row_;
  std::unique_ptr<DerivationFeatures<ShiftReduce, ShiftReduceFeatures>> features_;  // made when first asked for
};

}  // namespace espalier
