#include "espalier/learn/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"
#include "espalier/parser/pipeline.h"
#include "tests/temporary_folder.h"
#include "tests/toy_clusters.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

Settings settings(std::initializer_list<const char*> pairs) {
  Settings s;
  s.set("recipe", "pipeline");
  for (const char* pair : pairs) s.set_pair(pair);
  return s;
}

Settings small_pipeline() {
  return settings({"tagger.epochs=2", "parser.recipe=greedy", "epochs=3", "parser.tags=jackknife:3"});
}

TrainData toy_data() { return {toy_treebank(60, 1), toy_treebank(20, 2)}; }

/// Everything that the command line would save.
std::string bytes_of(const Settings& settings, const TrainData& data, const TrainContext& context = {}) {
  const Trainer trainer = configure(settings);
  const Trained trained = trainer.train(data, context);
  ModelWriter writer;
  writer.metadata["model"] = save_part(*trained.parser, writer, "");
  writer.metadata["report"] = trained.report;
  for (const auto& [key, known] : trainer.known) writer.metadata["settings"][key] = known.value;
  return writer.to_bytes();
}

TEST(TrainPipeline, WrongSettingsOfAnyStageFailBeforeTheFirstTrains) {
  TrainContext context;
  context.progress = [](const Progress& progress) { ADD_FAILURE() << progress.phase; };
  for (const char* wrong : {"parser.beem=3", "beem=3", "tagger.epoch=3", "tagger.epochs=none", "parser.tags=gold",
                            "parser.recipe=nonesuch", "tager.epochs=3", "tokenizer.recipe=nonesuch"})
    EXPECT_THROW(train(settings({wrong}), toy_data(), context), Error) << wrong;
  EXPECT_THROW(train(settings({"tagger.recipe=", "parser.recipe="}), toy_data(), context), Error);
  EXPECT_THROW(train(settings({"parser.recipe=", "beam=3"}), toy_data(), context), Error);
}

TEST(TrainPipeline, ClassesOfWordsAreForTaggerAndParserOrForOneOfThem) {
  const auto with_classes = [](const Settings& settings) {
    ModelWriter writer;
    writer.metadata["model"] = save_part(*train(settings, toy_data(), {}).parser, writer, "");
    const auto file = ModelFile::from_bytes(writer.to_bytes(), "toy.esp");
    return std::pair(file->has("tagger/cluster_words"), file->has("parser/cluster_words"));
  };
  Settings both = small_pipeline(), tagger = small_pipeline(), parser = small_pipeline();
  both.set("clusters", toy_clusters());
  tagger.set("tagger.clusters", toy_clusters());
  parser.set("parser.clusters", toy_clusters());
  EXPECT_EQ(with_classes(both), std::pair(true, true));
  EXPECT_EQ(with_classes(tagger), std::pair(true, false));
  EXPECT_EQ(with_classes(parser), std::pair(false, true));
  EXPECT_EQ(with_classes(small_pipeline()), std::pair(false, false));
  both.set("clusters", toy_clusters() + ".nothing");
  EXPECT_THROW(configure(both), Error);
}

TEST(TrainPipeline, TheTokenizerComesWhereTheTreebankTellsSpaces) {
  TrainData data = toy_data();
  const Settings greedy = settings({"tagger.recipe=", "parser.recipe=greedy", "epochs=1"});
  EXPECT_FALSE(train(greedy, data, {}).parser->about().can.tokenize);
  for (Sentence& sentence : data.train) sentence.tokens[0].misc = "SpaceAfter=No";
  EXPECT_TRUE(train(greedy, data, {}).parser->about().can.tokenize);
  Settings without = greedy;
  without.set("tokenizer.recipe", "");
  EXPECT_FALSE(train(without, data, {}).parser->about().can.tokenize);
}

TEST(TrainPipeline, TheTokenizerLearnsNothingFromTreesOverBareWords) {
  TrainData data = toy_data();
  for (Sentence& sentence : data.train) sentence.tokens[0].misc = "SpaceAfter=No";
  const Settings tokenizer = settings({"tagger.recipe=", "parser.recipe=", "lemmatizer.recipe="});
  const std::string alone = bytes_of(tokenizer, data);
  for (Sentence& bare : toy_treebank(30, 3)) data.train.push_back(std::move(bare));
  EXPECT_EQ(bytes_of(tokenizer, data), alone);
}

