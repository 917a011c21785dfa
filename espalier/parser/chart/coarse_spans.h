// The coarse half of a chart parser: scores every span of a sentence by a first-order model, and keeps the spans, and
// the actions over them, that the best bracketing with them is not far behind with. Tested by chart_parser_test.cc.
#pragma once

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "espalier/base/stop_point.h"
#include "espalier/parser/chart/chart_model.h"
#include "espalier/parser/chart/chart_templates.h"
#include "espalier/search/span_chart.h"

namespace espalier {

/// What a tree builds over a span.
struct SpanActions {
  int first, last;
  int join;  ///< -1 for a word
  int unary;
};

/// In the order in which charts are filled.
inline bool fills_before(const SpanActions& a, const SpanActions& b) {
  return a.last != b.last ? a.last < b.last : a.first > b.first;
}

/// A gold tree that must stay, and a price that the scores of other actions are raised by. Without one nothing is.
struct ChartGold {
  std::span<const SpanActions> spans;  ///< as charts are filled
  float price = 0;                     ///< of a wrong action
};

template <class Weights>
class CoarseSpans {
 public:
  struct Kept {
    int first, last;
    int joins, unaries, end;  ///< the span's actions: actions()[joins..unaries), [unaries..end)
    int gold;                 ///< number of the gold tree's span, or -1
  };

  CoarseSpans(const ChartActions& actions, const Weights& weights)
      : actions_(actions), weights_(weights), row_(weights.columns()) {}

  /// Scores and solves the chart of a sentence. Afterwards `keep` can be called with several options.
  void solve(const ConstituentAtoms& atoms, const ChartGold& gold) {
    atoms_ = &atoms;
    gold_ = gold;
    chart_.reset(atoms.size());
    size_t next = 0;
    int done = 0;
    chart_.for_each([&](int i, int j) {
      if (++done % 64 == 0) stop_point();
      chart_.score(i, j) = best(fill_row(i, j), i, j, gold_at(i, j, next)).score;
    });
    best_ = chart_.solve();
  }
  /// The best actions, in the order of the chart.
  const std::vector<SpanActions>& best_actions() {
    found_.clear();
    for (const auto& [i, j] : best_) found_.push_back({i, j, 0, 0});
    std::ranges::sort(found_, fills_before);
    size_t next = 0;
    for (SpanActions& span : found_) {
      while (next < gold_.spans.size() && fills_before(gold_.spans[next], span)) ++next;
      const Best chosen =
          best(fill_row(span.first, span.last), span.first, span.last, gold_at(span.first, span.last, next));
      span.join = chosen.join, span.unary = chosen.unary;
    }
    return found_;
  }
  float best_score() const { return chart_.best(); }

  const std::vector<Kept>& keep(float gap, int most_spans);
  const std::vector<Kept>& kept() const { return kept_; }
  std::span<const int> joins(const Kept& span) const {
    return std::span(kept_actions_).subspan(span.joins, span.unaries - span.joins);
  }
  std::span<const int> unaries(const Kept& span) const {
    return std::span(kept_actions_).subspan(span.unaries, span.end - span.unaries);
  }

 private:
  struct Best {
    float score;
    int join, unary;
  };
  using Sum = typename Weights::Sum;
  static constexpr size_t kMostKept = 50'000;  // of a sentence, unless its best bracketing has more

