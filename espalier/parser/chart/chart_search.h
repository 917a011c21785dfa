// Parsing with a chart model in one thread, with the weights of a trained model (Linear) or of one in training
// (OnlineLinear). CKY over the spans that the coarse model keeps; every span has a small beam of hypotheses, filled by
// cube pruning (Huang & Chiang 2007): the best pairs of hypotheses of its halves are joined first, and features that
// see both are summed when a pair is looked at. A candidate's `derivation` is the columns of its actions in
// shift-reduce's order, from which learners make updates:
//
//   ChartSearch<OnlineLinear> search(model, coarse, fine);   // keeps references
//   KBestList list = search.list(sentence);                  // by the current weights
//
// Tested by chart_parser_test.cc: against enumeration of all trees if nothing is pruned.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "espalier/base/stop_point.h"
#include "espalier/features/atom_names.h"
#include "espalier/parser/candidate.h"
#include "espalier/parser/chart/chart_steps.h"
#include "espalier/parser/chart/coarse_spans.h"
#include "espalier/parser/inspect.h"
#include "espalier/tree/constituent_preprocess.h"

namespace espalier {

template <class Weights>
class ChartSearch {
 public:
  struct Hypothesis {
    float score;
    int item;  ///< of steps(); its unary step is done
  };

  /// Keeps references. The model's own weights are not used.
  ChartSearch(const ChartModel& model, const Weights& coarse, const Weights& fine)
      : model_(model), fine_(fine), steps_(model), coarse_(model.actions, coarse) {
    row_.resize(fine.columns());
    span_row_.resize(fine.columns());
  }
  ChartSearch(const ChartSearch&) = delete;

  const ChartModel& model() const { return model_; }
  ChartSteps& steps() { return steps_; }
  CoarseSpans<Weights>& coarse() { return coarse_; }

  void begin(const Sentence& sentence) {
    words_ = words_to_parse(sentence);
    steps_.begin(sentence, words_);
  }
  /// Scores the spans of the sentence, which must have words to parse.
  void solve_coarse(const ChartGold& gold = {}) {
    gold_ = gold;
    coarse_.solve(steps_.atoms(), gold);
  }
  /// Fills the chart over the spans that are near enough. Items of earlier calls are forgotten. `price` is added to the
  /// score of every action that the gold tree does not have.
  void run(const ChartOptions& options, float price = 0);

  /// Hypotheses of the whole sentence, best first.
  std::span<const Hypothesis> found() const { return beam_of(spans_.back()); }
  /// Those over words first..last; none if the span is not in the chart.
  std::span<const Hypothesis> over(int first, int last) const {
    const auto at =
        std::ranges::lower_bound(spans_, SpanActions{first, last, 0, 0}, fills_before, [](const Filled& span) {
          return SpanActions{span.first, span.last, 0, 0};
        });
    if (at == spans_.end() || at->first != first || at->last != last) return {};
    return beam_of(*at);
  }

  /// An item of a given tree, whose steps are below it; children come before parents.
  struct Derived {
    float score;
    int item;
    int best;         ///< item of the best hypothesis over the same words; kNone if there is none
    float lead;       ///< of that over the given tree
    bool same;        ///< they have the same steps
    int left, right;  ///< derived items; kNone for a word
  };
  /// After `run`: what the search found where a tree has its constituents. The last one is the whole sentence.
  const std::vector<Derived>& derive(std::span<const int32_t> derivation);

  /// The score of a step, without price.
  float score(const ChartStep& step) {
    const int count = steps_.keys(step, keys_);
    std::ranges::fill(row_, Sum{0});
    fine_.add({keys_, static_cast<size_t>(count)}, row_.data());
    return model_.actions.score(row_.data(), step.action) * fine_.unit();
  }
  float score(std::span<const int32_t> derivation) {
    float sum = 0;
    steps_.for_each_step(steps_.add_derivation(derivation, [](int, int, int) {}),
                         [&](const ChartStep& step) { sum += score(step); });
    return sum;
  }

  /// While the list is used, the sentence must live and this search must not be used otherwise.
  KBestList list(const Sentence& sentence) {
    return KBestList([this, &sentence](int k, std::vector<Candidate>& list) { fill_list(sentence, k, list); });
  }

  /// The features of a derivation of the current sentence.
  FeatureVector features(std::span<const int32_t> derivation, bool with_weights);
  std::vector<NamedFeature> feature_names(const Sentence& sentence, std::span<const int32_t> derivation);

