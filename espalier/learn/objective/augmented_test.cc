// Augmented-loss training of every recipe that takes objectives: what a separable loss asks for is learned (Theorem 2
// of Hall et al. 2011), from lists, from forced trees and from partial trees of the treebank; lists of all trees give
// the standard update; mistakes are bounded (Theorem 1), and lists can be too short; resumed runs are the same, a
// program as a loss is the same as the built-in one.
#include "espalier/learn/objective/augmented.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <numeric>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/base/rng.h"
#include "espalier/format/format.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/parse_all.h"
#include "tests/temporary_folder.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

/// In the treebank verbs are roots; the objective's annotation says that a question's first word is. The word tells
/// which of the two a sentence is, so that one model can get both right.
std::vector<Sentence> treebank() {
  std::vector<Sentence> all;
  for (int i = 0; i < 12; ++i)
    all.push_back(testing::dependencies(i % 2 ? "it/PRON/2/nsubj runs/VERB/0/root here/ADV/2/advmod"
                                              : "goes/VERB/0/root it/PRON/1/nsubj there/ADV/1/advmod"));
  return all;
}

void write(const std::string& file, const std::vector<Sentence>& sentences) {
  std::ofstream out(file);
  const auto writer = make_writer("conllu", out);
  for (const Sentence& sentence : sentences) writer->write(sentence);
  writer->finish();
}

/// Only the root is annotated.
std::vector<Sentence> questions() {
  std::vector<Sentence> all;
  for (int i = 0; i < 6; ++i) {
    Sentence sentence = testing::dependencies(i % 2 ? "who/X/0 it/PRON runs/VERB" : "who/X/0 goes/VERB there/ADV");
    all.push_back(sentence);
  }
  return all;
}

Settings objective_settings(const std::string& recipe, const std::string& file, const std::string& loss) {
  Settings settings = load_recipe(recipe);
  settings.set("epochs", "12");
  if (recipe == "beam") settings.set("margin", "10");
  const bool graph = recipe == "mst" || recipe == "cube";
  settings.set("drop", "0");  // every feature counts where there are few
  settings.set("min_updates", "1");
  if (graph) settings.set("filter_threshold", "50");  // such arcs are not in the treebank
  settings.set("objective.0.data", file);
  settings.set("objective.0.loss", loss);
  return settings;
}

double mean_cost(const Parser& parser, const std::string& loss, const std::vector<Sentence>& gold) {
  std::vector<Sentence> parsed = gold;
  parse_all(parser, parsed, 1);
  double sum = 0;
  for (size_t i = 0; i < gold.size(); ++i) sum += make_loss(loss)->cost(gold[i], analysis_of(parsed[i]));
  return sum / static_cast<double>(gold.size());
}

/// Whatever it takes for the root, another word shall be; nothing else is told.
std::vector<Sentence> surprising_questions(const Parser& baseline) {
  std::vector<Sentence> asked = questions(), parsed = asked;
  parse_all(baseline, parsed, 1);
  for (size_t i = 0; i < asked.size(); ++i)
    for (int word = 1; word <= 3; ++word)
      asked[i].word(word).head = word == (parsed[i].word(1).head == 0 ? 3 : 1) ? 0 : Token::kNoHead;
  return asked;
}

class Augmented : public ::testing::TestWithParam<std::string> {
 protected:
  TemporaryFolder folder_;
  const std::string file_ = folder_ / "questions.conllu";
  void SetUp() override { write(file_, questions()); }
};

TEST_P(Augmented, ReachesZeroLossWhereTheTreebankAloneDoesNot) {
  const TrainData data{treebank(), {}};
  Settings own = objective_settings(GetParam(), file_, "root"), plain = own;
  plain.erase_prefix("objective.");
  const Trained baseline = train(plain, data, {});
  const std::vector<Sentence> asked = surprising_questions(*baseline.parser);
  write(file_, asked);
  EXPECT_EQ(mean_cost(*baseline.parser, "root", asked), 1);
  for (const char* target : {"kbest", "forced"}) {
    own.set("objective.0.target", target);
    const Trained augmented = train(own, data, {});
    EXPECT_EQ(mean_cost(*augmented.parser, "root", asked), 0) << target;
    EXPECT_EQ(mean_cost(*augmented.parser, "labelled", treebank()), 0) << target << ": the treebank is not forgotten";
  }
}

