#include "espalier/learn/combine/ranker.h"

#include <gtest/gtest.h>

#include <numeric>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/learn/combine/list_text.h"
#include "espalier/learn/combine/mixture_fit.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using Vector = std::vector<double>;

/// Random lists whose losses are a hidden linear function of the groups, cut to whole numbers. Groups share features,
/// which count up to `most` times.
std::vector<RankExample> random_lists(size_t lists, size_t features, int levels, uint64_t seed, size_t most = 1) {
  Rng rng(seed, "lists");
  std::vector<double> hidden;
  for (size_t i = 0; i < features; ++i) hidden.push_back(rng.uniform() - 0.5);
  std::vector<RankExample> examples(lists);
  for (RankExample& example : examples) {
    for (size_t g = 0; g < features; ++g) {
      example.groups.numbers.insert(example.groups.numbers.end(), 1 + rng.below(most), static_cast<uint32_t>(g));
      example.groups.numbers.push_back(static_cast<uint32_t>(rng.below(features)));
      example.groups.end_row();
    }
    const size_t size = 2 + rng.below(6);
    for (size_t i = 0; i < size; ++i) {
      double quality = 0;
      for (size_t g = 0; g < features && i > 0; ++g) {
        if (rng.below(3) > 0) continue;
        const bool minus = rng.below(2) == 1;
        example.trees.numbers.push_back(static_cast<uint32_t>(2 * g + minus));
        quality += minus ? -hidden[g] : hidden[g];
      }
      example.trees.end_row();
      example.losses.push_back(
          static_cast<float>(std::clamp(levels / 2 - static_cast<int>(3 * quality), 0, levels - 1)));
    }
  }
  return examples;
}

Vector dense(const RankExample& example, size_t i, size_t features) {
  Vector vector(features);
  for (const uint32_t group : example.trees[i])
    for (const uint32_t id : example.groups[group >> 1]) vector[id] += group & 1 ? -1 : 1;
  return vector;
}

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

/// Algorithm 4 as it is printed, with whole vectors.
Vector slow_average(const std::vector<RankExample>& examples, size_t features, const RankOptions& options, int epochs,
                    uint64_t seed) {
  Rng rng(seed, "order of ranking");
  Vector weights(features), sum(features);
  double steps = 0;
  for (int epoch = 0; epoch < epochs; ++epoch) {
    std::vector<size_t> order(examples.size());
    std::iota(order.begin(), order.end(), size_t{0});
    rng.shuffle(order);
    for (const size_t e : order) {
      const RankExample& example = examples[e];
      std::vector<float> levels = example.losses;
      std::ranges::sort(levels);
      levels.erase(std::unique(levels.begin(), levels.end()), levels.end());
      const size_t pairs = options.fine ? levels.size() - 1 : std::min<size_t>(levels.size() - 1, 1);
      for (size_t level = 0; level < pairs; ++level) {
        // The average is over the weights before every pair: w_0 = 0 among them, those after the last pair not.
        for (size_t f = 0; f < features; ++f) sum[f] += weights[f];
        ++steps;
        size_t good = example.size(), bad = example.size();
        Vector scores;
        for (size_t i = 0; i < example.size(); ++i) scores.push_back(dot(weights, dense(example, i, features)));
        for (size_t i = 0; i < example.size(); ++i) {
          if (example.losses[i] == levels[level] && (good == example.size() || scores[i] < scores[good])) good = i;
          if (example.losses[i] > levels[level] && (bad == example.size() || scores[i] > scores[bad])) bad = i;
        }
        const double margin = example.losses[bad] - example.losses[good], ahead = scores[good] - scores[bad];
        Vector delta = dense(example, good, features);
        const Vector other = dense(example, bad, features);
        for (size_t f = 0; f < features; ++f) delta[f] -= other[f];
        const double norm = dot(delta, delta);
        if (ahead >= margin - 1e-8 || norm == 0) continue;
        const double tau = std::min(options.aggressiveness, (margin - ahead) / norm);
        for (size_t f = 0; f < features; ++f) weights[f] += tau * delta[f];
      }
    }
  }
  for (size_t f = 0; f < features; ++f) sum[f] = (sum[f] + weights[f]) / (steps + 1);
  return sum;
}

Ranker::Counts run_epoch(Ranker& ranker, size_t examples, int epoch, uint64_t seed) {
  Ranker::Counts all;
  for (const size_t i : ranking_order(examples, epoch, seed)) {
    const Ranker::Counts one = ranker.learn(i);
    all.pairs += one.pairs, all.updates += one.updates;
  }
  return all;
}

