// The imitation driver on small tasks whose costs can be written down.
#include "espalier/learn/l2s/imitate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/base/error.h"
#include "espalier/learn/trained.h"

namespace espalier {
namespace {

struct SeenExample {
  std::vector<uint64_t> keys;
  std::vector<int> allowed;
  std::vector<float> costs;
  int learner;
  friend bool operator==(const SeenExample&, const SeenExample&) = default;
};

/// Writes down what it should learn; its own policy never changes: prefers action `favourite`.
class Recorder : public CostSensitive {
 public:
  explicit Recorder(int favourite) : favourite_(favourite) {}
  int actions(int learner) const override { return learner == 0 ? 8 : 0; }
  std::span<const float> predict(const FeatureBag&, std::span<const FeatureBag>, int) override {
    ++predictions;
    predicted_.assign(8, 1);
    predicted_[static_cast<size_t>(favourite_)] = 0;
    return predicted_;
  }
  void learn(const Lesson& x) override {
    seen.push_back({{x.features.keys().begin(), x.features.keys().end()},
                    {x.allowed.begin(), x.allowed.end()},
                    {x.costs.begin(), x.costs.end()},
                    x.learner});
  }
  std::vector<SeenExample> seen;
  int predictions = 0;

 private:
  int favourite_;
  std::vector<float> predicted_;
};

/// Writes a word of `length` letters; each letter that is not the gold one costs 1, and after a wrong letter the next
/// one costs double: so what an action costs depends on who goes on.
struct Speller {
  std::vector<int> gold;
  bool with_checkpoints = false;
  bool numbered = false;  // every decision has a feature of its own
  mutable int decisions = 0;

  void run(Search& search) const {
    struct State {
      size_t at = 0;
      bool wrong = false;
    } state;
    const std::vector<int> allowed = {0, 1, 2};
    FeatureBag bag;
    while (true) {
      if (with_checkpoints) search.checkpoint(state);
      if (state.at == gold.size()) break;
      ++decisions;
      bag.clear();
      if (search.needs_features()) bag.add(state.at + 100 + (state.wrong ? 1000 : 0));
      if (search.needs_features() && numbered) bag.add(static_cast<uint64_t>(decisions) + 10000);
      const int action = search.predict(bag, allowed, gold[state.at], 0);
      const bool wrong = action != gold[state.at];
      search.loss(wrong ? (state.wrong ? 2 : 1) : 0);
      state.wrong = wrong;
      ++state.at;
    }
  }
};

std::vector<SeenExample> examples_of(const Speller& task, ImitationOptions options, int favourite, uint64_t seed = 1) {
  Recorder recorder(favourite);
  Imitation imitation(options, recorder, seed);
  imitation.train([&](Search& search) { task.run(search); });
  return recorder.seen;
}

TEST(Imitation, SupervisedLearningIsReferenceRollInWithoutRollOut) {
  const auto seen = examples_of({{0, 2}}, {.rollin = Policy::kReference, .rollout = Policy::kNone}, 1);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].costs, (std::vector<float>{0, 1, 1}));
  EXPECT_EQ(seen[1].costs, (std::vector<float>{1, 1, 0}));
}

TEST(Imitation, ReferenceRollOutsMeasureTheLoss) {
  const auto seen = examples_of({{0, 2}}, {.rollin = Policy::kReference, .rollout = Policy::kReference}, 1);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].costs, (std::vector<float>{0, 1, 1}));
}

TEST(Imitation, LearnedRollOutsSeeTheModelsOwnMistakes) {
  // The model always says 1. Gold 0 0: after a right first letter its second one costs 1, after a wrong one 2.
  const auto seen = examples_of({{0, 0}}, {.rollin = Policy::kReference, .rollout = Policy::kLearned}, 1);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].costs, (std::vector<float>{0, 2, 2}));
  EXPECT_EQ(seen[1].costs, (std::vector<float>{0, 1, 1}));
  // Learned roll-in: the second decision is met after a mistake, where a further one costs 2.
  const auto learned = examples_of({{0, 0}}, {.rollin = Policy::kLearned, .rollout = Policy::kReference}, 1);
  EXPECT_EQ(learned[1].costs, (std::vector<float>{0, 2, 2}));
}