TEST_P(Augmented, SentencesOfTheTreebankMayLackHeads) {
  Settings own = objective_settings(GetParam(), file_, "root");
  own.erase_prefix("objective.");
  if (GetParam() == "greedy" || GetParam() == "beam") own.set("margin", "10");  // a lead of 1 is lost in rounding
  if (GetParam() == "greedy") own.set("epochs", "40");  // one candidate at a time: slower, but it gets there
  const Trained baseline = train(own, {treebank(), {}}, {});
  const std::vector<Sentence> asked = surprising_questions(*baseline.parser);
  TrainData data{treebank(), {}};
  data.train.insert(data.train.end(), asked.begin(), asked.end());
  std::vector<std::string> notes;
  TrainContext context;
  context.note = [&](const std::string& note) { notes.push_back(note); };
  const Trained trained = train(own, data, context);
  EXPECT_EQ(mean_cost(*trained.parser, "root", asked), 0);
  EXPECT_EQ(mean_cost(*trained.parser, "labelled", treebank()), 0);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("only some words have heads, learned from as partial trees: 6"), std::string::npos)
      << notes[0];
}

TEST_P(Augmented, AProgramIsAsGoodAsTheBuiltInLoss) {
  // Root loss: the last word of these sentences must be the root.
  // The keys of a request are in alphabetical order: candidates come before words, "deprel" is a word's first.
  const std::string program = folder_ / "cost.sh";
  std::ofstream(program) << R"(while read -r line; do printf '%s\n' "$line" | awk '{
    split($0, half, "\"words\":")
    words = split(half[2], word, "{\"deprel\"")
    gold = ""; for (i = 2; i <= words; ++i) gold = gold (word[i] ~ /"head":0,/)
    candidates = split(half[1], candidate, "\"heads\":\\[")
    for (i = 2; i <= candidates; ++i) {
      sub(/\].*/, "", candidate[i])
      n = split(candidate[i], head, ",")
      roots = ""; for (j = 1; j <= n; ++j) roots = roots (head[j] == 0)
      printf "%s%d", i == 2 ? "[" : ",", roots != gold
    }
    print "]"
  }'; done)";
  const TrainData data{treebank(), {}};
  const auto bytes = [&](const std::string& loss) {
    Settings own = objective_settings(GetParam(), file_, loss);
    own.set("objective.0.labels", "false");  // by default a program may look at labels, and the root's loss does not
    const Trained trained = train(own, data, {});
    save_parser(*trained.parser, {}, folder_ / "m.esp");
    std::ifstream in(folder_ / "m.esp", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(bytes("root"), bytes("command: sh " + program));
}

TEST_P(Augmented, AProgramThatDiesCostsNothingThatWasLearned) {
  // It answers 40 times and dies; started again it goes on.
  const std::string good =
      "while read -r line; do echo \"$line\" | grep -o '\"heads\"' | "
      "awk '{printf \"%s0\", NR == 1 ? \"[\" : \",\"} END {print \"]\"}'; done";
  const TrainData data{treebank(), {}};
  const auto trained = [&](const std::string& script, bool resume) {
    const std::string program = folder_ / "cost.sh";
    std::ofstream(program) << script;
    TrainContext context;
    context.checkpoint = folder_ / "m.checkpoint";
    context.resume = resume;
    const Trained result = train(objective_settings(GetParam(), file_, "command: sh " + program), data, context);
    save_parser(*result.parser, {}, folder_ / "m.esp");
    std::ifstream in(folder_ / "m.esp", std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  const std::string whole = trained(good, false);
  const std::string dying =
      "n=0\nwhile [ $n -lt 40 ] && read -r line; do n=$((n + 1)); " + good.substr(good.find("echo"));
  EXPECT_THROW(trained(dying, false), Error);
  EXPECT_EQ(trained(good, true), whole);
}

INSTANTIATE_TEST_SUITE_P(Recipes, Augmented, ::testing::Values("greedy", "beam", "mst", "cube"),
                         [](const auto& info) { return info.param; });

/// No sentence says more than half of its heads, and together they say all.
TEST(PartialTrees, ATransitionParserNeedsNoOthers) {
  for (const std::string system : {"arc-eager", "arc-standard", "arc-hybrid"}) {
    std::vector<Sentence> halves = treebank();
    for (size_t i = 0; i < halves.size(); ++i)
      for (int word = 1; word <= 3; ++word)
        if ((word == 2) == (i % 4 < 2)) halves[i].word(word).head = Token::kNoHead;
    Settings own = objective_settings("beam", "", "root");
    own.erase_prefix("objective.");
    own.set("system", system);
    EXPECT_EQ(mean_cost(*train(own, {halves, {}}, {}).parser, "labelled", treebank()), 0) << system;
  }
}

TEST(PartialTrees, LabelsTagsAndArcsCountForGraphParsers) {
  TrainData data{treebank(), {}};
  data.train.push_back(testing::dependencies("oh/INTJ/3/discourse it/PRON runs/VERB"));
  Settings own = objective_settings("mst", "", "root");
  own.erase_prefix("objective.");
  const std::vector<Sentence> asked = {data.train.back()};
  EXPECT_EQ(mean_cost(*train(own, data, {}).parser, "labelled", asked), 0);
}

/// With lists that hold every tree and attachment as the loss, the best of the list is gold: the ranker's update is the
/// perceptron's. All sentences are one, so that their order does not matter.
TEST(AugmentedPerceptron, ListsOfAllTreesGiveTheStandardUpdate) {
  TemporaryFolder folder;
  const Sentence sentence = testing::dependencies("it/PRON/2/nsubj runs/VERB/0/root here/ADV/2/advmod");
  const std::vector<Sentence> half(12, sentence), whole(24, sentence);
  write(folder / "half.conllu", half);
  for (const std::string recipe : {"beam", "mst"}) {
    Settings own = load_recipe(recipe);
    const auto set = [&](std::initializer_list<std::pair<const char*, const char*>> pairs) {
      for (const auto& [key, value] : pairs) own.set(key, value);
    };
    set({{"epochs", "2"}, {"drop", "0"}, {"learner", "perceptron"}, {"min_updates", "1"}});
    if (recipe == "beam")
      set({{"system", "arc-hybrid"},
           {"update", "standard"},
           {"margin", "0"},
           {"beam", "256"},
           {"labels", "all"},
           {"patient", "false"}});
    if (recipe == "mst") set({{"batch", "1"}, {"labels_per_arc", "4"}, {"filter_threshold", "50"}});
    const Trained plain = train(own, {whole, {}}, {});
    own.set("objective.0.data", folder / "half.conllu");
    set({{"objective.0.loss", "labelled"}, {"objective.0.k", "1024"}, {"objective.0.step", "own"}});
    const Trained ranked = train(own, {half, {}}, {});
    const auto list = [&](const Parser& parser) { return kbest(parser, sentence, 8, *parser.make_workspace()); };
    const auto expected = list(*plain.parser), found = list(*ranked.parser);
    ASSERT_EQ(expected.size(), found.size()) << recipe;
    for (size_t i = 0; i < expected.size(); ++i) {
      EXPECT_EQ(found[i].analysis, expected[i].analysis) << recipe;
      EXPECT_NEAR(found[i].score, expected[i].score, 1e-6 * std::abs(expected[i].score)) << recipe;
    }
    EXPECT_NE(expected[0].score, expected[1].score);
  }
}

/// A linear model that chooses among fixed outputs, with the perceptron's step. An instance's number is its word, an
/// output's number is the head of that word.
class ToyLearner final : public RankingLearner {
 public:
  struct Output {
    std::vector<double> features;
    double loss;
  };
  std::vector<std::vector<Output>> instances;
  std::vector<double> weights;
  int same = 1;  ///< how many derivations give each output: lists are so much shorter than the beam
  int mistakes = 0;

  size_t size() const override { return 0; }
  size_t learn(std::span<const size_t>, int) override { return 0; }
  std::unique_ptr<Parser> freeze() const override { return nullptr; }
  void archive(Archive&) override {}

  KBestList list(const Sentence& sentence, bool) override {
    return KBestList([this, i = number(sentence)](int k, std::vector<Candidate>& list) {
      std::vector<int> order(instances[i].size());
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, std::greater{}, [&](int y) { return score(instances[i][y]); });
      list.clear();
      for (const int y : order) {
        if (static_cast<int>(list.size()) == (k + same - 1) / same) break;
        Candidate& added = list.emplace_back();
        added.score = score(instances[i][y]);
        added.analysis.heads = {0, y};
      }
    });
  }

  bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double, bool) override {
    ++mistakes;
    const auto& outputs = instances[number(sentence)];
    for (size_t f = 0; f < weights.size(); ++f)
      weights[f] += outputs[better.analysis.heads[1]].features[f] - outputs[worse.analysis.heads[1]].features[f];
    return true;
  }

  static size_t number(const Sentence& sentence) { return std::stoul(sentence.word(1).form); }
  double score(const Output& output) const {
    return std::inner_product(weights.begin(), weights.end(), output.features.begin(), 0.0);
  }

  /// One pass over the instances; the sum of the losses of their first outputs.
  double pass(int k, bool grow) {
    struct OfOutput final : Loss {
      const ToyLearner* learner;
      LossScale scale() const override { return LossScale::kCount; }
      std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override {
        std::vector<double> all;
        for (const Analysis* analysis : analyses)
          all.push_back(learner->instances[number(gold)][analysis->heads[1]].loss);
        return all;
      }
    };
    const auto loss = std::make_shared<OfOutput>();
    loss->learner = this;
    Objective objective;
    objective.loss = loss;
    objective.k = k;
    objective.grow = grow;
    double sum = 0;
    for (size_t i = 0; i < instances.size(); ++i) {
      double cost = 0;
      learn_by(testing::dependencies(std::to_string(i) + "/X"), objective, cost);
      sum += cost;
    }
    return sum;
  }
};

/// Theorem 1 of the paper: outputs are separated by their losses with a margin gamma, no two differ by more than R, so
/// there are at most (R / gamma)^2 mistakes, however long training lasts and however short the lists are.
TEST(AugmentedPerceptron, MistakesAreBoundedByTheMargin) {
  constexpr size_t kFeatures = 6;
  for (const uint64_t seed : {1, 2, 3})
    for (const int k : {2, 4, 64}) {
      Rng rng(seed, "outputs");
      ToyLearner learner;
      learner.weights.assign(kFeatures, 0);
      // Feature 0 is the direction that separates: it falls by gamma with every unit of loss.
      constexpr double kGamma = 0.1;
      double most = 0;
      for (int i = 0; i < 20; ++i) {
        auto& outputs = learner.instances.emplace_back();
        for (int y = 0; y < 12; ++y) {
          auto& output = outputs.emplace_back();
          output.loss = rng.below(4);
          output.features.push_back(-kGamma * output.loss);
          for (size_t f = 1; f < kFeatures; ++f) output.features.push_back(2 * rng.uniform() - 1);
        }
        for (const auto& a : outputs)
          for (const auto& b : outputs) {
            double distance = 0;
            for (size_t f = 0; f < kFeatures; ++f) distance += std::pow(a.features[f] - b.features[f], 2);
            most = std::max(most, distance);
          }
      }
      int before = -1;
      while (learner.mistakes > before && learner.mistakes <= most / (kGamma * kGamma)) {
        before = learner.mistakes;
        learner.pass(k, false);
      }
      EXPECT_EQ(learner.mistakes, before) << "a pass without mistakes must come";
      EXPECT_GT(learner.mistakes, 10) << "the bound is put to the test";
      EXPECT_LE(learner.mistakes, most / (kGamma * kGamma));
    }
}

/// The paper's example of why Theorem 1 is not enough: the losses of the first three outputs are 1, 2 and 0.
TEST(AugmentedPerceptron, AListThatIsTooShortTeachesNothing) {
  const auto losses = [](int k, bool grow, int same) {
    ToyLearner learner;
    learner.instances = {{{{3, 0, 0}, 1}, {{0, 1, 0}, 2}, {{0, 0, 1}, 0}}};
    learner.weights = {1, 1, 1};
    learner.same = same;
    std::vector<double> all;
    for (int pass = 0; pass < 3; ++pass) all.push_back(learner.pass(k, grow));
    return all;
  };
  EXPECT_EQ(losses(2, false, 1), (std::vector<double>{1, 1, 1})) << "stuck";
  EXPECT_EQ(losses(3, false, 1), (std::vector<double>{1, 0, 0}));
  EXPECT_EQ(losses(8, true, 1), (std::vector<double>{1, 0, 0}));
  // Lists that are shorter than k because several derivations give one tree are not at their end.
  for (const int same : {2, 3}) {
    EXPECT_EQ(losses(2, true, same), (std::vector<double>{1, 1, 1}));
    EXPECT_EQ(losses(8, true, same), (std::vector<double>{1, 0, 0})) << same;
  }
}

/// Learning to search has no lists to rank: it tries other actions, and learns from what the trees cost.
TEST(AugmentedRollOuts, ReachZeroLossWhereTheTreebankAloneDoesNot) {
  TemporaryFolder folder;
  const std::string file = folder / "questions.conllu";
  for (const char* system : {"arc-hybrid", "arc-eager"})
    for (const char* decisions : {"joint", "split"}) {
      SCOPED_TRACE(std::string(system) + " " + decisions);
      Settings own = load_recipe("l2s"), plain;
      own.set("epochs", "12");
      own.set("system", system);
      own.set("decisions", decisions);
      own.set("bits", "12");
      plain = own;
      own.set("objective.0.data", file);
      own.set("objective.0.loss", "root");
      own.set("objective.0.explored", "1");
      const TrainData data{treebank(), {}};
      const Trained baseline = train(plain, data, {});
      const std::vector<Sentence> asked = surprising_questions(*baseline.parser);
      write(file, asked);
      EXPECT_EQ(mean_cost(*baseline.parser, "root", asked), 1);
      for (const char* deviations : {"closed", "replay"}) {
        own.set("deviations", deviations);
        const Trained augmented = train(own, data, {});
        EXPECT_EQ(mean_cost(*augmented.parser, "root", asked), 0) << deviations;
        EXPECT_EQ(mean_cost(*augmented.parser, "labelled", treebank()), 0) << "the treebank is not forgotten";
      }
    }
}

TEST(AugmentedTagger, LearnsTagsOfOtherText) {
  TemporaryFolder folder;
  std::vector<Sentence> train_data, other;
  for (int i = 0; i < 12; ++i) {
    train_data.push_back(testing::dependencies("we/PRON can/AUX run/VERB"));
    train_data.push_back(testing::dependencies("a/DET run/NOUN"));
    other.push_back(testing::dependencies("the/DET can/NOUN"));
  }
  write(folder / "other.conllu", other);
  Settings own = objective_settings("tagger", folder / "other.conllu", "tags:upos");
  const Trained trained = train(own, {train_data, {}}, {});
  EXPECT_EQ(mean_cost(*trained.parser, "tags:upos", other), 0);
  EXPECT_EQ(mean_cost(*trained.parser, "tags:upos", train_data), 0);
}

TEST(AugmentedConstituents, ReachZeroLossWhereTheTreebankAloneDoesNot) {
  TemporaryFolder folder;
  std::vector<Sentence> trees;
  for (int i = 0; i < 10; ++i) {
    trees.push_back(testing::constituents("(ROOT (S (NP (DT the) (NN dog)) (VP (VB barks))))"));
    trees.push_back(testing::constituents(
        "(ROOT (S (NP (NN he)) (VP (VB sees) (NP (DT the) (NN dog)) (PP (IN in) (NP (NN town))))))"));
    trees.push_back(testing::constituents(
        "(ROOT (S (NP (NN he)) (VP (VB knows) (NP (NP (DT the) (NN dog)) (PP (IN of) (NP (NN town)))))))"));
  }
  const std::vector<Sentence> other(
      6, testing::constituents(
             "(ROOT (S (NP (NN he)) (VP (VB likes) (NP (NP (DT the) (NN cat)) (PP (IN in) (NP (NN town)))))))"));
  std::ofstream out(folder / "other.ptb");
  const auto writer = make_writer("ptb", out);
  for (const Sentence& sentence : other) writer->write(sentence);
  writer->finish();
  out.close();
  const std::map<std::string, std::vector<std::pair<std::string, std::string>>> more = {
      {"shift-reduce",
       {{"epochs", "12"},
        {"drop", "0"},
        {"direction", "l2r"},
        {"patient", "false"},
        {"objective.0.k", "64"},
        {"objective.0.weight", "2"}}},
      {"l2s-constituents", {{"epochs", "12"}, {"bits", "12"}, {"objective.0.explored", "1"}}},
      {"classify", {{"sample", "500"}, {"seeds", "1"}, {"tune", "0"}, {"least_lambda", "0.02"}}}};
  for (const auto& [recipe, pairs] : more) {
    SCOPED_TRACE(recipe);
    Settings plain = load_recipe(recipe), own;
    plain.set("min_label_count", "1");
    if (recipe != "classify") plain.set("min_chain_count", "1");
    for (const auto& [key, value] : pairs)
      if (!key.starts_with("objective.")) plain.set(key, value);
    own = plain;
    for (const auto& [key, value] : pairs) own.set(key, value);
    own.set("objective.0.data", folder / "other.ptb");
    own.set("objective.0.loss", "brackets");
    EXPECT_GT(mean_cost(*train(plain, {trees, {}}, {}).parser, "brackets", other), 0);
    const Trained trained = train(own, {trees, {}}, {});
    EXPECT_EQ(mean_cost(*trained.parser, "brackets", other), 0);
    EXPECT_EQ(mean_cost(*trained.parser, "brackets", trees), 0) << "the treebank is not forgotten";
  }
}

TEST(Objectives, WrongSettingsAreNamedAtOnce) {
  const auto complaint = [](std::vector<std::string> pairs) {
    Settings own = load_recipe("beam");
    for (const std::string& pair : pairs) own.set_pair(pair);
    try {
      configure(own);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(complaint({"objective.0.data=x", "objective.0.loss=root"}), "");
  EXPECT_NE(complaint({"objective.0.data=x", "objective.0.loss=rot"}).find("unknown loss 'rot'"), std::string::npos);
  EXPECT_NE(complaint({"objective.0.data=x"}).find("loss"), std::string::npos);
  EXPECT_NE(complaint({"objective.0.data=x", "objective.0.loss=reorder:en-ja", "objective.0.target=forced"})
                .find("not a sum over words"),
            std::string::npos);
  EXPECT_NE(complaint({"recipe=l2s", "objective.0.data=x", "objective.0.loss=root", "objective.0.target=forced"})
                .find("instead of ranking lists"),
            std::string::npos);
  EXPECT_NE(complaint({"recipe=l2s-tagger", "objective.0.data=x"}).find("these do: greedy, beam, tagger, l2s"),
            std::string::npos);
  EXPECT_NE(
      complaint({"recipe=classify", "objective.0.data=x", "objective.0.loss=parseval", "objective.0.target=forced"})
          .find("make examples of lists"),
      std::string::npos);
  EXPECT_NE(complaint({"recipe=classify", "strategy=bu", "objective.0.data=x", "objective.0.loss=parseval"})
                .find("strategy=l2r, r2l and both"),
            std::string::npos);
  EXPECT_NE(complaint({"features=hall", "system=swap"}).find("arc-eager"), std::string::npos);
  EXPECT_NE(complaint({"objective.0.data=", "objective.0.loss=root"}).find("which file?"), std::string::npos);
  EXPECT_NE(complaint({"select=objective.0"}).find("select=objective.0"), std::string::npos);
  EXPECT_NE(
      complaint({"objective.0.data=x", "objective.0.loss=root", "select=objective.0"}).find("needs objective.0.dev"),
      std::string::npos);
}

}  // namespace
}  // namespace espalier
