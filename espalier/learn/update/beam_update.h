// One update of learning by beam search (Huang, Fayong & Guo 2012): runs the beam on a training sentence, and moves the
// weights from its best prefix towards the gold one, at the step where the former is farthest ahead (max-violation),
// where gold falls out of the beam (early), or at the end (standard). The updates hc-best and hc-worst (Liu et al., the
// H-step of HC-search) only require gold to stay in the beam: where it falls out, it is compared with the best or the
// worst prefix that stays; if gold is in the final beam, there is no update. For any sequential space; the caller
// counts the instances (OnlineLinear::tick). Tested by
// learn/transition/transition_trainer_test.cc and learn/shift_reduce/shift_reduce_trainer_test.cc.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <string>
#include <vector>

#include "espalier/learn/update/feature_delta.h"
#include "espalier/learn/update/passive_aggressive.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/parser/sequential/state_scorer.h"
#include "espalier/search/beam.h"
#include "espalier/space/sequential.h"

namespace espalier {

enum class BeamUpdateAt { kStandard, kEarly, kMaxViolation, kHcBest, kHcWorst };
/// In the order of the enumeration.
inline const std::vector<std::string>& beam_updates() {
  static const std::vector<std::string> names = {"standard", "early", "max-violation", "hc-best", "hc-worst"};
  return names;
}

struct BeamOptions {
  int beam = 8;
  BeamUpdateAt update = BeamUpdateAt::kMaxViolation;
  bool all_labels = false;  ///< all labels compete in the beam; needed by hc-worst
  StepRule learner = StepRule::kPerceptron;
  float aggressiveness = 0.01f;  ///< largest passive-aggressive step
  float margin = 0;              ///< how far the right action must be ahead

  bool passive_aggressive() const { return learner == StepRule::kPassiveAggressive; }
};

/// The prices of wrong arcs, for the margin. Without prices every action that leaves the gold derivation costs
/// one.
struct ArcCosts {
  const Gold* gold = nullptr;
  std::span<const ArcPrice> prices = {};  ///< of the words 1..n
};

template <class Space, class Features>
class BeamUpdate {
 public:
  using Atoms = typename Features::View::Atoms;

  /// Keeps references.
  BeamUpdate(const Space& space, const ActionTable& actions, const ActionFactors& factors, const BeamOptions& options,
             Features features = {})
      : space_(space), actions_(actions), factors_(factors), options_(options), scorer_(features) {}

  /// True if the weights changed. `gold` are the columns of the right derivation.
  bool learn(const Atoms& atoms, std::span<const int32_t> gold, OnlineLinear& weights, const ArcCosts& costs = {}) {
    begin(atoms, weights);
    score_gold(gold, atoms.size());
    const Violation found = search(gold, atoms.size(), costs);
    if (found.node < 0 || (options_.update != BeamUpdateAt::kStandard && found.size < 0)) return false;
    return correct(gold, found, atoms.size(), costs, weights);
  }

  /// Moves the weights from one derivation of a sentence towards a better one, whose score is `lead` below and should
  /// be `margin` above. `own`: by a step of the size that `learn` takes.
  bool prefer(const Atoms& atoms, std::span<const int32_t> better, std::span<const int32_t> worse, double lead,
              double margin, bool own, OnlineLinear& weights) {
    begin(atoms, weights);
    const auto common = static_cast<size_t>(std::ranges::mismatch(better, worse).in1 - better.begin());
    delta_.clear();
    collect(better, common, atoms.size(), 1);
    collect(worse, common, atoms.size(), -1);
    const double norm = delta_.squared_norm();
    if (norm == 0) return false;
    const bool passive = options_.passive_aggressive();
    double step = 1;
    if (passive || !own) {
      // The learner's margin is for one wrong action; without a margin the better one must only be ahead.
      const double missing = lead + (options_.margin > 0 ? options_.margin : 1) * (passive ? std::max(margin, 1.0) : 1);
      step = passive_aggressive_step(missing, norm, passive ? static_cast<double>(options_.aggressiveness) : 1.0);
    }
    if (step == 0) return false;
    delta_.apply(weights, factors_, static_cast<float>(step));
    return true;
  }