TEST(Imitation, CostsAreCutAtTheHighest) {
  const ImitationOptions options{.rollin = Policy::kLearned, .rollout = Policy::kReference, .highest_cost = 1.5};
  const auto seen = examples_of({{0, 0}}, options, 1);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].costs, (std::vector<float>{0, 1, 1}));
  EXPECT_EQ(seen[1].costs, (std::vector<float>{0, 1.5, 1.5}));
}

TEST(Imitation, CostsCanBeSharesOfTheLargestOrRoots) {
  const auto scaled = [](CostScale scale) {
    Recorder recorder(0);
    Imitation imitation({.rollin = Policy::kReference, .scale = scale}, recorder, 1);
    imitation.train([](Search& search) {
      FeatureBag bag;
      const std::vector<float> costs = {5, 1, 2};
      search.predict(bag, {0, 1, 2}, Reference::costs(costs));
    });
    return recorder.seen.at(0).costs;
  };
  EXPECT_EQ(scaled(CostScale::kGiven), (std::vector<float>{4, 0, 1}));
  EXPECT_EQ(scaled(CostScale::kRelative), (std::vector<float>{1, 0, 0.25}));
  EXPECT_EQ(scaled(CostScale::kRoot), (std::vector<float>{2, 0, 1}));
}

TEST(Imitation, CoinsOfRollOutsDependOnTheSeed) {
  const ImitationOptions options{.rollin = Policy::kReference, .rollout = Policy::kMixState, .rollout_learned = 0.5};
  const Speller task{{0, 2, 1, 0, 1, 2, 0, 0}};
  EXPECT_EQ(examples_of(task, options, 1, 5), examples_of(task, options, 1, 5));
  EXPECT_NE(examples_of(task, options, 1, 5), examples_of(task, options, 1, 6));
}

TEST(Search, RefusesDecisionsThatMakeNoSense) {
  Recorder recorder(0);
  Imitation imitation({}, recorder, 1);
  const auto refused = [&](std::vector<int> allowed, const Reference& reference, int learner = 0) {
    try {
      imitation.train([&](Search& search) {
        FeatureBag bag;
        search.predict(bag, allowed, reference, learner);
      });
      return std::string();
    } catch (const Error& error) {
      return std::string(error.what());
    }
  };
  const std::vector<float> three = {0, 1, 2};
  EXPECT_EQ(refused({0, 1}, 0), "");
  EXPECT_EQ(refused({0, 1}, Reference::costs(three)), "predict: 3 costs for 2 allowed actions");
  EXPECT_EQ(refused({}, 0), "predict: no action is allowed");
  EXPECT_EQ(refused({0, 8}, 0), "predict: allowed actions must ascend and be of 0 to 7");
  EXPECT_EQ(refused({-1, 0}, 0), "predict: allowed actions must ascend and be of 0 to 7");
  EXPECT_EQ(refused({1, 0, 2}, 0), "predict: allowed actions must ascend and be of 0 to 7");
  EXPECT_EQ(refused({0, 1}, 0, 1), "predict: the task has no learner 1");
}

TEST(Imitation, SnapshotsAndReplayGiveTheSameExamples) {
  const Policy policies[] = {Policy::kLearned, Policy::kReference, Policy::kMixState, Policy::kMixRoll};
  for (Policy rollin : policies) {
    for (Policy rollout : policies) {
      ImitationOptions options{.rollin = rollin, .rollout = rollout, .alpha = 0.3};
      Speller task{{0, 2, 1, 0, 1, 2}};
      options.deviations = Deviations::kReplay;
      const auto replayed = examples_of(task, options, 1);
      const int with_replay = task.decisions;
      Speller checkpointed{{0, 2, 1, 0, 1, 2}, true};
      options.deviations = Deviations::kSnapshot;
      const auto resumed = examples_of(checkpointed, options, 1);
      EXPECT_EQ(replayed, resumed);
      EXPECT_EQ(replayed.size(), 6u);
      EXPECT_LT(checkpointed.decisions, with_replay);
    }
  }
}

