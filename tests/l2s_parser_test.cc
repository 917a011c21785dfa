// The parser client of learning to search: closed form against roll-outs, lists, losses of whole trees, size, end to
// end. Its transition systems and their oracles: contract/space_test.cc.
#include "espalier/parser/l2s/l2s_parser.h"

#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "espalier/eval/attachment.h"
#include "espalier/learn/l2s/imitate.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parser.h"

namespace espalier {
namespace {

/// A random projective tree with one root word: each word hangs on a word of its side of a random split.
void grow(Sentence& s, int first, int last, int head, Rng& rng) {
  if (first > last) return;
  const int word = first + static_cast<int>(rng.below(static_cast<size_t>(last - first + 1)));
  s.word(word).head = head;
  static const char* const kLabels[] = {"a", "b", "c"};
  s.word(word).deprel = head == 0 ? "root" : kLabels[rng.below(3)];
  // The rest of the span, in up to two pieces per side, hangs on this word.
  const auto piece = [&](int from, int to) {
    if (from > to) return;
    const int cut = from + static_cast<int>(rng.below(static_cast<size_t>(to - from + 1)));
    grow(s, from, cut, word, rng);
    grow(s, cut + 1, to, word, rng);
  };
  piece(first, word - 1);
  piece(word + 1, last);
}
Sentence random_tree(int n, Rng& rng) {
  Sentence s;
  for (int i = 0; i < n; ++i) {
    Token token;
    token.form = "w" + std::to_string(rng.below(5));
    token.upos = "T" + std::to_string(rng.below(3));
    s.tokens.push_back(token);
  }
  grow(s, 1, n, 0, rng);
  return s;
}
template <class Space = ArcHybrid>
L2sParser<Space> parser_for(const std::vector<Sentence>& bank, bool joint = false) {
  L2sParser<Space> task;
  task.options.joint = joint;
  task.options.system = Space::kName;
  task.learn_labels(bank);
  return task;
}

/// A policy that never changes: pseudo-random costs from the features.
class FixedPolicy : public CostSensitive {
 public:
  int actions(int) const override { return 16; }  // no system has more on these trees
  std::span<const float> predict(const FeatureBag& features, std::span<const FeatureBag>, int learner) override {
    uint64_t sum = static_cast<uint64_t>(learner);
    for (uint64_t key : features.keys()) sum = combine(sum, key);
    for (size_t a = 0; a < 16; ++a) costs_[a] = static_cast<float>(mix(sum + a) % 1000);
    return costs_;
  }
  void learn(const Lesson& x) override {
    seen.emplace_back(std::vector(x.features.keys().begin(), x.features.keys().end()),
                      std::vector(x.allowed.begin(), x.allowed.end()), std::vector(x.costs.begin(), x.costs.end()),
                      x.learner);
  }
  std::vector<std::tuple<std::vector<uint64_t>, std::vector<int>, std::vector<float>, int>> seen;