  const Sum* fill_row(int i, int j) {
    view_.see_span(*atoms_, i, j);
    const auto count = static_cast<size_t>(ChartFeatures::keys<SpanTemplates>(view_, ChartFeatures::kAny, keys_));
    std::ranges::fill(row_, Sum{0});
    weights_.add({keys_, count}, row_.data());
    return row_.data();
  }
  /// `next` runs through the gold tree's spans.
  const SpanActions* gold_at(int i, int j, size_t& next) const {
    if (next == gold_.spans.size() || gold_.spans[next].first != i || gold_.spans[next].last != j) return nullptr;
    return &gold_.spans[next++];
  }
  float price(const SpanActions* gold, int action, bool is_unary) const {
    if (gold_.price == 0) return 0;
    const int right = gold ? (is_unary ? gold->unary : gold->join) : is_unary ? actions_.stay_action() : -1;
    return action == right ? 0 : gold_.price;
  }
  bool can_be_part(int i, int j, int side) const {
    return side == ChartActions::kHeadLeft ? j < chart_.words() : j < chart_.words() || i > 1;
  }
  /// Calls visit(action, score) for all joins.
  template <class Visit>
  void for_each_join(const Sum* row, int i, int j, const SpanActions* gold, Visit&& visit) const {
    using S = ShiftReduce;
    for (const int side : {ChartActions::kHeadLeft, ChartActions::kHeadRight})
      for (const bool part : {false, true}) {
        if (part && !can_be_part(i, j, side)) continue;
        const int move =
            side == ChartActions::kHeadLeft ? (part ? S::kLeftPart : S::kLeft) : (part ? S::kRightPart : S::kRight);
        const float shared =
            static_cast<float>(row[side]) + (part ? static_cast<float>(row[ChartActions::kIsPart]) : 0.f);
        for (int c = actions_.labels; c < actions_.labels_end; ++c) {
          const int action = actions_.join_action(move, c);
          visit(action, part, (static_cast<float>(row[c]) + shared) * weights_.unit() + price(gold, action, false));
        }
      }
  }
  template <class Visit>
  void for_each_unary(const Sum* row, const SpanActions* gold, Visit&& visit) const {
    const auto offer = [&](int column, int action) {
      visit(action, static_cast<float>(row[column]) * weights_.unit() + price(gold, action, true));
    };
    offer(actions_.stay, actions_.stay_action());
    for (int c = actions_.unaries; c < actions_.unaries_end; ++c) offer(c, actions_.unary_action(c));
  }
  /// Ties: joins that complete a constituent, heads on the left, and what comes first in the row.
  Best best(const Sum* row, int i, int j, const SpanActions* gold) const {
    return gold ? best_by_gold(row, i, j, gold) : best_by_row(row, i, j);
  }
  /// Where all joins have the same price, and all unary nodes: the hot path, without a look at every action.
  Best best_by_row(const Sum* row, int i, int j) const {
    using A = ChartActions;
    const auto scaled = [&](Sum sum) { return static_cast<float>(sum) * weights_.unit(); };
    const Sum* unary = std::max_element(row + actions_.unaries, row + actions_.unaries_end);
    Best above{scaled(row[actions_.stay]), -1, actions_.stay_action()};
    if (actions_.unaries < actions_.unaries_end && scaled(*unary) + gold_.price > above.score)
      above = {scaled(*unary) + gold_.price, -1, actions_.unary_action(static_cast<int>(unary - row))};
    if (i == j) return above;
    const Sum* label = std::max_element(row + actions_.labels, row + actions_.labels_end);
    const float joined = scaled(*label) + gold_.price, left = scaled(row[A::kHeadLeft]),
                right = scaled(row[A::kHeadRight]);
    const float complete = joined + std::max(left, right) + above.score;
    const bool left_part = can_be_part(i, j, A::kHeadLeft) && left >= right;
    const float part = can_be_part(i, j, A::kHeadRight) ? joined + (left_part ? left : right) + scaled(row[A::kIsPart])
                                                        : -std::numeric_limits<float>::infinity();
    using S = ShiftReduce;
    const auto column = static_cast<int>(label - row);
    if (complete >= part)
      return {complete, actions_.join_action(left >= right ? S::kLeft : S::kRight, column), above.unary};
    return {part, actions_.join_action(left_part ? S::kLeftPart : S::kRightPart, column), actions_.stay_action()};
  }
  Best best_by_gold(const Sum* row, int i, int j, const SpanActions* gold) const {
    Best unary{-std::numeric_limits<float>::infinity(), -1, -1};
    for_each_unary(row, gold, [&](int action, float score) {
      if (score > unary.score) unary = {score, -1, action};
    });
    if (i == j) return unary;
    Best all{-std::numeric_limits<float>::infinity(), -1, -1};
    for_each_join(row, i, j, gold, [&](int action, bool part, float score) {
      const Best joined =
          part ? Best{score, action, actions_.stay_action()} : Best{score + unary.score, action, unary.unary};
      if (joined.score > all.score) all = joined;
    });
    return all;
  }
  void keep_actions(Kept& span, float slack);

