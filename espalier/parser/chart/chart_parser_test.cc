#include "espalier/parser/chart/chart_parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/parser/chart/chart_search.h"
#include "espalier/parser/model_file.h"
#include "espalier/space/shift_reduce.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using S = ShiftReduce;

/// A model with random weights for what it has seen.
struct RandomChart {
  ChartModel model;
  std::unique_ptr<OnlineLinear> coarse, fine;
  std::unique_ptr<ChartSearch<OnlineLinear>> search;

  RandomChart(int labels, int unaries) {
    for (int l = 0; l < labels; ++l) model.labels.push_back(std::string(1, static_cast<char>('A' + l)));
    model.labels.push_back("A B");
    std::vector<ActionTable::Count> counts;
    for (const int move : {S::kLeft, S::kRight, S::kLeftPart, S::kRightPart})
      for (int label = 0; label < labels; ++label) counts.push_back({move, label, 1});
    for (int u = 0; u < unaries; ++u) counts.push_back({S::kUnary, labels - u, 1});
    std::vector<bool> unlabelled(S::kMoves, false);
    unlabelled[S::kShift] = unlabelled[S::kStay] = true;
    model.actions = ChartActions(ActionTable(S::kMoves, unlabelled, counts, 64, model.labels));
    coarse = std::make_unique<OnlineLinear>(model.actions.factors.columns());
    fine = std::make_unique<OnlineLinear>(model.actions.factors.columns());
    search = std::make_unique<ChartSearch<OnlineLinear>>(model, *coarse, *fine);
  }

  /// Calls visit(derivation, score) for every derivation of the current sentence; weights of steps that are seen for
  /// the first time are drawn.
  void enumerate(Rng& rng, const std::function<void(const std::vector<int32_t>&, float)>& visit) {
    rng_ = &rng;
    visit_ = &visit;
    scores_.clear();
    derivation_.clear();
    search->steps().clear();
    extend({}, 1, -1, 0);
  }

 private:
  float score(const ChartStep& step) {
    const auto [at, fresh] = scores_.try_emplace(search->steps().hash(step), 0.f);
    if (!fresh) return at->second;
    uint64_t keys[ChartFeatures::kMostKeys];
    const int count = search->steps().keys(step, keys);
    const int key = static_cast<int>(rng_->below(static_cast<size_t>(count)));
    for (const uint64_t k : {keys[key], keys[count - 1]})
      for (const int factor : model.actions.factors.of(step.action)) {
        const uint32_t row = fine->locate(k);
        drawn_.push_back({row, factor, static_cast<float>(rng_->below(64)) / 16 - 2});
      }
    return 0;
  }
  void extend(std::vector<int> stack, int next, int due, float sum) {
    auto& steps = search->steps();
    const auto& actions = model.actions.actions;
    const int n = steps.atoms().size();
    const auto with = [&](int action, auto&& go_on) {
      derivation_.push_back(action);
      go_on();
      derivation_.pop_back();
    };
    if (due >= 0) {
      const bool part = steps[stack.back()].part;
      for (int action = actions.begin(S::kUnary); action < actions.end(S::kStay); ++action) {
        const bool stays = action == model.actions.stay_action();
        if (part && !stays) continue;
        with(action, [&] {
          const float own = part ? 0 : score({stack.back(), action, false});
          auto now = stack;
          now.back() = steps.add_unary(now.back(), action);
          extend(now, next, -1, sum + own);
        });
      }
      return;
    }
    if (next > n && stack.size() == 1) return (*visit_)(derivation_, sum);
    if (next <= n)
      with(actions.begin(S::kShift), [&] {
        auto now = stack;
        now.push_back(steps.add_word(next));
        extend(now, next + 1, 1, sum);
      });
    if (stack.size() < 2) return;
    const int right = stack.back(), left = stack[stack.size() - 2];
    const bool below = stack.size() > 2 && !steps[stack[stack.size() - 3]].part;
    const MoveSet moves = S::joins(steps[left], steps[right], below, next <= n);
    for (int action = actions.begin(S::kLeft); action < actions.end(S::kRightPart); ++action) {
      const auto& [move, label] = actions.action(action);
      if (!(moves >> move & 1) || !S::joins_as(steps[left], steps[right], move, label)) continue;
      with(action, [&] {
        auto now = stack;
        now.pop_back();
        now.back() = steps.add_join(left, right, action);
        const float own = score({now.back(), action, true});
        extend(now, next, 1, sum + own);
      });
    }
  }