TEST(Ranker, InnerProductsGiveTheWeightsOfTheSlowWay) {
  constexpr size_t kFeatures = 12;
  for (const bool fine : {true, false}) {
    for (const double aggressiveness : {1e9, 2e-5}) {
      // Features that count often: with few small numbers trees would often have equal scores, and rounding breaks such
      // ties this way or that.
      const auto examples = random_lists(60, kFeatures, 5, 7, 97);
      Ranker ranker(examples, kFeatures, {fine, aggressiveness});
      for (int epoch = 1; epoch <= 3; ++epoch) run_epoch(ranker, examples.size(), epoch, 3);
      const auto fast = ranker.average();
      const auto slow = slow_average(examples, kFeatures, {fine, aggressiveness}, 3, 3);
      for (size_t f = 0; f < kFeatures; ++f) EXPECT_NEAR(fast[f], slow[f], 1e-5) << f;
    }
  }
}

TEST(Ranker, FineEqualsCoarseWhereThereAreTwoLevels) {
  const auto examples = random_lists(80, 10, 2, 5);
  Ranker fine(examples, 10, {true, 1e9}), coarse(examples, 10, {false, 1e9});
  for (int epoch = 1; epoch <= 4; ++epoch) {
    const auto a = run_epoch(fine, examples.size(), epoch, 1), b = run_epoch(coarse, examples.size(), epoch, 1);
    EXPECT_EQ(a.pairs, b.pairs);
    EXPECT_EQ(a.updates, b.updates);
  }
  EXPECT_EQ(fine.average(), coarse.average());
}

TEST(Ranker, GoldTakesThePlaceOfWhateverHasNoLoss) {
  const Sentence sentence = testing::dependencies("it/PRON/2/nsubj runs/VERB/0/root ./PUNCT/2/punct");
  LossList list{&sentence, {}, {}};
  const auto add = [&](std::vector<int> heads, double score, double loss) {
    Analysis& analysis = list.list.analyses.emplace_back();
    analysis.heads = std::move(heads);
    analysis.deprels = {"", "nsubj", "root", "punct"};
    list.list.scores.resize(1);
    list.list.scores[0].push_back(score);
    list.losses.push_back(loss);
  };
  add({0, 3, 0, 2}, 5, 1);
  add({0, 2, 0, 1}, 4, 0);  // wrong where the loss does not look
  add({0, 3, 0, 1}, 3, 1);
  put_gold(list);
  EXPECT_EQ(list.losses, (std::vector<double>{1, 1, 0}));
  EXPECT_EQ(list.list.scores[0], (std::vector<double>{5, 3, 3}));
  EXPECT_EQ(list.list.analyses.back(), dependencies_of(sentence)) << "the columns that the list has";
  EXPECT_EQ(list.list.analyses[1].heads, (std::vector<int>{0, 3, 0, 1}));

  const Sentence partial = testing::dependencies("it/PRON/2/nsubj runs/VERB");
  list.sentence = &partial;
  put_gold(list);
  EXPECT_EQ(list.losses.size(), 3u);
}

TEST(Ranker, LearnsARankingThatCanBeLearned) {
  // Feature 0 is worth one error less, feature 1 one more, feature 2 says nothing.
  std::vector<RankExample> examples;
  Rng rng(1, "separable");
  for (int e = 0; e < 30; ++e) {
    RankExample& example = examples.emplace_back();
    example.groups = {{0, 1, 2}, {1, 2, 3}};
    for (int i = 0; i < 5; ++i) {
      int loss = 5;
      for (int k = 0; i > 0 && k < 3; ++k) {
        const auto f = static_cast<uint32_t>(rng.below(3));
        example.trees.numbers.push_back(2 * f);
        loss += f == 0 ? -1 : f == 1 ? 1 : 0;
      }
      example.trees.end_row();
      example.losses.push_back(static_cast<float>(loss));
    }
  }
  Ranker ranker(examples, 3, {});
  Ranker::Counts last;
  for (int epoch = 1; epoch <= 50; ++epoch) last = run_epoch(ranker, examples.size(), epoch, 1);
  EXPECT_EQ(last.updates, 0u);
  const auto weights = ranker.average();
  for (const RankExample& example : examples) {
    const auto scores = rank_scores(example, weights);
    for (size_t i = 0; i < example.size(); ++i)
      for (size_t j = 0; j < example.size(); ++j)
        if (example.losses[i] < example.losses[j]) {
          EXPECT_GT(scores[i], scores[j]);
        }
  }
}

TEST(Ranker, ListsOfEqualTreesTeachNothing) {
  RankExample one;
  one.groups = {{0}, {1}};
  one.trees = {{0}, {0, 1}};
  one.losses = {2, 2};
  Ranker ranker(std::span(&one, 1), 1, {});
  EXPECT_EQ(ranker.learn(0).pairs, 0u);
  EXPECT_EQ(ranker.average(), std::vector<float>{0});
}