  const ChartActions& actions_;
  const Weights& weights_;
  const ConstituentAtoms* atoms_ = nullptr;
  ChartGold gold_;
  SpanChart chart_;
  ChartView view_;
  uint64_t keys_[ChartFeatures::kMostKeys];
  std::vector<Sum> row_;
  std::span<const SpanChart::Span> best_;
  std::vector<SpanActions> found_;
  std::vector<Kept> kept_;
  std::vector<int> kept_actions_;
  std::vector<float> behind_;
};

/// The spans of the best bracketing and of gold stay, so that there is always a tree.
template <class Weights>
auto CoarseSpans<Weights>::keep(float gap, int most_spans) -> const std::vector<Kept>& {
  chart_.compare(gap);
  const auto words = static_cast<size_t>(chart_.words());
  const size_t most = std::min(static_cast<size_t>(most_spans) * words, std::max(kMostKept, 2 * words));
  behind_.clear();
  chart_.for_each([&](int i, int j) {
    if (chart_.behind(i, j) <= gap) behind_.push_back(chart_.behind(i, j));
  });
  if (behind_.size() > most) {
    std::ranges::nth_element(behind_, behind_.begin() + static_cast<std::ptrdiff_t>(most));
    gap = behind_[most];
  }
  found_.clear();
  for (const auto& [i, j] : best_) found_.push_back({i, j, 0, 0});
  std::ranges::sort(found_, fills_before);
  kept_.clear();
  kept_actions_.clear();
  size_t next = 0, of_best = 0, spans = 0;
  chart_.for_each([&](int i, int j) {
    const auto place = static_cast<int>(next);
    const bool gold = gold_at(i, j, next) != nullptr;
    const bool in_best = of_best < found_.size() && found_[of_best].first == i && found_[of_best].last == j;
    of_best += in_best;
    const float behind = chart_.behind(i, j);
    const bool near = behind < gap || (behind == gap && spans < most);
    spans += near;
    if (!near && !gold && !in_best && i != j) return;
    kept_.push_back({i, j, 0, 0, 0, gold ? place : -1});
    keep_actions(kept_.back(), near ? gap - std::max(behind, 0.f) : 0);
  });
  return kept_;
}

/// The actions whose best bracketing is at most `slack` worse than the span's best, and the best one that completes a
/// constituent, which can always be joined with its neighbours.
template <class Weights>
void CoarseSpans<Weights>::keep_actions(Kept& span, float slack) {
  const SpanActions* gold = span.gold < 0 ? nullptr : &gold_.spans[span.gold];
  const Sum* row = fill_row(span.first, span.last);
  const Best unary = best(row, 1, 1, gold);
  float complete = 0, all = unary.score;
  span.joins = static_cast<int>(kept_actions_.size());
  if (span.first < span.last) {
    complete = all = -std::numeric_limits<float>::infinity();
    int best_complete = -1;
    for_each_join(row, span.first, span.last, gold, [&](int action, bool part, float score) {
      all = std::max(all, part ? score : score + unary.score);
      if (part || score <= complete) return;
      complete = score;
      best_complete = action;
    });
    for_each_join(row, span.first, span.last, gold, [&](int action, bool part, float score) {
      if ((part ? score : score + unary.score) >= all - slack || action == best_complete ||
          (gold && action == gold->join))
        kept_actions_.push_back(action);
    });
  }
  span.unaries = static_cast<int>(kept_actions_.size());
  for_each_unary(row, gold, [&](int action, float score) {
    if (complete + score >= all - slack || action == actions_.stay_action() || (gold && action == gold->unary))
      kept_actions_.push_back(action);
  });
  span.end = static_cast<int>(kept_actions_.size());
}

}  // namespace espalier