 public:
  /// Enumerates once to draw weights, then again with the scores that the weights give.
  std::map<std::vector<int32_t>, float> all_scores(const Sentence& sentence, Rng& rng) {
    search->begin(sentence);
    drawn_.clear();
    enumerate(rng, [](const auto&, float) {});
    for (const auto& [row, column, value] : drawn_) fine->adjust(row, column, column + 1, value);
    std::map<uint64_t, float> known;
    std::map<std::vector<int32_t>, float> all;
    enumerate(rng, [&](const std::vector<int32_t>& derivation, float) { all[derivation] = 0; });
    for (auto& [derivation, sum] : all) {
      search->steps().clear();
      search->steps().for_each_step(search->steps().add_derivation(derivation, [](int, int, int) {}),
                                    [&](const ChartStep& step) {
                                      const auto [at, fresh] = known.try_emplace(search->steps().hash(step), 0.f);
                                      if (fresh) at->second = search->score(step);
                                      sum += at->second;
                                    });
    }
    return all;
  }

 private:
  struct Drawn {
    uint32_t row;
    int column;
    float value;
  };
  Rng* rng_ = nullptr;
  const std::function<void(const std::vector<int32_t>&, float)>* visit_ = nullptr;
  std::map<uint64_t, float> scores_;
  std::vector<int32_t> derivation_;
  std::vector<Drawn> drawn_;
};

ChartOptions unlimited(bool recombine) {
  return {.beam = 1 << 20,
          .gap = ChartOptions::kNoGap,
          .seed_gap = ChartOptions::kNoGap,
          .most_spans = 1000,
          .recombine = recombine};
}

const char* const kSentences[] = {"(X (NN dog))", "(X (NN dog) (VB sees))", "(X (DT the) (NN dog) (VB sees))",
                                  "(X (DT the) (NN dog) (VB sees) (NN cats))",
                                  "(X (DT the) (NN dog) (VB sees) (JJ old) (NN cats))"};

struct Size {
  int words, labels, unaries;
};
constexpr Size kSizes[] = {{1, 2, 2}, {2, 2, 2}, {3, 2, 2}, {4, 1, 1}, {4, 2, 0}, {5, 1, 0}};

TEST(ChartSearch, FindsTheBestTreesOfAll) {
  Rng rng(1, "test");
  for (const auto& [words, labels, unaries] : kSizes) {
    RandomChart chart(labels, unaries);
    const Sentence sentence = testing::constituents(kSentences[words - 1]);
    const auto all = chart.all_scores(sentence, rng);
    std::vector<float> best;
    for (const auto& [derivation, score] : all) best.push_back(score);
    std::ranges::sort(best, std::greater());
    auto& search = *chart.search;
    for (const bool recombine : {true, false}) {
      search.begin(sentence);
      search.solve_coarse();
      search.run(unlimited(recombine));
      ASSERT_FALSE(search.found().empty());
      EXPECT_NEAR(search.found()[0].score, best[0], 1e-3) << words;
      if (!recombine) {
        ASSERT_EQ(search.found().size(), best.size()) << words << " " << labels << " " << unaries;
        for (size_t i = 0; i < best.size(); ++i) ASSERT_NEAR(search.found()[i].score, best[i], 1e-3);
      }
      std::vector<int32_t> derivation;
      search.steps().derivation(search.found()[0].item, derivation);
      ASSERT_TRUE(all.contains(derivation));
      EXPECT_NEAR(all.at(derivation), best[0], 1e-3);
    }
  }
}