TEST(Imitation, RollOutsAskTheModelOnceAboutTheSameDecision) {
  const auto run = [](bool numbered, Recorder& recorder) {
    Imitation imitation({.rollin = Policy::kReference, .rollout = Policy::kLearned}, recorder, 1);
    const Speller task{{0, 2, 1, 0, 1, 2}, false, numbered};
    imitation.train([&](Search& search) { task.run(search); });
    std::vector<std::vector<float>> costs;
    for (const SeenExample& seen : recorder.seen) costs.push_back(seen.costs);
    return costs;
  };
  Recorder forgetful(1), remembering(1);
  EXPECT_EQ(run(true, forgetful), run(false, remembering));
  // After a right or a wrong letter there are two ways to meet the next one, and after that no more than two.
  EXPECT_EQ(forgetful.predictions, 3 * (5 + 4 + 3 + 2 + 1));
  EXPECT_LT(remembering.predictions, 2 * (5 + 4 + 3 + 2 + 1));
}

/// Two loops, one after the other, each of which keeps a state of its own: spells a word, then spells it backwards at a
/// price that depends on what was wrong before.
struct TwoLoops {
  struct Forward {
    size_t at = 0;
    int wrong = 0;
  };
  struct Backward {
    size_t left = 0;
  };
  std::vector<int> gold = {0, 2, 1, 0};
  bool numbered = true;
  mutable int decisions = 0;

  void run(Search& search) const {
    const auto decide = [&](size_t at, uint64_t loop) {
      ++decisions;
      FeatureBag bag;
      if (search.needs_features()) bag.add(at + loop);
      return search.predict(bag, {0, 1, 2}, gold[at]) != gold[at];
    };
    Forward forward;
    for (search.checkpoint(forward); forward.at < gold.size(); search.checkpoint(forward)) {
      const bool wrong = decide(forward.at, 100);
      search.loss(wrong);
      forward.wrong += wrong;
      ++forward.at;
    }
    Backward backward{gold.size()};
    for (search.checkpoint(backward, numbered); backward.left > 0; search.checkpoint(backward, numbered)) {
      search.loss(decide(backward.left - 1, 200) * (1 + forward.wrong));
      --backward.left;
    }
  }
};

TEST(Imitation, RunsResumeInTheLoopThatKeptTheState) {
  const auto run = [](const TwoLoops& task, Deviations deviations) {
    Recorder recorder(1);
    const ImitationOptions options{.rollin = Policy::kLearned, .rollout = Policy::kLearned, .deviations = deviations};
    Imitation imitation(options, recorder, 1);
    imitation.train([&](Search& search) { task.run(search); });
    std::vector<std::vector<float>> costs;
    for (const SeenExample& seen : recorder.seen) costs.push_back(seen.costs);
    return costs;
  };
  const TwoLoops replayed, resumed;
  const auto costs = run(replayed, Deviations::kReplay);
  EXPECT_EQ(costs.size(), 8u);
  EXPECT_EQ(run(resumed, Deviations::kSnapshot), costs);
  EXPECT_LT(resumed.decisions, replayed.decisions);
  TwoLoops confused;
  confused.numbered = false;
  EXPECT_THROW(run(confused, Deviations::kSnapshot), Error);
}

TEST(Imitation, FollowingTheReferenceNeedsNoModelAndNoFeatures) {
  Recorder recorder(1);
  Imitation imitation({.rollin = Policy::kReference, .rollout = Policy::kReference}, recorder, 1);
  const Speller task{{0, 2, 1}};
  imitation.train([&](Search& search) { task.run(search); });
  EXPECT_EQ(recorder.predictions, 0);
}