TEST(TrainPipeline, StagesOfTrainedModelsAreTakenOverAsTheyAre) {
  const TemporaryFolder folder;
  const std::string file = folder / "first.esp", joined = folder / "joined.esp";
  const TrainData data = toy_data();
  save_parser(*train(small_pipeline(), data, {}).parser, {}, file);
  Settings again = small_pipeline();
  again.set("tagger.from", file);
  again.set("parser.from", file);
  save_parser(*train(again, data, {}).parser, {}, joined);
  EXPECT_EQ(read_file(joined), read_file(file));
  // A new parser beside the old tagger learns from jackknifed tags as before.
  again.erase("parser.from");
  save_parser(*train(again, data, {}).parser, {}, joined);
  EXPECT_EQ(read_file(joined), read_file(file));
  again.set("parser.from", folder / "nowhere.esp");
  EXPECT_THROW(train(again, data, {}), Error);
}

TEST(TrainPipeline, AParserThatIsLeftOutNeedsNoSettings) {
  const Settings tagger = settings({"parser.recipe=", "parser.tags=jackknife:3", "tagger.epochs=1"});
  EXPECT_EQ(train(tagger, toy_data(), {}).parser->about().predicts, std::vector<std::string>{"tags"});
}

TEST(TrainPipeline, TheLemmatizerComesWhereTheTreebankHasLemmas) {
  TrainData data = toy_data();
  const Settings greedy = settings({"tagger.epochs=2", "parser.recipe=greedy", "epochs=1", "parser.tags=input"});
  const auto stages = [](const Trained& trained) {
    std::vector<std::string> names;
    for (const auto& stage : model_of<Pipeline>(*trained.parser)->stages()) names.push_back(stage.name);
    return names;
  };
  EXPECT_EQ(stages(train(greedy, data, {})), (std::vector<std::string>{"tagger", "parser"}));
  for (Sentence& sentence : data.train)
    for (Token& token : sentence.tokens) token.lemma = token.form + "x";
  const Trained trained = train(greedy, data, {});
  EXPECT_EQ(stages(trained), (std::vector<std::string>{"tagger", "lemmatizer", "parser"}));

  const TemporaryFolder folder;
  save_parser(*trained.parser, {}, folder / "m.esp");
  write_file(folder / "forms.tsv", data.dev[0].tokens[0].form + "\tfound\n");
  Sentence sentence = data.dev[0], tagged_together = sentence;
  Settings lexicon, both;
  lexicon.set("lexicon", folder / "forms.tsv");
  both.set("taggings", "2");
  both.set("tag_weight", "1");
  for (const auto& [overrides, words] : {std::pair(&lexicon, &sentence), {&both, &tagged_together}}) {
    const auto parser = load_parser(folder / "m.esp", *overrides);
    parser->parse(*words, *parser->make_workspace());
  }
  EXPECT_EQ(sentence.tokens[0].lemma, "found");
  EXPECT_EQ(sentence.tokens[1].lemma, sentence.tokens[1].form + "x");
  EXPECT_EQ(tagged_together.tokens[0].lemma, sentence.tokens[0].form + "x");
  // Some of its stages only.
  Settings some, unknown, none;
  some.set("stages", "tagger,lemmatizer");
  unknown.set("stages", "tagger,chunker");
  none.set("stages", "");
  EXPECT_EQ(load_parser(folder / "m.esp", some)->about().predicts, (std::vector<std::string>{"tags", "lemmas"}));
  EXPECT_THROW(load_parser(folder / "m.esp", unknown), Error);
  EXPECT_THROW(load_parser(folder / "m.esp", none), Error);
}

TEST(TrainPipeline, TrainersSayWhetherTheirModelsHaveKbest) {
  for (const char* name : {"greedy", "beam", "tagger", "l2s", "l2s-tagger", "mst"}) {
    Settings own;
    own.set("recipe", name);
    own.set("epochs", "1");
    EXPECT_EQ(train(own, toy_data(), {}).parser->about().can.kbest, configure(own).has_kbest) << name;
  }
}

