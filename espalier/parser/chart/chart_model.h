// The model of a chart parser: the actions by which constituents are built, and the weights of two linear models over
// them. The coarse one sees spans alone; the fine one judges how constituents are joined on the spans that it keeps.
#pragma once

#include <string>
#include <vector>

#include "espalier/features/constituent_atoms.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/weights/linear.h"

namespace espalier {

struct ChartOptions {
  static constexpr float kNoGap = 1e9f;

  int beam = 4;   ///< hypotheses per span
  float gap = 3;  ///< spans and labels whose best bracketing is this far behind, by coarse scores, are not searched
  float seed_gap = 3;     ///< splits whose halves score this far below the best split's are not tried
  int most_spans = 6;     ///< searched per word
  bool recombine = true;  ///< keeps the best of hypotheses that look the same from above; false keeps all, for lists
};

/// How constituents are built: shift-reduce's actions in a chart. Over every span one action joins two neighbours, and
/// another puts unary nodes above the result or none; a word has the second alone.
struct ChartActions {
  ActionTable actions;
  ActionFactors factors;
  // Columns of a row of weights: labels of joins and unary actions are contiguous (ShiftReduce::factors).
  int labels = 0, labels_end = 0, unaries = 0, unaries_end = 0, stay = 0;
  static constexpr int kHeadLeft = 0, kHeadRight = 1, kIsPart = 2;

  ChartActions() = default;
  explicit ChartActions(ActionTable table) : actions(std::move(table)), factors(ShiftReduce::factors(actions)) {
    using S = ShiftReduce;
    const auto first = [&](int move) { return factors.of(actions.begin(move))[0]; };
    labels = first(S::kLeft), labels_end = labels + actions.end(S::kLeft) - actions.begin(S::kLeft);
    unaries = labels_end, unaries_end = unaries + actions.end(S::kUnary) - actions.begin(S::kUnary);
    stay = first(S::kStay);
  }
  int stay_action() const { return actions.begin(ShiftReduce::kStay); }
  int unary_action(int column) const { return actions.begin(ShiftReduce::kUnary) + column - unaries; }
  int join_action(int move, int column) const {
    return actions.column(move, actions.action(actions.begin(ShiftReduce::kLeft) + column - labels).label);
  }
  /// An action's score in a row.
  template <class Sum>
  float score(const Sum* row, int action) const {
    float sum = 0;
    for (const int factor : factors.of(action)) sum += static_cast<float>(row[factor]);
    return sum;
  }
};

/// "" if a chart can be built with the actions, or what is wrong: every label must be possible in every join.
std::string problem_of_chart_actions(const ActionTable& actions);

struct ChartModel {
  ChartOptions options;
  std::string root = "ROOT";        ///< label of the trees' root
  std::vector<std::string> labels;  ///< of constituents, and chains of them (tree/binarise.h)
  ChartActions actions;
  Linear coarse, fine;
};

}  // namespace espalier