 private:
  std::array<float, 16> costs_;
};

/// Calls use.template operator()<Space>() for every system with a dynamic oracle.
void for_all_systems(const auto& use) {
  for (const std::string& system : kSystemsWithDynamicOracle) {
    SCOPED_TRACE(system);
    with_dynamic_oracle(system, use);
  }
}

class L2sDecisions : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(All, L2sDecisions, ::testing::Bool(),
                         [](const auto& info) { return info.param ? "joint" : "split"; });

TEST_P(L2sDecisions, ClosedFormCostsEqualReferenceRollOuts) {
  for_all_systems([&]<class Space>() {
    for (Policy rollin : {Policy::kLearned, Policy::kReference, Policy::kMixState}) {
      Rng rng(2, "test");
      std::vector<Sentence> bank;
      for (int i = 0; i < 60; ++i) bank.push_back(random_tree(1 + i % 9, rng));
      const auto task = parser_for<Space>(bank, GetParam());
      std::array<FixedPolicy, 3> policies;
      const Deviations ways[] = {Deviations::kClosed, Deviations::kSnapshot, Deviations::kReplay};
      for (size_t way = 0; way < 3; ++way) {
        Imitation imitation({.rollin = rollin, .alpha = 0.01, .deviations = ways[way]}, policies[way], 7);
        L2sModel::Example x;
        for (const Sentence& s : bank) {
          task.read(s, x, true);
          imitation.train([&](Search& search) { task.run(search, x); });
        }
      }
      EXPECT_GE(policies[0].seen.size(), 200u);
      EXPECT_TRUE(policies[0].seen == policies[1].seen);
      EXPECT_TRUE(policies[0].seen == policies[2].seen);
    }
  });
}

/// A real learner that learns when it is told to: what closed form learns at once, roll-outs learn after the sentence.
class DelayedLearner : public CostSensitive {
 public:
  explicit DelayedLearner(const std::vector<int>& actions)
      : learner_(options(), Reduction::Kind::kOneAgainstAll, actions) {}
  int actions(int learner) const override { return learner_.actions(learner); }
  std::span<const float> predict(const FeatureBag& features, std::span<const FeatureBag> each, int learner) override {
    return learner_.predict(features, each, learner);
  }
  void learn(const Lesson& x) override {
    waiting_.push_back({x.features, {x.allowed.begin(), x.allowed.end()}, {x.costs.begin(), x.costs.end()}, x.learner});
  }
  void learn_now() {
    for (const Waiting& x : waiting_) learner_.learn({x.features, {}, x.allowed, x.costs, x.learner});
    waiting_.clear();
  }
  std::vector<int16_t> weights() const {
    std::vector<int16_t> all;
    for (const HashedRegressor& r : learner_.freeze()) all.insert(all.end(), r.cells().begin(), r.cells().end());
    return all;
  }

