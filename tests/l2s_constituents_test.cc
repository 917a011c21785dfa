// The shift-reduce parser as a task of learning to search: costs in closed form against roll-outs, learning, lists.
#include "espalier/parser/l2s/l2s_constituents.h"

#include <gtest/gtest.h>

#include <map>

#include "espalier/base/recipe.h"
#include "espalier/eval/bracket.h"
#include "espalier/learn/l2s/imitate.h"
#include "espalier/learn/shift_reduce/binary_treebank.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/parse_all.h"
#include "espalier/tree/head_rules.h"
#include "tests/toy_constituents.h"

namespace espalier {
namespace {

/// A policy that never changes: pseudo-random costs from the features.
class FixedPolicy : public CostSensitive {
 public:
  int actions(int) const override { return 16; }
  std::span<const float> predict(const FeatureBag& features, std::span<const FeatureBag>, int learner) override {
    uint64_t sum = static_cast<uint64_t>(learner);
    for (const uint64_t key : features.keys()) sum = combine(sum, key);
    for (size_t a = 0; a < costs_.size(); ++a) costs_[a] = static_cast<float>(mix(sum + a) % 1000);
    return costs_;
  }
  void learn(const Lesson& x) override {
    seen.emplace_back(std::vector(x.features.keys().begin(), x.features.keys().end()),
                      std::vector(x.allowed.begin(), x.allowed.end()), std::vector(x.costs.begin(), x.costs.end()));
  }
  using Seen = std::tuple<std::vector<uint64_t>, std::vector<int>, std::vector<float>>;
  std::vector<Seen> seen;

 private:
  std::array<float, 16> costs_;
};

TEST(L2sConstituents, RollOutsFindTheActionsThatCostNothing) {
  const std::vector<Sentence> treebank = toy_constituents(30, 1);
  TreebankOptions reading;
  reading.max_length = 0, reading.min_labels = reading.min_chains = 1;
  reading.head_rules = head_rules_text(reading.head_rules_origin = "english");
  const BinaryTreebank read = read_binary_treebank(reading, Direction::kLeftToRight, treebank);
  L2sConstituents task;
  task.model.root = read.root, task.model.labels = read.labels, task.model.actions = read.actions;
  task.complete();
  ASSERT_LE(std::ranges::max(task.actions()), 16);
  std::array<FixedPolicy, 3> policies;
  const Deviations ways[] = {Deviations::kClosed, Deviations::kSnapshot, Deviations::kReplay};
  for (size_t way = 0; way < 3; ++way) {
    Imitation imitation({.rollin = Policy::kMixState, .alpha = 0.001, .deviations = ways[way]}, policies[way], 7);
    L2sConstituents::Example x;
    for (size_t i = 0; i < read.trees.size(); ++i) {
      const BracketOracle gold(read.trees[i]);
      task.read(*read.sentences[i], x);
      x.gold = &gold;
      imitation.train([&](Search& search) { task.run(search, x); });
    }
  }
  EXPECT_TRUE(policies[1].seen == policies[2].seen);
  // Costs are estimates while parts are under way; the best actions are nearly always the same.
  const auto best = [](const FixedPolicy& policy) {
    std::map<std::pair<std::vector<uint64_t>, std::vector<int>>, std::vector<bool>> best;
    for (const auto& [features, allowed, costs] : policy.seen)
      for (const float cost : costs) best[{features, allowed}].push_back(cost == 0);
    return best;
  };
  const auto thought = best(policies[0]), found = best(policies[1]);
  size_t same = 0, both = 0;
  for (const auto& [decision, which] : thought)
    if (const auto other = found.find(decision); other != found.end()) ++both, same += which == other->second;
  EXPECT_GT(both, 300u);
  EXPECT_GT(same, both * 97 / 100);
}

TEST(L2sConstituents, LearnsFromEitherEndAndABeamIsNoWorse) {
  const std::vector<Sentence> train_data = toy_constituents(150, 1), test = toy_constituents(60, 2);
  for (const char* direction : {"l2r", "r2l"}) {
    Settings settings = load_recipe("l2s-constituents");
    for (const auto& [key, value] : {std::pair("bits", "14"), {"epochs", "4"}, {"direction", direction}})
      settings.set(key, value);
    double f1[2];
    for (const int beam : {1, 4}) {
      settings.set("beam", std::to_string(beam));
      const Trained trained = train(settings, {train_data, {}}, {});
      std::vector<Sentence> parsed = test;
      parse_all(*trained.parser, parsed, 1);
      f1[beam > 1] = score_brackets(test, parsed).brackets.f1();
    }
    EXPECT_GT(f1[0], 0.97) << direction;
    EXPECT_GE(f1[1], f1[0]) << direction;
  }
}

}  // namespace
}  // namespace espalier