TEST(Imitation, MixingTurnsFromReferenceToModel) {
  // After t examples the model leads with probability 1 - (1 - alpha)^t. Every trajectory here adds two examples.
  const double alpha = 0.01;
  int led = 0;
  const int trajectories = 400;
  Recorder recorder(1);
  Imitation imitation({.rollin = Policy::kMixRoll, .rollout = Policy::kNone, .alpha = alpha}, recorder, 3);
  double expected = 0;
  for (int i = 0; i < trajectories; ++i) {
    expected += 1 - std::pow(1 - alpha, 2 * i);
    const Speller task{{0, 0}};
    imitation.train([&](Search& search) { task.run(search); });
    led += imitation.last_loss() > 0;
  }
  EXPECT_EQ(imitation.examples(), 2u * trajectories);
  EXPECT_NEAR(led, expected, 4 * std::sqrt(trajectories * 0.25));
}

TEST(Imitation, PoliciesOfBeforeAreMixedWithTheirSharesAndTheNewestOnlyLearns) {
  Recorder first(1), second(2), third(3);
  const auto taken = [&](Imitation& imitation) {  // how often each action is, of which the teacher's is 0
    std::vector<double> counts(4);
    imitation.train([&](Search& search) {
      FeatureBag bag;
      counts.assign(4, 0);
      for (int i = 0; i < 4000; ++i) ++counts[static_cast<size_t>(search.predict(bag, {0, 1, 2, 3}, 0))];
    });
    return counts;
  };
  Imitation imitation({.rollin = Policy::kMixState, .rollout = Policy::kNone, .policy_beta = 0.4}, first, 1);
  EXPECT_EQ(taken(imitation)[0], 4000);
  imitation.keep_policy(second);
  EXPECT_NEAR(taken(imitation)[1], 0.4 * 4000, 130);
  imitation.keep_policy(third);
  const std::vector<double> counts = taken(imitation);
  EXPECT_NEAR(counts[2], 0.4 * 4000, 130);
  EXPECT_NEAR(counts[1], 0.6 * 0.4 * 4000, 130);
  EXPECT_NEAR(counts[0], 0.6 * 0.6 * 4000, 130);
  EXPECT_EQ(counts[3], 0);
  for (const Recorder* policy : {&first, &second, &third}) EXPECT_EQ(policy->seen.size(), 4000u);
}

TEST(Imitation, ExploredIsTheShareOfStepsRolledOut) {
  ImitationOptions options{.rollin = Policy::kReference, .rollout = Policy::kReference, .explored = 0.3};
  Speller task;
  task.gold.assign(2000, 0);
  // Long words are expensive to roll out from the start; checkpoints keep this quick.
  task.with_checkpoints = true;
  options.deviations = Deviations::kSnapshot;
  task.gold.resize(300);
  const size_t seen = examples_of(task, options, 1).size();
  EXPECT_GT(seen, 60u);
  EXPECT_LT(seen, 120u);
}

TEST(Imitation, ExploredHoldsWithoutRollOutsToo) {
  Speller task;
  task.gold.assign(300, 0);
  const size_t seen =
      examples_of(task, {.rollin = Policy::kReference, .rollout = Policy::kNone, .explored = 0.3}, 1).size();
  EXPECT_GT(seen, 60u);
  EXPECT_LT(seen, 120u);
  Settings settings;
  settings.set("explored", "0");
  SettingsReader reader(settings);
  EXPECT_THROW(ImitationOptions::from(reader, {}), Error);  // nothing would be learned
}

TEST(Imitation, CostVectorsAreTakenAsTheyAreAndTheFirstOfTheBestIsFollowed) {
  Recorder recorder(3);
  Imitation imitation({.rollin = Policy::kReference}, recorder, 1);
  int action = -1;
  imitation.train([&](Search& search) {
    FeatureBag bag;
    const std::vector<int> allowed = {0, 2, 3};
    const std::vector<float> costs = {4, 1, 1};
    action = search.predict(bag, allowed, Reference::costs(costs));
  });
  EXPECT_EQ(action, 2);
  ASSERT_EQ(recorder.seen.size(), 1u);
  EXPECT_EQ(recorder.seen[0].costs, (std::vector<float>{3, 0, 0}));
}

