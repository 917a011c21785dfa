#include "espalier/app/train_search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"

namespace espalier {
namespace {

/// Copies its input, where the second of two equal letters is written as 2.
struct Copier {
  std::vector<int> input, output;

  void run(TaskSearch& search) {
    output.clear();
    for (const int letter : input) {
      const int last = output.empty() ? 2 : output.back();
      const int right = letter == last ? 2 : letter;
      const uint64_t key = feature_key(letter == 0 ? "zero" : "one");
      const int history[] = {last};
      const uint64_t keys[] = {key, key + static_cast<uint64_t>(last) * 977};
      const int gold[] = {right};
      output.push_back(search.predict({.features = keys, .reference = gold, .conditioned_on = history}));
      search.loss(output.back() != right);
    }
  }
};

std::vector<Copier> all_copies() {
  std::vector<Copier> examples(32);
  for (size_t bits = 0; bits < examples.size(); ++bits) {
    for (int i = 0; i < 5; ++i) examples[bits].input.push_back(static_cast<int>(bits >> i & 1));
  }
  return examples;
}

TEST(TrainSearch, LearnsAndKeepsItsModel) {
  std::vector<Copier> examples = all_copies();
  for (const char* learner : {"learner=perceptron", "learner=adaptive"}) {
    SearchTrainer trainer({3}, {learner, "epochs=8", "bits=12"});
    EXPECT_EQ(trainer.epochs(), 8);
    double loss = 0;
    for (int epoch = 0; epoch < trainer.epochs(); ++epoch) {
      loss = 0;
      for (Copier& example : examples) loss += trainer.learn([&](TaskSearch& search) { example.run(search); });
      trainer.sample();
    }
    const SearchModel again = SearchModel::from_bytes(trainer.model().to_bytes(), "memory");
    for (Copier& example : examples) {
      again.decide([&](TaskSearch& search) { example.run(search); });
      for (size_t i = 0; i < example.input.size(); ++i) {
        const int last = i == 0 ? 2 : example.output[i - 1];
        EXPECT_EQ(example.output[i], example.input[i] == last ? 2 : example.input[i]) << learner;
      }
    }
  }
}

std::string trained(const std::vector<std::string>& settings, std::vector<double>* losses = nullptr) {
  SearchTrainer trainer({3}, settings);
  std::vector<Copier> examples = all_copies();
  const auto told = trainer.train(examples.size(), [&](TaskSearch& search, size_t i) { examples[i].run(search); });
  if (losses) *losses = told;
  return trainer.model().to_bytes();
}

TEST(TrainSearch, TrainsAsItsStepsDo) {
  for (const char* learner : {"learner=perceptron", "learner=adaptive"}) {
    const std::vector<std::string> settings = {learner, "rollin=learn", "shuffle=false", "bits=12"};
    SearchTrainer steps({3}, settings);
    std::vector<Copier> examples = all_copies();
    std::vector<double> losses, told;
    ASSERT_EQ(examples.size() % static_cast<size_t>(steps.samples()), 0u);
    for (int epoch = 0; epoch < steps.epochs(); ++epoch) {
      losses.push_back(0);
      for (size_t i = 0; i < examples.size(); ++i) {
        losses.back() += steps.learn([&](TaskSearch& search) { examples[i].run(search); });
        if ((i + 1) % (examples.size() / static_cast<size_t>(steps.samples())) == 0) steps.sample();
      }
    }
    EXPECT_EQ(trained(settings, &told), steps.model().to_bytes()) << learner;
    EXPECT_EQ(told, losses);
    EXPECT_LT(losses.back(), losses.front());
  }
}

// Without a word said, programs get what recipe l2s-tagger gets: averaged weights, shuffled examples and all.
TEST(TrainSearch, HasTheDefaultsOfTheRecipe) {
  for (const std::string learner : {"learner=perceptron", "learner=adaptive", "learner=nn"}) {
    Settings recipe = load_recipe("l2s-tagger");
    for (const std::string& pair : {learner, std::string("bits=12")}) recipe.set_pair(pair);
    std::vector<std::string> pairs;
    for (const auto& [key, known] : configure(recipe).known) {
      if (key != "recipe") pairs.push_back(key + "=" + known.value);
    }
    const SearchTrainer ours({3}, {learner}), theirs({3}, pairs);
    EXPECT_EQ(ours.epochs(), theirs.epochs());
    EXPECT_EQ(ours.samples(), theirs.samples());
    EXPECT_EQ(trained({learner, "bits=12"}), trained(pairs)) << learner;
  }
  EXPECT_NE(trained({"learner=adaptive", "bits=12"}), trained({"learner=adaptive", "bits=12", "average=0"}));
  EXPECT_NE(trained({"bits=12"}), trained({"bits=12", "shuffle=false"}));
}

// A word whose label nobody knows is left to what is known of the others.
TEST(TrainSearch, LearnsNothingWhereNothingIsKnown) {
  const auto learned = [](bool with_unknown) {
    SearchTrainer trainer({3}, {"learner=adaptive", "bits=12"});
    for (int i = 0; i < 20; ++i) {
      trainer.learn([&](TaskSearch& search) {
        search.predict({.features = {feature_key("a")}, .reference = {2}});
        if (!with_unknown) return;
        search.predict({.features = {feature_key("a")}});
        search.predict({.features = {feature_key("a")}, .reference = {-1}});
        search.predict({.features = {feature_key("a")}, .allowed = {0, 1}, .reference = {2}});
      });
    }
    return trainer.model().to_bytes();
  };
  EXPECT_EQ(learned(true), learned(false));
}

TEST(TrainSearch, TakesListsInBraces) {
  SearchTrainer trainer({3}, {"learner=adaptive", "bits=12"});
  std::vector<int> taken;
  for (int i = 0; i < 20; ++i) {
    trainer.learn([&](TaskSearch& search) {
      taken.push_back(search.predict({.features = {1, 2}, .allowed = {0, 2}, .costs = {1, 0}, .conditioned_on = {1}}));
    });
  }
  EXPECT_EQ(std::ranges::count(taken, 1), 0);
  trainer.model().decide([&](TaskSearch& search) {
    EXPECT_EQ(search.predict({.features = {1, 2}, .allowed = {0, 2}, .conditioned_on = {1}}), 2);
  });
}

TEST(TrainSearch, RefusesDecisionsWithoutSense) {
  SearchTrainer trainer({3, 1});
  const auto refuses = [&](TaskDecision decision) {
    EXPECT_THROW(trainer.learn([&](TaskSearch& search) { search.predict(decision); }), Error);
  };
  const std::vector<int> twice = {1, 1}, large = {0, 3}, negative = {-1}, two = {0, 2};
  const std::vector<float> costs = {0, 1, 2}, bad = {0, -1};
  refuses({.features = {}, .allowed = twice});
  refuses({.features = {}, .allowed = large});
  refuses({.features = {}, .allowed = negative});
  refuses({.features = {}, .learner = 2});
  refuses({.features = {}, .learner = -1});
  refuses({.features = {}, .allowed = two, .costs = costs});
  refuses({.features = {}, .allowed = two, .costs = bad});
  const std::vector<std::vector<uint64_t>> nothing, something = {{1}, {2}};
  refuses({.learner = 1, .alternatives = nothing});
  refuses({.allowed = two, .learner = 1, .alternatives = something});
  EXPECT_THROW(SearchTrainer({}), Error);
  EXPECT_THROW(SearchTrainer({0}), Error);
  EXPECT_THROW(SearchTrainer({2}, {"no_such=1"}), Error);
  EXPECT_THROW(SearchModel::from_bytes("nonsense", "memory"), Error);
}

// Each of the things has features of its own; the right one is that with the word's own letter, wherever it stands.
TEST(TrainSearch, ChoosesAmongThingsWithFeaturesOfTheirOwn) {
  SearchTrainer trainer({1}, {"learner=adaptive", "bits=12"});
  const auto things = [](int letter, int count) {
    std::vector<std::vector<uint64_t>> all;
    for (int i = 0; i < count; ++i) all.push_back({feature_key(i == letter ? "same" : "other")});
    return all;
  };
  for (int i = 0; i < 60; ++i) {
    trainer.learn([&](TaskSearch& search) {
      const int gold[] = {i % 3};
      search.loss(search.predict({.reference = gold, .alternatives = things(i % 3, 3)}) != i % 3);
    });
  }
  trainer.model().decide([&](TaskSearch& search) {
    EXPECT_EQ(search.predict({.alternatives = things(4, 6)}), 4);
    ASSERT_EQ(search.predicted_costs().size(), 6u);
    EXPECT_LT(search.predicted_costs()[4], search.predicted_costs()[0]);
  });
}

TEST(StretchLabels, AllowWhatASchemeMeansAndNothingElse) {
  using Scheme = StretchLabels::Scheme;
  for (const Scheme scheme : {Scheme::kBio, Scheme::kBilou}) {
    const StretchLabels labels({"PER", "LOC"}, scheme);
    EXPECT_EQ(labels.size(), scheme == Scheme::kBio ? 5 : 9);
    EXPECT_EQ(labels.find(labels.name(3)), 3);
    EXPECT_EQ(labels.find("B-ORG"), -1);
    // Every sequence of four labels: allowed step by step if and only if it is how the scheme writes its stretches.
    const auto written = [&](const std::vector<StretchLabels::Stretch>& stretches) {
      std::vector<int> back(4, 0);
      for (const auto& [begin, end, type] : stretches) {
        const std::string of = type == 0 ? "-PER" : "-LOC";
        for (int i = begin; i < end; ++i) {
          const bool first = i == begin, last = i + 1 == end, ends = scheme == Scheme::kBilou && last;
          const char* mark = first && ends ? "U" : first ? "B" : ends ? "L" : "I";
          back[static_cast<size_t>(i)] = labels.find(mark + of);
        }
      }
      return back;
    };
    std::vector<int> sequence(4, 0);
    int allowed = 0;
    for (int code = 0; code < labels.size() * labels.size() * labels.size() * labels.size(); ++code) {
      for (int i = 0, rest = code; i < 4; ++i, rest /= labels.size())
        sequence[static_cast<size_t>(i)] = rest % labels.size();
      bool every = true;
      for (size_t i = 0; i < 4; ++i) {
        const auto may = labels.allowed(i == 0 ? -1 : sequence[i - 1], i == 3);
        every = every && std::ranges::find(may, sequence[i]) != may.end();
      }
      EXPECT_EQ(every, written(labels.stretches(sequence)) == sequence);
      allowed += every;
    }
    EXPECT_GT(allowed, 100);
  }
}

}  // namespace
}  // namespace espalier