 private:
  using Sum = typename Weights::Sum;
  static constexpr int kMostListed = 1 << 18;  // hypotheses in all of the chart while a list is made
  struct Filled {
    int first, last, begin, count;
  };
  struct Split {
    int last;         // of the left half
    int left, right;  // spans
    int row;          // of rows_; -1: not yet summed
  };
  struct Pair {
    float score;
    int split, left, right;
    bool operator<(const Pair& other) const {
      if (score != other.score) return score < other.score;
      if (split != other.split) return split > other.split;
      if (left != other.left) return left > other.left;
      return right > other.right;
    }
  };
  struct Joined {
    float score;
    int left, right, action;
  };
  struct Finished {
    float score;
    int base, action;
  };

  std::span<const Hypothesis> beam_of(const Filled& span) const {
    return std::span(beams_).subspan(static_cast<size_t>(span.begin), static_cast<size_t>(span.count));
  }
  const Hypothesis& at(int span, int rank) const { return beams_[spans_[span].begin + rank]; }
  bool is_part(int item) const { return steps_[item].part; }

  // ---- sums of rows
  int new_row() {
    const auto columns = static_cast<size_t>(fine_.columns());
    const size_t begin = rows_used_++ * columns;
    if (rows_.size() < begin + columns) rows_.resize(2 * (begin + columns));
    std::fill_n(&rows_[begin], columns, Sum{0});
    return static_cast<int>(rows_used_) - 1;
  }
  Sum* row(int number) { return &rows_[static_cast<size_t>(number) * static_cast<size_t>(fine_.columns())]; }
  int sum_of_keys(int count) {
    const int made = new_row();
    fine_.add({keys_, static_cast<size_t>(count)}, row(made));
    return made;
  }
  void add_row(const Sum* other) {
    for (size_t c = 0; c < row_.size(); ++c) row_[c] = static_cast<Sum>(row_[c] + other[c]);
  }
  /// Of what is seen of an item in this role; summed once.
  Sum* item_row(int item, ChartFeatures::Role role) {
    const size_t place = static_cast<size_t>(item) * 2 + (role == ChartFeatures::kRight);
    if (item_rows_.size() <= place) item_rows_.resize(2 * place + 2, -1);
    if (item_rows_[place] < 0) {
      const int made = sum_of_keys(steps_.item_keys(item, role, keys_));
      item_rows_[place] = made;
    }
    return row(item_rows_[place]);
  }

  float price(int gold_action, int action) const { return action == gold_action ? 0 : price_; }
  int gold_join(int gold) const { return gold < 0 ? -1 : gold_.spans[gold].join; }
  int gold_unary(int gold) const { return gold < 0 ? model_.actions.stay_action() : gold_.spans[gold].unary; }

  /// The same in every model.
  uint64_t name(int action) const {
    const auto& [move, label] = model_.actions.actions.action(action);
    return combine(static_cast<uint64_t>(move), label < 0 ? 0 : hash_string(model_.labels[label]));
  }
  void find_splits(const ChartOptions& options);
  float look_at(int split, int left, int right, const typename CoarseSpans<Weights>::Kept& kept);
  void join(const typename CoarseSpans<Weights>::Kept& kept, const ChartOptions& options);
  void finish(const typename CoarseSpans<Weights>::Kept& kept, const ChartOptions& options, Filled& span);
  void fill_list(const Sentence& sentence, int k, std::vector<Candidate>& list);