TEST(Imitation, ADecisionWithoutDifferencesTeachesNothing) {
  Recorder recorder(0);
  Imitation imitation({}, recorder, 1);
  imitation.train([&](Search& search) {
    FeatureBag bag;
    const std::vector<int> allowed = {0, 1}, one = {1};
    const std::vector<float> costs = {2, 2};
    search.predict(bag, allowed, Reference::costs(costs));
    EXPECT_EQ(search.predict(bag, one, 0), 1);  // the only choice
  });
  EXPECT_TRUE(recorder.seen.empty());
}

// No reference, or one that is not allowed: where the teacher leads, the first action is taken, and nothing is learned.
TEST(Imitation, ADecisionAboutWhichNothingIsKnownTeachesNothing) {
  const std::vector<int> none, forbidden = {3, 7};
  for (const Policy rollin : {Policy::kReference, Policy::kLearned}) {
    Recorder recorder(2);
    Imitation imitation({.rollin = rollin, .rollout = Policy::kNone}, recorder, 1);
    imitation.train([&](Search& search) {
      FeatureBag bag;
      const int led = rollin == Policy::kReference ? 0 : 2;
      EXPECT_EQ(search.predict(bag, {0, 1, 2}, Reference()), led);
      EXPECT_EQ(search.predict(bag, {0, 1, 2}, Reference::actions(none)), led);
      EXPECT_EQ(search.predict(bag, {0, 1, 2}, Reference::actions(forbidden)), led);
      EXPECT_EQ(search.predict(bag, {0, 1, 2}, -1), led);
    });
    EXPECT_TRUE(recorder.seen.empty());
    EXPECT_EQ(imitation.examples(), 0u);
    imitation.train([&](Search& search) {  // one of several suffices
      FeatureBag bag;
      search.predict(bag, {0, 1, 3}, Reference::actions(forbidden));
    });
    ASSERT_EQ(recorder.seen.size(), 1u);
    EXPECT_EQ(recorder.seen[0].costs, (std::vector<float>{1, 1, 0}));
  }
}

TEST(Imitation, RollOutsFindOutWhatNobodyKnows) {
  for (const Policy rollout : {Policy::kReference, Policy::kLearned, Policy::kMixState}) {
    Recorder recorder(0);
    Imitation imitation({.rollin = Policy::kLearned, .rollout = rollout}, recorder, 1);
    imitation.train([&](Search& search) {
      FeatureBag bag;
      const int action = search.predict(bag, {0, 1, 2}, Reference());
      search.loss(action == 1 ? 0 : action + 1);
    });
    ASSERT_EQ(recorder.seen.size(), 1u);
    EXPECT_EQ(recorder.seen[0].costs, (std::vector<float>{1, 0, 3}));
  }
}

TEST(Imitation, RefusesOptionsWithWhichNothingCanBeLearned) {
  Recorder recorder(0);
  const auto refused = [&](const ImitationOptions& options) { EXPECT_THROW(Imitation(options, recorder, 1), Error); };
  refused({.explored = 0});
  refused({.explored = -1});
  refused({.explored = 1.5});
  refused({.explored = std::nan("")});
  refused({.highest_cost = 0});
  refused({.alpha = 2});
  refused({.rollout_learned = 2});
  refused({.policy_beta = -0.5});
}

TEST(Search, ConditioningAddsEachActionAloneAndWithAllLaterOnes) {
  Recorder recorder(0);
  Imitation imitation({.rollin = Policy::kReference, .rollout = Policy::kNone}, recorder, 1);
  const std::vector<int> allowed = {0, 1};
  const auto keys = [&](std::vector<int> history) {
    recorder.seen.clear();
    imitation.train([&](Search& search) {
      FeatureBag bag;
      bag.add(5);
      search.predict(bag, allowed, 0, 0, history);
      EXPECT_EQ(bag.size(), 1u);  // the task's bag is as it was
    });
    return recorder.seen.at(0).keys;
  };
  EXPECT_EQ(keys({}).size(), 1u);
  EXPECT_EQ(keys({1, 2, 3}).size(), 1u + 3 + 2);
  EXPECT_NE(keys({1, 2}), keys({2, 1}));
  EXPECT_EQ(keys({1, 2})[1], keys({1, 3})[1]);
}

}  // namespace
}  // namespace espalier
