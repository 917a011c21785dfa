#include "espalier/app/train_search.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"

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

TEST(TrainSearch, LearnsAndKeepsItsModel) {
  std::vector<Copier> examples;
  for (int bits = 0; bits < 32; ++bits) {
    Copier& example = examples.emplace_back();
    for (int i = 0; i < 5; ++i) example.input.push_back(bits >> i & 1);
  }
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
  EXPECT_THROW(SearchTrainer({}), Error);
  EXPECT_THROW(SearchTrainer({0}), Error);
  EXPECT_THROW(SearchTrainer({2}, {"no_such=1"}), Error);
  EXPECT_THROW(SearchModel::from_bytes("nonsense", "memory"), Error);
}

}  // namespace
}  // namespace espalier