  const ChartModel& model_;
  const Weights& fine_;
  std::vector<int> words_;
  ChartSteps steps_;
  CoarseSpans<Weights> coarse_;
  ChartGold gold_;
  float price_ = 0;
  std::vector<Filled> spans_;  // as charts are filled
  std::vector<Hypothesis> beams_, bases_;
  std::vector<std::vector<int>> by_start_;  // spans that begin with a word
  std::vector<int> ending_here_;            // by first word: the span that ends with the current word, or -1
  std::vector<Split> splits_;
  std::vector<Pair> heap_;
  std::vector<Joined> joined_;
  std::vector<Finished> finished_;
  std::vector<Derived> derived_;
  std::vector<int> found_, open_;  // by derived item: the hypothesis with the same steps; those without parent
  std::vector<Sum> row_, span_row_, rows_;
  size_t rows_used_ = 0;
  std::vector<int> item_rows_;
  uint64_t keys_[ChartFeatures::kMostKeys];
  int first_ = 0, last_ = 0;  // of the span that is being filled
};

template <class Weights>
void ChartSearch<Weights>::run(const ChartOptions& options, float price) {
  price_ = price;
  const auto& kept = coarse_.keep(options.gap, options.most_spans);
  const int n = steps_.atoms().size();
  steps_.clear();
  spans_.clear();
  beams_.clear();
  rows_used_ = 0;
  item_rows_.clear();
  if (static_cast<int>(by_start_.size()) <= n) by_start_.resize(n + 1);
  for (int i = 1; i <= n; ++i) by_start_[i].clear();
  ending_here_.assign(n + 2, -1);
  size_t column = 0;  // the first span that ends with the current word
  for (const auto& span : kept) {
    if (column < spans_.size() && span.last != spans_[column].last) {
      stop_point();
      for (; column < spans_.size(); ++column) ending_here_[spans_[column].first] = -1;
    }
    first_ = span.first, last_ = span.last;
    const auto count = static_cast<size_t>(steps_.span_keys(first_, last_, keys_));
    std::ranges::fill(span_row_, Sum{0});
    fine_.add({keys_, count}, span_row_.data());
    bases_.clear();
    if (first_ == last_) {
      bases_.push_back({0, steps_.add_word(first_)});
    } else {
      find_splits(options);
      if (splits_.empty()) continue;
      join(span, options);
    }
    Filled filled{first_, last_, static_cast<int>(beams_.size()), 0};
    finish(span, options, filled);
    ending_here_[first_] = static_cast<int>(spans_.size());
    by_start_[first_].push_back(static_cast<int>(spans_.size()));
    spans_.push_back(filled);
  }
}

/// The splits whose halves are both in the chart and good enough together.
template <class Weights>
void ChartSearch<Weights>::find_splits(const ChartOptions& options) {
  splits_.clear();
  float best = -std::numeric_limits<float>::infinity();
  const auto plain = [&](int left, int right) { return at(left, 0).score + at(right, 0).score; };
  for (const int left : by_start_[first_]) {
    const int right = spans_[left].last < last_ ? ending_here_[spans_[left].last + 1] : -1;
    if (right < 0) continue;
    splits_.push_back({spans_[left].last, left, right, -1});
    best = std::max(best, plain(left, right));
  }
  std::erase_if(splits_, [&](const Split& split) { return plain(split.left, split.right) < best - options.seed_gap; });
}

/// Scores all joins of a pair of hypotheses; returns the best score.
template <class Weights>
float ChartSearch<Weights>::look_at(int number, int left, int right, const typename CoarseSpans<Weights>::Kept& kept) {
  Split& split = splits_[number];
  const Hypothesis &l = at(split.left, left), &r = at(split.right, right);
  const float plain = l.score + r.score;
  const int n = steps_.atoms().size();
  const MoveSet moves = ShiftReduce::joins(steps_[l.item], steps_[r.item], first_ > 1, last_ < n);
  float best = -std::numeric_limits<float>::infinity();
  bool summed = false;
  for (const int action : coarse_.joins(kept)) {
    const auto& [move, label] = model_.actions.actions.action(action);
    if (!(moves >> move & 1) || !ShiftReduce::joins_as(steps_[l.item], steps_[r.item], move, label)) continue;
    if (!summed) {
      summed = true;
      steps_.see_split(first_, split.last, last_);
      if (split.row < 0) split.row = sum_of_keys(steps_.split_keys(keys_));
      const int count = steps_.pair_keys(l.item, r.item, keys_);
      std::ranges::copy(span_row_, row_.begin());
      fine_.add({keys_, static_cast<size_t>(count)}, row_.data());
      add_row(row(split.row));
      add_row(item_row(l.item, ChartFeatures::kLeft));
      add_row(item_row(r.item, ChartFeatures::kRight));
    }
    const float score =
        plain + model_.actions.score(row_.data(), action) * fine_.unit() + price(gold_join(kept.gold), action);
    best = std::max(best, score);
    joined_.push_back({score, l.item, r.item, action});
  }
  return summed ? best : plain;
}

/// Fills bases_ with the best joins. Pairs are looked at nearly best first: from (a, b) come (a, b + 1), and if b = 0
/// (a + 1, 0), so that none comes twice.
template <class Weights>
void ChartSearch<Weights>::join(const typename CoarseSpans<Weights>::Kept& kept, const ChartOptions& options) {
  joined_.clear();
  heap_.clear();
  const auto push = [&](int split, int a, int b) {
    if (a >= spans_[splits_[split].left].count || b >= spans_[splits_[split].right].count) return;
    heap_.push_back({look_at(split, a, b, kept), split, a, b});
    std::push_heap(heap_.begin(), heap_.end());
  };
  for (int s = 0; s < static_cast<int>(splits_.size()); ++s) push(s, 0, 0);
  for (long pops = options.beam; !heap_.empty() && pops > 0; --pops) {
    std::pop_heap(heap_.begin(), heap_.end());
    const Pair top = heap_.back();
    heap_.pop_back();
    push(top.split, top.left, top.right + 1);
    if (top.right == 0) push(top.split, top.left + 1, 0);
  }
  const auto is_complete = [&](const Joined& one) {
    const int move = model_.actions.actions.action(one.action).move;
    return move == ShiftReduce::kLeft || move == ShiftReduce::kRight;
  };
  if (std::ranges::none_of(joined_, is_complete)) {
    // Every beam has a complete hypothesis, and two of them can always be joined to a third.
    const auto complete = [&](int span) {
      int rank = 0;
      while (is_part(at(span, rank).item)) ++rank;
      return rank;
    };
    look_at(0, complete(splits_[0].left), complete(splits_[0].right), kept);
  }
  std::ranges::stable_sort(joined_, [](const Joined& a, const Joined& b) { return a.score > b.score; });
  bool has_complete = false;
  for (const Joined& one : joined_) {
    const bool full = static_cast<int>(bases_.size()) >= options.beam;
    if (full && has_complete) break;
    if (full && !is_complete(one)) continue;
    const int item = steps_.add_join(one.left, one.right, one.action);
    const auto twin = [&](const Hypothesis& other) { return steps_[other.item].look[1] == steps_[item].look[1]; };
    if (options.recombine && std::ranges::any_of(bases_, twin)) continue;
    bases_.push_back({one.score, item});
    has_complete |= is_complete(one);
  }
}

/// Adds the unary step to bases_; the best results are the span's beam.
template <class Weights>
void ChartSearch<Weights>::finish(const typename CoarseSpans<Weights>::Kept& kept, const ChartOptions& options,
                                  Filled& span) {
  finished_.clear();
  const int right = gold_unary(kept.gold);
  for (const Hypothesis& base : bases_) {
    if (is_part(base.item)) {
      finished_.push_back({base.score, base.item, model_.actions.stay_action()});
      continue;
    }
    std::ranges::copy(span_row_, row_.begin());
    const int count = steps_.item_keys(base.item, ChartFeatures::kOnly, keys_);
    fine_.add({keys_, static_cast<size_t>(count)}, row_.data());
    for (const int action : coarse_.unaries(kept))
      finished_.push_back({base.score + model_.actions.score(row_.data(), action) * fine_.unit() + price(right, action),
                           base.item, action});
  }
  std::ranges::stable_sort(finished_, [](const Finished& a, const Finished& b) { return a.score > b.score; });
  bool has_complete = false;
  for (const Finished& one : finished_) {
    const bool full = span.count >= options.beam, complete = !is_part(one.base);
    if (full && has_complete) break;
    if (full && !complete) continue;
    const int item = steps_.add_unary(one.base, one.action);
    const auto twin = [&](const Hypothesis& other) { return steps_[other.item].look[1] == steps_[item].look[1]; };
    if (options.recombine && std::any_of(beams_.begin() + span.begin, beams_.end(), twin)) continue;
    beams_.push_back({one.score, item});
    ++span.count;
    has_complete |= complete;
  }
}

template <class Weights>
auto ChartSearch<Weights>::derive(std::span<const int32_t> derivation) -> const std::vector<Derived>& {
  constexpr int kNone = ConstituentItem::kNone;
  derived_.clear();
  found_.clear();
  open_.clear();
  steps_.add_derivation(derivation, [&](int item, int join, int unary) {
    const int base = steps_[item].kind == BinaryTree::kUnary ? steps_[item].left : item;
    Derived derived{0, item, kNone, 0, false, kNone, kNone};
    if (join >= 0) {
      derived.right = open_.back(), open_.pop_back();
      derived.left = open_.back(), open_.pop_back();
      derived.score = derived_[derived.left].score + derived_[derived.right].score + score({base, join, true});
    }
    if (!is_part(base)) derived.score += score({base, unary, false});
    const std::span<const Hypothesis> beam = over(steps_[item].first, steps_[item].last);
    int found = kNone;
    for (const Hypothesis& other : beam) {
      const ConstituentItem& top = steps_[other.item];
      const ConstituentItem& below = top.kind == BinaryTree::kUnary ? steps_[top.left] : top;
      if (steps_.unary_action(top) == unary &&
          (join < 0 || (steps_.join_action(below) == join && below.left == found_[derived.left] &&
                        below.right == found_[derived.right])))
        found = other.item;
    }
    if (!beam.empty()) {
      derived.best = beam.front().item;
      derived.lead = beam.front().score - derived.score;
      derived.same = derived.best == found;
    }
    open_.push_back(static_cast<int>(derived_.size()));
    derived_.push_back(derived);
    found_.push_back(found);
  });
  return derived_;
}

/// For lists the search is wider than that for one tree, and wider still if it finds too few.
template <class Weights>
void ChartSearch<Weights>::fill_list(const Sentence& sentence, int k, std::vector<Candidate>& list) {
  list.clear();
  begin(sentence);
  if (words_.empty()) {
    list.emplace_back().analysis.constituents = restored(unbinarised({}, model_.labels), sentence, words_, model_.root);
    return;
  }
  solve_coarse();
  ChartOptions options = model_.options;
  options.recombine = k == 1;
  for (int attempt = 0, beam = k; attempt == 0 || (attempt < 3 && static_cast<int>(list.size()) < k); ++attempt) {
    if (k > 1) {
      const auto spans = static_cast<int>(coarse_.keep(options.gap, options.most_spans).size());
      options.beam = std::max(model_.options.beam, std::min(beam, kMostListed / spans));
    }
    run(options);
    list.clear();
    for (const Hypothesis& one : found()) {
      if (static_cast<int>(list.size()) == k) break;
      Candidate candidate;
      candidate.score = static_cast<double>(one.score);
      steps_.derivation(one.item, candidate.derivation);
      BinaryTree tree;
      ShiftReduce::append_tree(steps_.arena(), one.item, tree);
      candidate.analysis.constituents = restored(unbinarised(tree, model_.labels), sentence, words_, model_.root);
      add_distinct(std::move(candidate), list);  // trees that differ in their heads alone are one
    }
    beam = std::min(beam, kMostListed) * 2;
    options.gap = options.seed_gap = ChartOptions::kNoGap;
  }
}

template <class Weights>
FeatureVector ChartSearch<Weights>::features(std::span<const int32_t> derivation, bool with_weights) {
  FeatureVector vector;
  std::vector<float> values(ChartFeatures::kMostKeys);
  steps_.clear();
  const int root = steps_.add_derivation(derivation, [](int, int, int) {});
  if (root < 0) return vector;
  steps_.for_each_step(root, [&](const ChartStep& step) {
    const std::span<const uint64_t> keys(keys_, static_cast<size_t>(steps_.keys(step, keys_)));
    if (with_weights) fine_.weigh(keys, model_.actions.factors.of(step.action), values.data());
    const uint64_t own = name(step.action);
    for (size_t i = 0; i < keys.size(); ++i) vector.push_back({combine(keys[i], own), 1, with_weights ? values[i] : 0});
  });
  sort_features(vector);
  return vector;
}

template <class Weights>
std::vector<NamedFeature> ChartSearch<Weights>::feature_names(const Sentence& sentence,
                                                              std::span<const int32_t> derivation) {
  AtomTexts texts{{}, model_.labels};
  for (const int word : words_) texts.words.push_back(&sentence.word(word));
  std::vector<NamedFeature> all;
  steps_.clear();
  const int root = steps_.add_derivation(derivation, [](int, int, int) {});
  if (root < 0) return all;
  steps_.for_each_step(root, [&](const ChartStep& step) {
    const uint64_t own = name(step.action);
    const auto& [move, label] = model_.actions.actions.action(step.action);
    constexpr const char* kNames[] = {"shift", "left", "right", "left-part", "right-part", "unary", "stay"};
    const std::string action = label < 0 ? kNames[move] : fmt::format("{}:{}", kNames[move], model_.labels[label]);
    constexpr const char* kRoles[] = {"", "left ", "right ", "only "};
    steps_.for_each_table(
        step,
        [&](auto table, ChartFeatures::Role role, uint64_t* out) {
          const int count = ChartFeatures::keys<decltype(table)>(steps_.view(), role, out);
          for (int t = 0; t < count; ++t)
            all.push_back({combine(out[t], own),
                           fmt::format("{} if {}{}", action, kRoles[role],
                                       describe(decltype(table)::list[t], steps_.view(), steps_.atoms(), texts))});
          return count;
        },
        keys_);
  });
  return all;
}

}  // namespace espalier