 private:
  struct Waiting {
    FeatureBag features;
    std::vector<int> allowed;
    std::vector<float> costs;
    int learner;
  };
  static LearnerOptions options() {
    LearnerOptions small("adaptive");
    small.bits = 12;
    return small;
  }
  Reduction learner_;
  std::vector<Waiting> waiting_;
};

TEST_P(L2sDecisions, ClosedFormLearnsTheSameWeightsAsRollOuts) {
  for_all_systems([&]<class Space>() {
    for (Policy rollin : {Policy::kLearned, Policy::kReference, Policy::kMixRoll}) {
      Rng rng(4, "test");
      std::vector<Sentence> bank;
      for (int i = 0; i < 30; ++i) bank.push_back(random_tree(1 + i % 8, rng));
      const auto task = parser_for<Space>(bank, GetParam());
      std::vector<std::vector<int16_t>> weights;
      for (Deviations way : {Deviations::kClosed, Deviations::kSnapshot, Deviations::kReplay}) {
        DelayedLearner learner(task.actions());
        const std::vector<int16_t> untrained = learner.weights();
        Imitation imitation({.rollin = rollin, .alpha = 0.01, .deviations = way}, learner, 7);
        L2sModel::Example x;
        for (int epoch = 0; epoch < 2; ++epoch) {
          for (const Sentence& s : bank) {
            task.read(s, x, true);
            imitation.train([&](Search& search) { task.run(search, x); });
            learner.learn_now();
          }
        }
        weights.push_back(learner.weights());
        EXPECT_NE(weights.back(), untrained);
      }
      EXPECT_TRUE(weights[0] == weights[1]);
      EXPECT_TRUE(weights[0] == weights[2]);
    }
  });
}

TEST_P(L2sDecisions, FollowingTheReferenceRebuildsTheTree) {
  for_all_systems([&]<class Space>() {
    Rng rng(3, "test");
    for (int i = 0; i < 50; ++i) {
      const Sentence gold = random_tree(1 + i % 12, rng);
      const auto task = parser_for<Space>({gold}, GetParam());
      FixedPolicy policy;
      Imitation imitation({.rollin = Policy::kReference}, policy, 1);
      L2sModel::Example x;
      task.read(gold, x, true);
      imitation.train([&](Search& search) { task.run(search, x); });
      EXPECT_EQ(imitation.last_loss(), 0);
      Sentence parsed = gold;
      task.write(x, parsed);
      EXPECT_EQ(parsed.tokens, gold.tokens);
    }
  });
}

TEST(L2sParser, FeatureSetsGrow) {
  std::vector<size_t> sizes;
  for (const char* level : {"unigram", "bigram", "all"}) {
    Settings settings;
    settings.set("features", level);
    settings.set("xpos", "false");
    settings.set("feats", "false");
    L2sParser<ArcHybrid> task;
    SettingsReader reader(settings);
    task.configure(reader);
    task.complete();
    sizes.push_back(task.templates.size());
  }
  EXPECT_LT(sizes[0], sizes[1]);
  EXPECT_LT(sizes[1], sizes[2]);
}

TEST(L2sParser, IsAtMostThreeHundredLines) {
  std::ifstream file(ESPALIER_SOURCE_DIR "/espalier/parser/l2s/l2s_parser.h");
  ASSERT_TRUE(file);
  int lines = 0;
  for (std::string line; std::getline(file, line);) ++lines;
  EXPECT_GT(lines, 100);
  EXPECT_LE(lines, 300);
}

/// Sentences of a small grammar whose trees follow from the tags.
std::vector<Sentence> toy_treebank(int count) {
  Rng rng(4, "test");
  std::vector<Sentence> bank;
  const auto add = [](Sentence& s, std::string form, std::string upos, int head, std::string label) {
    Token token;
    token.form = std::move(form);
    token.upos = std::move(upos);
    token.head = head;
    token.deprel = std::move(label);
    s.tokens.push_back(token);
  };
  for (int i = 0; i < count; ++i) {
    Sentence s;
    const bool adjective = rng.below(2), object = rng.below(2);
    const int noun = adjective ? 3 : 2, verb = noun + 1;
    add(s, rng.below(2) ? "the" : "a", "DET", noun, "det");
    if (adjective) add(s, rng.below(2) ? "old" : "green", "ADJ", noun, "amod");
    add(s, rng.below(2) ? "gardener" : "pear", "NOUN", verb, "nsubj");
    add(s, rng.below(2) ? "grows" : "sees", "VERB", 0, "root");
    if (object) {
      add(s, "every", "DET", verb + 2, "det");
      add(s, rng.below(2) ? "branch" : "wall", "NOUN", verb, "obj");
    }
    add(s, ".", "PUNCT", verb, "punct");
    bank.push_back(s);
  }
  return bank;
}

TEST(L2sParser, ALabelsNumberHasTheBitOfItsText) {
  const auto one = parser_for(toy_treebank(20)), other = parser_for(toy_treebank(40));
  for (const auto* task : {&one, &other})
    for (size_t number = 0; number < task->label_atoms.size(); ++number) {
      if (task->label_atoms[number] == 0) continue;
      EXPECT_EQ(task->label_atoms[number], hash_string(task->model.labels[number], 5));
      EXPECT_EQ(task->label_atoms[number] & 63, number & 63);
    }
}

TEST(L2sParser, AWideBeamFindsTreesThatAreThoughtToCostLess) {
  TrainData data;
  data.train = toy_treebank(40);
  Rng rng(6, "order");
  std::vector<Sentence> odd = toy_treebank(20);
  for (Sentence& sentence : odd) rng.shuffle(sentence.tokens);
  for (const char* decisions : {"joint", "split"}) {
    Settings settings;
    for (const auto& [key, value] : {std::pair("recipe", "l2s"), {"bits", "12"}, {"epochs", "1"}})
      settings.set(key, value);
    settings.set("decisions", decisions);
    const Trained trained = train(settings, data, {});
    const auto workspace = trained.parser->make_workspace();
    int better = 0;
    for (const Sentence& sentence : odd) {
      const double narrow = kbest(*trained.parser, sentence, 1, *workspace)[0].score;
      const double wide = kbest(*trained.parser, sentence, 64, *workspace)[0].score;
      EXPECT_GE(wide, narrow - 1e-5);
      better += wide > narrow + 1e-5;
    }
    EXPECT_GE(better, 1) << decisions;
  }
}

TEST(L2sParser, SeveralRootsAreLearnedWhereTheTreebankHasThem) {
  TrainData data;
  data.train = toy_treebank(60);
  for (Sentence& sentence : data.train) sentence.tokens.back().head = 0;  // the full stop, as in Prague
  data.dev = data.train;
  for (const std::string& system : kSystemsWithDynamicOracle) {
    Settings settings;
    settings.set("recipe", "l2s");
    settings.set("system", system);
    settings.set("bits", "12");
    settings.set("epochs", "4");
    EXPECT_GT(train(settings, data, {}).report.at("dev").at("las").get<double>(), 97) << system;
    settings.set("root", "single");
    EXPECT_THROW(train(settings, data, {}), Error) << system;
  }
}

class L2sLearners : public ::testing::TestWithParam<std::tuple<const char*, const char*, const char*>> {};
TEST_P(L2sLearners, LearnTheToyTreebankAndSurviveSaving) {
  TrainData data;
  data.train = toy_treebank(60);
  Settings settings;
  settings.set("recipe", "l2s");
  settings.set("bits", "12");
  settings.set("epochs", "4");
  const auto [learner, features, decisions] = GetParam();
  settings.set("learner", learner);
  settings.set("features", features);
  settings.set("decisions", decisions);
  const Trained trained = train(settings, data, {});
  const auto workspace = trained.parser->make_workspace();
  ModelWriter writer;
  writer.metadata["model"] = save_part(*trained.parser, writer, "");
  const auto loaded = load_parser(ModelFile::from_bytes(writer.to_bytes(), "test.esp"));
  const auto loaded_workspace = loaded->make_workspace();
  AttachmentScore score;
  for (const Sentence& gold : data.train) {
    Sentence parsed = gold, again = gold;
    trained.parser->parse(parsed, *workspace);
    loaded->parse(again, *loaded_workspace);
    EXPECT_EQ(parsed.tokens, again.tokens);
    EXPECT_EQ(tree_problem(parsed), "");
    score += score_attachment(gold, parsed);
  }
  EXPECT_GT(score.las.percent(), 97);
}
INSTANTIATE_TEST_SUITE_P(All, L2sLearners,
                         ::testing::Combine(::testing::Values("sgd", "adaptive", "ftrl", "perceptron", "pa", "nn",
                                                              "nn+ftrl"),
                                            ::testing::Values("all", "rich"), ::testing::Values("split", "joint")),
                         [](const auto& info) {
                           std::string name = std::string(std::get<0>(info.param)) + "_" + std::get<1>(info.param) +
                                              "_" + std::get<2>(info.param);
                           std::erase(name, '+');
                           return name;
                         });

TEST(L2sParser, ModelsThatSayNothingOfDecisionsDecideInTurn) {
  const auto joint = parser_for(toy_treebank(3), true);
  nlohmann::json saved = joint.save();
  L2sParser<ArcHybrid> now, before;
  now.load(saved);
  EXPECT_EQ(now.actions(), joint.actions());
  saved["options"].erase("joint");
  before.load(saved);
  EXPECT_EQ(before.actions(), parser_for(toy_treebank(3)).actions());
}

TEST(L2sParser, SameSeedSameModelBytes) {
  TrainData data;
  data.train = toy_treebank(30);
  data.dev = toy_treebank(10);
  Settings settings;
  settings.set("recipe", "l2s");
  settings.set("bits", "10");
  settings.set("epochs", "2");
  std::vector<std::string> bytes;
  for (int threads : {1, 2}) {
    TrainContext context;
    context.threads = threads;
    const Trained trained = train(settings, data, context);
    ModelWriter writer;
    writer.metadata["model"] = save_part(*trained.parser, writer, "");
    bytes.push_back(writer.to_bytes());
  }
  EXPECT_EQ(bytes[0], bytes[1]);
}

TEST(L2sParser, EmptyAndTinySentences) {
  TrainData data;
  data.train = toy_treebank(5);
  Settings settings;
  settings.set("recipe", "l2s");
  settings.set("bits", "10");
  settings.set("epochs", "1");
  const Trained trained = train(settings, data, {});
  const auto workspace = trained.parser->make_workspace();
  Sentence none;
  trained.parser->parse(none, *workspace);
  Sentence one;
  one.tokens.resize(1);
  one.tokens[0].form = "Hush";
  trained.parser->parse(one, *workspace);
  EXPECT_EQ(one.word(1).head, 0);
  EXPECT_EQ(one.word(1).deprel, "root");
}

}  // namespace
}  // namespace espalier