 private:
  using Node = typename Beam<Space>::Node;
  /// The step at which the update compares the beam with gold.
  struct Violation {
    int step = -1, node = -1;  // none: gold was first all the time
    double size = 0;
  };

  void begin(const Atoms& atoms, OnlineLinear& weights) {
    scorer_.reset(weights, atoms);
    if constexpr (requires { arena_.tags; }) arena_.tags = atoms.tags();
  }

  const float* row(const typename Space::State& state) {
    const float* row = scorer_.remembered_row(state, arena_);
    if (!factors_.factored()) return row;
    return factors_.expand(row, actions_, space_.legal(state, arena_), row_);
  }

  /// Scores of the gold prefixes; the beam finds their rows in the memo again.
  void score_gold(std::span<const int32_t> gold, int words) {
    gold_scores_.assign(1, 0);
    auto state = space_.initial(arena_, words);
    for (const int32_t column : gold) {
      const bool forced = forced_column(space_.legal(state, arena_), actions_) >= 0;
      gold_scores_.push_back(gold_scores_.back() + (forced ? 0.0 : static_cast<double>(row(state)[column])));
      take(state, column);
    }
  }

  /// The row with the margin: a bonus for wrong arcs, or for every action other than `expected` while the beam's state
  /// is on the gold path.
  const float* augmented_row(const typename Space::State& state, bool on_gold, int expected, const ArcCosts& costs) {
    const float* plain = row(state);
    const float bonus = options_.passive_aggressive() ? 0 : options_.margin;
    if (bonus == 0) return plain;
    if (!costs.prices.empty()) return add_costs(plain, state, costs, bonus);
    if (!on_gold) return plain;
    change_.assign(plain, plain + actions_.columns());
    for (float& score : change_) score += bonus;
    change_[expected] -= bonus;
    return change_.data();
  }

  /// Runs the beam and records the violation of each step: the lead of its best prefix over the gold one.
  Violation search(std::span<const int32_t> gold, int words, const ArcCosts& costs) {
    const auto length = static_cast<int>(gold.size());
    const bool early = options_.update == BeamUpdateAt::kEarly, standard = options_.update == BeamUpdateAt::kStandard;
    const bool worst_of_beam = options_.update == BeamUpdateAt::kHcWorst;
    const bool relaxed = worst_of_beam || options_.update == BeamUpdateAt::kHcBest;
    Violation found;
    int gold_node = 0, expected = gold[0];
    const auto rows = [&](const auto& state, int node) {
      return augmented_row(state, node == gold_node, expected, costs);
    };
    const auto observe = [&](int step, std::span<const Node> survivors, int first) {
      gold_node = gold_among(survivors, first, gold_node, expected);
      expected = step < length ? gold[step] : -1;
      if (relaxed && gold_node >= 0) return true;
      if (gold_node == first) {
        if (standard || early) found.node = -1;
        return true;
      }
      const size_t rival = worst_of_beam ? survivors.size() - 1 : 0;
      const double violation = survivors[rival].score - gold_scores_[std::min(step, length)];
      if (standard || early || found.node < 0 || violation >= found.size)
        found = {step, first + static_cast<int>(rival), violation};
      return !((early || relaxed) && gold_node < 0);
    };
    if (options_.all_labels) beam_.all_labels = true;
    beam_.run(space_, actions_, words, options_.beam, arena_, rows, observe);
    return found;
  }
  /// The survivor that extends gold's node by its next action; -1 if there is none.
  static int gold_among(std::span<const Node> survivors, int first, int gold_node, int expected) {
    if (gold_node < 0) return -1;
    for (size_t i = 0; i < survivors.size(); ++i)
      if (survivors[i].parent == gold_node && survivors[i].column == expected) return first + static_cast<int>(i);
    return -1;
  }