TEST(TrainPipeline, SettingsInForceNameTheStages) {
  const auto known = configure(small_pipeline()).known;
  EXPECT_EQ(known.at("parser.tags").value, "jackknife:3");
  EXPECT_EQ(known.at("parser.epochs").value, "3");
  EXPECT_EQ(known.at("tagger.epochs").value, "2");
}

TEST(TrainPipeline, TheWeightOfTagsIsLearnedFromDev) {
  Settings joint = small_pipeline();
  joint.set("taggings", "3");
  const Trained trained = train(joint, toy_data(), {});
  EXPECT_GT(trained.report.at("tag_weight"), 0);
  EXPECT_EQ(configure(joint).known.at("taggings").value, "3");
  ModelWriter writer;
  writer.metadata["model"] = save_part(*trained.parser, writer, "");
  const auto file = ModelFile::from_bytes(writer.to_bytes(), "m.esp");
  EXPECT_EQ(file->metadata()["model"]["taggings"], 3);
  Settings more;
  more.set("taggings", "8");
  Sentence sentence = toy_data().dev[0];
  const auto parser = load_parser(file, more);
  parser->parse(sentence, *parser->make_workspace());
  EXPECT_EQ(std::ranges::count(sentence.tokens, 0, &Token::head), 1);

  TrainData without = toy_data();
  without.dev.clear();
  EXPECT_THROW(train(joint, without, {}), Error);
  joint.set("tag_weight", "2");
  EXPECT_NO_THROW(train(joint, without, {}));
  for (const char* recipe : {"", "l2s-tagger"}) {
    joint.set("tagger.recipe", recipe);
    EXPECT_THROW(train(joint, without, {}), Error);
  }
  joint.set("tag_weight", "0");
  joint.set("taggings", "1");  // without a k-best list there is nothing to weigh, and nothing wrong
  EXPECT_FALSE(train(joint, toy_data(), {}).report.contains("tag_weight"));
}

/// Stops a run when `at` says so, resumes it, and compares with one that was not stopped.
void expect_same_when_stopped(const std::function<bool(const Progress&)>& at, const std::string& finished) {
  const TemporaryFolder folder;
  const TrainData data = toy_data();
  std::atomic<bool> stop = false;
  TrainContext context;
  context.checkpoint = folder / "m.esp.checkpoint";
  context.stop = [&] { return stop.load(); };
  context.progress = [&](const Progress& progress) {
    if (at(progress)) stop = true;
  };
  try {
    train(small_pipeline(), data, context);
  } catch (const Error&) {  // stopped between two stages
  }
  ASSERT_TRUE(stop);

  stop = false;
  context.resume = true;
  std::vector<std::string> phases;
  context.progress = [&](const Progress& progress) { phases.push_back(progress.phase); };
  EXPECT_EQ(bytes_of(small_pipeline(), data, context), bytes_of(small_pipeline(), data));
  for (const std::string& phase : phases) EXPECT_FALSE(!finished.empty() && phase.starts_with(finished)) << phase;
}

TEST(TrainPipeline, AResumedRunGivesTheSameBytes) {
  expect_same_when_stopped([](const Progress& p) { return p.phase == "tagger train" && p.epoch == 1; }, "");
  expect_same_when_stopped([](const Progress& p) { return p.phase == "jackknife" && p.done == 2; }, "tagger");
  expect_same_when_stopped([](const Progress& p) { return p.phase == "parser train" && p.epoch == 2; }, "tagger");
}

TEST(TrainPipeline, AFinishedStageOfOtherDataIsRefused) {
  const TemporaryFolder folder;
  TrainContext context;
  context.checkpoint = folder / "m.esp.checkpoint";
  train(small_pipeline(), toy_data(), context);
  ASSERT_TRUE(std::filesystem::exists(context.checkpoint + ".parts/tagger.esp"));
  const TrainData other{toy_treebank(60, 7), toy_treebank(20, 8)};
  context.resume = true;
  EXPECT_THROW(train(small_pipeline(), other, context), Error);
  // Without --resume what is there gives way.
  context.resume = false;
  EXPECT_EQ(bytes_of(small_pipeline(), other, context), bytes_of(small_pipeline(), other));
}

}  // namespace
}  // namespace espalier
