#include "espalier/learn/pipeline/jackknife.h"

#include <gtest/gtest.h>

#include <set>

#include "espalier/base/error.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

std::vector<std::string> tags_of(const std::vector<Sentence>& sentences) {
  std::vector<std::string> tags;
  for (const Sentence& sentence : sentences)
    for (const Token& token : sentence.tokens) tags.push_back(token.upos);
  return tags;
}

const Settings kTaggerSettings = settings({"recipe=tagger", "epochs=2"});
const Trainer kTagger = configure(kTaggerSettings);

int folds_of(const Settings& settings) {
  SettingsReader reader(settings);
  return jackknife_folds(reader);
}

TEST(Jackknife, NoSentenceIsTaggedByATaggerThatHasSeenIt) {
  // In the first block, and only there, the word "dog" is called a verb. Its own block's tagger has not seen that and
  // says noun; the other blocks' taggers have, and the other blocks' dogs stay nouns by majority.
  std::vector<Sentence> sentences = toy_treebank(60, 1);
  std::vector<size_t> first_block = scattered_order(sentences.size(), 3);
  first_block.resize(contiguous_folds(sentences.size(), 3)[0].end);
  for (const size_t i : first_block)
    for (Token& token : sentences[i].tokens)
      if (token.form == "dog") token.upos = "VERB";
  const auto tagged = jackknife_tags(sentences, 3, kTagger, {});
  ASSERT_EQ(tagged.size(), sentences.size());
  size_t dogs = 0;
  for (const size_t i : first_block) {
    for (size_t w = 0; w < tagged[i].tokens.size(); ++w) {
      const Token& token = tagged[i].tokens[w];
      EXPECT_EQ(token.form, sentences[i].tokens[w].form);
      EXPECT_EQ(token.head, sentences[i].tokens[w].head);
      if (token.form != "dog") continue;
      ++dogs;
      EXPECT_EQ(token.upos, "NOUN");
    }
  }
  EXPECT_GT(dogs, 0u);
}

TEST(Jackknife, ThreadsDoNotMatter) {
  const auto sentences = toy_treebank(40, 1);
  TrainContext one, three;
  three.threads = 3;
  EXPECT_EQ(tags_of(jackknife_tags(sentences, 4, kTagger, one)), tags_of(jackknife_tags(sentences, 4, kTagger, three)));
}

TEST(Jackknife, FinishedFoldsAreTakenUp) {
  const TemporaryFolder folder;
  const auto sentences = toy_treebank(40, 1);
  std::atomic<bool> stop = false;
  TrainContext context;
  context.checkpoint = folder / "m.esp.checkpoint";
  context.stop = [&] { return stop.load(); };
  context.progress = [&](const Progress& progress) { stop = progress.done == 2; };
  EXPECT_THROW(jackknife_tags(sentences, 4, kTagger, context), Error);
  stop = false;
  context.resume = true;
  std::vector<size_t> done;
  context.progress = [&](const Progress& progress) { done.push_back(progress.done); };
  EXPECT_EQ(tags_of(jackknife_tags(sentences, 4, kTagger, context)),
            tags_of(jackknife_tags(sentences, 4, kTagger, {})));
  EXPECT_EQ(done.size(), 4u);
}

TEST(Jackknife, TheSetting) {
  EXPECT_EQ(folds_of({}), 0);
  EXPECT_EQ(folds_of(settings({"tags=input"})), 0);
  EXPECT_EQ(folds_of(settings({"tags=jackknife:10"})), 10);
  for (const char* wrong : {"tags=jackknife", "tags=jackknife:", "tags=jackknife:1", "tags=jackknife:2x", "tags=gold"})
    EXPECT_THROW(folds_of(settings({wrong})), Error) << wrong;
}

TEST(Jackknife, WrongSettingsComeToLightBeforeTheTaggersAreTrained) {
  const TrainData data{toy_treebank(20, 1), {}};
  TrainContext context;
  context.progress = [](const Progress& progress) { ADD_FAILURE() << progress.phase; };
  for (const char* wrong : {"beem=3", "beam=many", "tagger.epoch=3", "tagger.epochs=none"})
    EXPECT_THROW(train(settings({"recipe=beam", "tags=jackknife:3", wrong}), data, context), Error) << wrong;
}

TEST(Jackknife, AnyRecipeCanBeTrainedOnPredictedTags) {
  const TrainData data{toy_treebank(60, 1), toy_treebank(20, 2)};
  const auto trained = train(settings({"recipe=greedy", "tags=jackknife:3", "epochs=3", "tagger.epochs=2"}), data, {});
  EXPECT_GT(trained.report.at("dev").at("las").get<double>(), 90);
}

TEST(RunIdentity, DependsOnAllThatTheResultDependsOn) {
  const TrainData data{toy_treebank(5, 1), toy_treebank(2, 2)};
  std::set<std::string> names = {run_identity(kTaggerSettings, data, 1)};
  EXPECT_FALSE(names.insert(run_identity(kTaggerSettings, data, 1)).second);
  EXPECT_TRUE(names.insert(run_identity(kTaggerSettings, data, 2)).second);
  EXPECT_TRUE(names.insert(run_identity(settings({"recipe=tagger"}), data, 1)).second);
  EXPECT_TRUE(names.insert(run_identity(kTaggerSettings, {data.train, {}}, 1)).second);
  for (int column = 0; column < 6; ++column) {
    TrainData changed = data;
    Token& token = changed.train.back().tokens.front();
    std::string* const columns[] = {&token.form, &token.upos, &token.xpos, &token.feats, &token.deprel};
    if (column < 5) {
      *columns[column] += "x";
    } else {
      ++token.head;
    }
    EXPECT_TRUE(names.insert(run_identity(kTaggerSettings, changed, 1)).second) << column;
  }
}

}  // namespace
}  // namespace espalier