TEST(RankExamples, DifferencesHaveTheMarginsOfWholeTrees) {
  const Sentence sentence = testing::dependencies("old/ADJ/2/amod dogs/NOUN/3/nsubj bark/VERB/0/root ./PUNCT/3/punct");
  LossList list{&sentence, {}, {0, 1, 2}};
  Analysis gold = dependencies_of(sentence), wrong = gold, worse = gold;
  wrong.heads[1] = 3;
  worse.heads[1] = 3;
  worse.deprels[2] = "obj";
  list.list.analyses = {gold, wrong, worse};
  RankFeatures features({}, "english");
  LossList copy = list, other = list;
  const auto example = features.learn(std::span(&copy, 1), 1, 1)[0];
  TreeFeatures extractor({});
  const FeatureGroups& groups = extractor.extract(sentence, list.list.analyses);
  Rng rng(1, "weights");
  std::vector<float> weights;
  for (size_t i = 0; i < features.size(); ++i) weights.push_back(static_cast<float>(rng.uniform()));
  const auto weight_of = [&](uint64_t key) {
    for (size_t i = 0; i < features.size(); ++i)
      if (features.key(i) == key) return static_cast<double>(weights[i]);
    return 0.0;
  };
  const auto scores = rank_scores(example, weights);
  double first = 0;
  for (size_t i = 0; i < 3; ++i) {
    double whole = 0;
    for (const uint32_t group : groups.tree(i))
      for (const uint64_t key : groups.keys(group)) whole += weight_of(key);
    if (i == 0) first = whole;
    EXPECT_NEAR(scores[i], whole - first, 1e-4);
  }
  EXPECT_EQ(scores[0], 0);
  // Two lists are asked for, there is one.
  EXPECT_EQ(RankFeatures({}, "english").learn(std::span(&other, 1), 255, 1)[0].groups.size(), 0u);
}

TEST(MixtureFit, FindsTheWeightsThatChooseBest) {
  std::vector<MixtureList> lists(2);
  // The first list needs the parser, the second the ranker, and the ranker is surer of the second.
  lists[0] = {{{1, 0}}, {0, 0.3}, {0, 1}};
  lists[1] = {{{1, 0}}, {0, 1}, {1, 0}};
  lists[0].ranker = {0.4, 1};
  const Mixture mixture = fit_mixture(lists, true);
  EXPECT_EQ(mixture.loss, 0);
  EXPECT_GT(mixture.alpha[0], 0.37);
  EXPECT_LT(mixture.alpha[0], 0.5);
  EXPECT_EQ(fit_mixture(lists, false).alpha, std::vector<double>{1});
  // Two parsers, of which only the second knows.
  std::vector<MixtureList> two(1);
  two[0] = {{{1, 0}, {0, 1}}, {0, 0}, {1, 0}};
  const Mixture chosen = fit_mixture(two, false);
  EXPECT_EQ(chosen.loss, 0);
  EXPECT_NEAR(chosen.alpha[0] + chosen.alpha[1], 1, 1e-9);
  EXPECT_GT(chosen.alpha[1], 0.5);
}

TEST(ListText, RoundTrips) {
  const Sentence words = testing::dependencies("dogs/NOUN/2/nsubj bark/VERB/0/root");
  const Sentence tree = testing::constituents("(S (NP (NN dogs)) (VP (VB bark)))");
  std::vector<Sentence> sentences = {words, Sentence(), tree};
  std::vector<CandidateList> lists(3);
  lists[0].resize(2);
  lists[0][0].score = -1234.56789012345678;
  lists[0][1].score = 1.0 / 3;
  lists[0][0].analysis = lists[0][1].analysis = dependencies_of(words);
  lists[0][1].analysis.deprels[1] = "obj";
  lists[2].resize(1);
  lists[2][0].score = 7;
  lists[2][0].analysis.constituents = tree.constituents;
  std::string text;
  for (size_t i = 0; i < 3; ++i) append_list(sentences[i], lists[i], text);
  const auto read = read_lists(sentences, 16, text);
  for (size_t i = 0; i < 3; ++i) {
    ASSERT_EQ(read[i].size(), lists[i].size());
    for (size_t k = 0; k < lists[i].size(); ++k) {
      EXPECT_EQ(read[i][k].score, lists[i][k].score);
      EXPECT_EQ(read[i][k].analysis, lists[i][k].analysis);
    }
  }
  EXPECT_EQ(read_lists(sentences, 1, text)[0].size(), 1u);
  for (const size_t cut : {size_t{1}, text.size() / 2, text.size() - 1})
    EXPECT_THROW(read_lists(sentences, 16, text.substr(0, cut)), Error) << cut;
  EXPECT_THROW(read_lists(sentences, 16, text + "x"), Error);
}

}  // namespace
}  // namespace espalier
