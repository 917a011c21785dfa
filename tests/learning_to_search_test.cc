// The small clients of learning to search, and the worked example of docs/learning-to-search.md.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "espalier/eval/attachment.h"
#include "espalier/learn/l2s/imitate.h"
#include "espalier/learn/l2s/reduction.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/parser.h"
#include "tests/chunker.h"

namespace espalier {
namespace {

std::vector<Chunker::Example> chunk_examples() {
  const auto make = [](std::vector<std::string> tags, const std::string& labels) {
    Chunker::Example x;
    x.tags = std::move(tags);
    for (char c : labels)
      x.gold.push_back(c == 'B' ? Chunker::kBegin : c == 'I' ? Chunker::kInside : Chunker::kOutside);
    return x;
  };
  return {make({"DET", "NOUN", "VERB", "DET", "ADJ", "NOUN", "PUNCT"}, "BIOBIIO"),
          make({"PRON", "VERB", "NOUN", "ADP", "DET", "NOUN", "PUNCT"}, "BOBOBIO"),
          make({"DET", "ADJ", "ADJ", "NOUN", "VERB", "ADV"}, "BIIIOO"), make({"ADV", "PRON", "VERB"}, "OBO")};
}

/// The page's program, under every algorithm that it names.
TEST(Chunker, LearnsWithEveryAlgorithm) {
  const std::vector<ImitationOptions> algorithms = {
      {.rollin = Policy::kReference, .rollout = Policy::kNone},                           // supervised
      {.rollin = Policy::kMixState, .rollout = Policy::kNone, .alpha = 0.1},              // DAgger
      {.rollin = Policy::kLearned, .rollout = Policy::kReference},                        // AggreVaTe
      {.rollin = Policy::kMixRoll, .rollout = Policy::kReference, .alpha = 0.01},         // the paper's parser
      {.rollin = Policy::kMixState, .rollout = Policy::kMixState, .policy_beta = 0.5},    // SEARN
      {.rollin = Policy::kLearned, .rollout = Policy::kMixRoll, .rollout_learned = 0.5},  // LOLS
  };
  for (const ImitationOptions& algorithm : algorithms) {
    auto examples = chunk_examples();
    LearnerOptions options("adaptive");
    options.bits = 12;
    const auto learner = [&] {
      return std::make_unique<Reduction>(options, Reduction::Kind::kOneAgainstAll, std::vector<int>{3});
    };
    std::vector<std::unique_ptr<Reduction>> policies;
    policies.push_back(learner());
    Imitation imitation(algorithm, *policies.back(), 1);
    const Chunker task;
    for (int epoch = 0; epoch < 20; ++epoch) {
      if (algorithm.policy_beta > 0 && epoch == 10) imitation.keep_policy(*policies.emplace_back(learner()));
      for (auto& x : examples) imitation.train([&](Search& search) { task.run(search, x); });
    }
    const auto model = policies.back()->freeze();
    GreedySearch search(model);
    for (auto& x : examples) {
      const std::vector<int> gold = x.gold;
      x.gold.clear();  // nothing to look at when parsing
      task.run(search, x);
      EXPECT_EQ(x.labels, gold);
    }
  }
}

TEST(LearningToSearch, ThePageShowsTheExampleAsItIs) {
  const auto text_of = [](const std::string& file) {
    std::ifstream in(ESPALIER_SOURCE_DIR "/" + file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  };
  const std::string page = text_of("docs/learning-to-search.md"), code = text_of("tests/chunker.h");
  const std::string task = code.substr(code.find("struct Chunker"));
  ASSERT_FALSE(task.empty());
  EXPECT_NE(page.find(task), std::string::npos) << "docs/learning-to-search.md and tests/chunker.h differ";
}

class L2sTaggerLearners : public ::testing::TestWithParam<const char*> {};
TEST_P(L2sTaggerLearners, LearnsToTagBySuffixAndNeighbours) {
  TrainData data;
  Rng rng(1, "test");
  const auto sentence = [&] {
    Sentence s;
    const auto add = [&](std::string form, std::string upos) {
      Token token;
      token.form = std::move(form);
      token.upos = std::move(upos);
      s.tokens.push_back(token);
    };
    const std::string stem(1, static_cast<char>('a' + rng.below(20)));
    add("the", "DET");
    add(stem + "orn", "NOUN");
    add(stem + "ows", rng.below(2) ? "VERB" : "VERB");
    if (rng.below(2)) add(stem + "owly", "ADV");
    add(".", "PUNCT");
    return s;
  };
  for (int i = 0; i < 60; ++i) data.train.push_back(sentence());
  for (int i = 0; i < 10; ++i) data.dev.push_back(sentence());
  Settings settings;
  settings.set("recipe", "l2s-tagger");
  settings.set("learner", GetParam());
  settings.set("bits", "12");
  const Trained trained = train(settings, data, {});
  EXPECT_GT(trained.report.at("dev").at("upos").get<double>(), 99);
  ModelWriter writer;
  writer.metadata["model"] = save_part(*trained.parser, writer, "");
  const auto loaded = load_parser(ModelFile::from_bytes(writer.to_bytes(), "test.esp"));
  const auto workspace = loaded->make_workspace();
  for (const Sentence& gold : data.dev) {
    Sentence tagged = gold;
    for (Token& token : tagged.tokens) token.upos = "_";
    loaded->parse(tagged, *workspace);
    EXPECT_EQ(tagged.tokens, gold.tokens);
  }
}
INSTANTIATE_TEST_SUITE_P(All, L2sTaggerLearners, ::testing::Values("perceptron", "adaptive", "nn"));

}  // namespace
}  // namespace espalier