  /// Moves the weights from the violating prefix towards gold's.
  bool correct(std::span<const int32_t> gold, const Violation& found, int words, const ArcCosts& costs,
               OnlineLinear& weights) {
    beam_.derivation(found.node, predicted_);
    const size_t steps = std::min(static_cast<size_t>(found.step), gold.size());
    size_t common = 0;
    while (common < std::min(steps, predicted_.size()) && predicted_[common] == gold[common]) ++common;
    delta_.clear();
    int disagreements = collect(gold.first(steps), common, words, 1);
    collect(predicted_, common, words, -1);
    for (size_t i = common; i < std::min(steps, predicted_.size()); ++i) disagreements -= predicted_[i] == gold[i];
    float step = 1;
    if (options_.passive_aggressive()) {
      // If no wrong arc has a price, the cost is that of one wrong action.
      const float cost = costs.prices.empty() ? static_cast<float>(disagreements) : cost_of(predicted_, words, costs);
      const double loss = options_.margin * (cost > 0 ? cost : 1) + found.size;
      step = static_cast<float>(
          passive_aggressive_step(loss, delta_.squared_norm(), static_cast<double>(options_.aggressiveness)));
      if (step == 0) return false;
    }
    delta_.apply(weights, factors_, step);
    return true;
  }

  /// What the action of a column costs in a state.
  float cost_of(const typename Space::State& state, int column, const ArcCosts& costs) const {
    if constexpr (DependencySpace<Space>) {
      const int move = actions_.action(column).move;
      const Arc arc = space_.part(state, arena_, move);
      if (arc.dependent == 0) return 0;
      const auto word = static_cast<size_t>(arc.dependent);
      return costs.prices[word].of(costs.gold->head[word] == arc.head,
                                   column == actions_.column(move, costs.gold->label[word]));
    }
    return 0;
  }
  /// The cost of a derivation, forced actions included, since earlier choices may cause them.
  float cost_of(std::span<const int32_t> columns, int words, const ArcCosts& costs) {
    float sum = 0;
    auto state = space_.initial(arena_, words);
    for (const int32_t column : columns) {
      sum += cost_of(state, column, costs);
      take(state, column);
    }
    return sum;
  }
  /// The row with `margin` times its cost for every legal action.
  const float* add_costs(const float* row, const typename Space::State& state, const ArcCosts& costs, float margin) {
    change_.assign(row, row + actions_.columns());
    for (MoveSet legal = space_.legal(state, arena_); legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      for (int c = actions_.begin(move); c < actions_.end(move); ++c) change_[c] += margin * cost_of(state, c, costs);
    }
    return change_.data();
  }

  void take(typename Space::State& state, int column) {
    const auto& action = actions_.action(column);
    space_.apply(state, arena_, action.move, action.label);
  }

  /// Adds a derivation's features from step `from` on to the difference; returns the number of steps looked at.
  int collect(std::span<const int32_t> columns, size_t from, int words, float sign) {
    auto state = space_.initial(arena_, words);
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i >= from && forced_column(space_.legal(state, arena_), actions_) < 0)
        delta_.add(scorer_.keys(state, arena_), factors_.of(columns[i]), sign);
      take(state, columns[i]);
    }
    return static_cast<int>(columns.size() - std::min(from, columns.size()));
  }

  const Space& space_;
  const ActionTable& actions_;
  const ActionFactors& factors_;
  const BeamOptions& options_;
  typename Space::Arena arena_;
  StateScorer<Features, OnlineLinear> scorer_;
  Beam<Space> beam_;
  FeatureDelta delta_;
  std::vector<double> gold_scores_;
  std::vector<float> change_, row_;
  std::vector<int32_t> predicted_;
};

}  // namespace espalier