TEST(ChartSearch, WithNarrowBeamsScoresAreThoseOfTheirTrees) {
  Rng rng(2, "test");
  RandomChart chart(2, 1);
  const Sentence sentence = testing::constituents(kSentences[3]);
  const auto all = chart.all_scores(sentence, rng);
  for (const int beam : {1, 2, 5})
    for (const float gap : {0.f, 2.f}) {
      auto& search = *chart.search;
      search.begin(sentence);
      search.solve_coarse();
      search.run({.beam = beam, .gap = gap, .seed_gap = gap, .most_spans = 1, .recombine = true});
      ASSERT_FALSE(search.found().empty());
      for (const auto& [score, item] : search.found()) {
        std::vector<int32_t> derivation;
        search.steps().derivation(item, derivation);
        EXPECT_NEAR(all.at(derivation), score, 1e-3);
      }
    }
}

TEST(ChartSearch, ExactSearchLeadsGoldEverywhere) {
  Rng rng(3, "test");
  RandomChart chart(1, 1);
  const Sentence sentence = testing::constituents(kSentences[3]);
  const auto all = chart.all_scores(sentence, rng);
  auto& search = *chart.search;
  int errors = 0;
  for (int round = 0; round < 30; ++round) {
    auto any = all.begin();
    std::advance(any, static_cast<std::ptrdiff_t>(rng.below(all.size())));
    for (const bool exact : {true, false}) {
      search.begin(sentence);
      search.solve_coarse();
      ChartOptions options = unlimited(true);
      if (!exact) options.beam = 1;
      search.run(options);
      const auto& derived = search.derive(any->first);
      ASSERT_EQ(derived.size(), 7u);
      EXPECT_NEAR(derived.back().score, any->second, 1e-3);
      for (const auto& item : derived) {
        if (exact) {
          EXPECT_GE(item.lead, -1e-3);
        }
        if (item.same) {
          EXPECT_NEAR(item.lead, 0, 1e-3);
        }
        errors += item.lead < -1e-3;
      }
      std::vector<int32_t> best;
      search.steps().derivation(search.found()[0].item, best);
      EXPECT_TRUE(search.derive(best).back().same);
    }
  }
  EXPECT_GT(errors, 0) << "a beam of one makes search errors";
}

TEST(ChartSearch, CoarseModelIsAFirstOrderParser) {
  // A price on all but one tree's actions makes that tree the best of the coarse model, and what is kept has it.
  Rng rng(4, "test");
  RandomChart chart(2, 1);
  const Sentence sentence = testing::constituents(kSentences[4]);
  const std::vector<SpanActions> gold = {
      {1, 1, -1, chart.model.actions.stay_action()},
      {2, 2, -1, chart.model.actions.stay_action()},
      {1, 2, chart.model.actions.actions.column(S::kRight, 1), chart.model.actions.stay_action()},
      {3, 3, -1, chart.model.actions.stay_action()},
      {1, 3, chart.model.actions.actions.column(S::kLeft, 0), chart.model.actions.stay_action()},
      {4, 4, -1, chart.model.actions.unary_action(chart.model.actions.unaries)},
      {1, 4, chart.model.actions.actions.column(S::kLeft, 0), chart.model.actions.stay_action()},
      {5, 5, -1, chart.model.actions.stay_action()},
      {1, 5, chart.model.actions.actions.column(S::kLeft, 0), chart.model.actions.stay_action()}};
  auto& search = *chart.search;
  search.begin(sentence);
  search.solve_coarse({gold, -1});  // every other action costs
  const auto& found = search.coarse().best_actions();
  ASSERT_EQ(found.size(), gold.size());
  for (size_t i = 0; i < gold.size(); ++i) {
    EXPECT_EQ(found[i].first, gold[i].first);
    EXPECT_EQ(found[i].last, gold[i].last);
    EXPECT_EQ(found[i].join, gold[i].join);
    EXPECT_EQ(found[i].unary, gold[i].unary);
  }
  EXPECT_EQ(search.coarse().keep(0.5f, 100).size(), gold.size());
  search.solve_coarse({gold, 1});  // the other way round: gold stays, whatever its score is
  for (const auto& span : gold)
    EXPECT_TRUE(std::ranges::any_of(search.coarse().keep(0, 1), [&](const auto& kept) {
      return kept.first == span.first && kept.last == span.last &&
             (span.join < 0 || std::ranges::count(search.coarse().joins(kept), span.join)) &&
             std::ranges::count(search.coarse().unaries(kept), span.unary);
    }));
}

}  // namespace
}  // namespace espalier
