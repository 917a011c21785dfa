#include "espalier/learn/combine/hc_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"
#include "espalier/learn/combine/fold_lists.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/combine/pooled_list.h"
#include "espalier/parser/combine/reranker.h"
#include "espalier/parser/combine/template_digest.h"
#include "espalier/parser/pipeline.h"
#include "tests/temporary_folder.h"
#include "tests/toy_constituents.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

/// A toy treebank that is not learned without error: some labels are drawn by lot.
std::vector<Sentence> noisy_treebank(int sentences, uint64_t seed) {
  auto treebank = toy_treebank(sentences, seed);
  Rng rng(seed, "noise");
  for (Sentence& sentence : treebank)
    for (Token& token : sentence.tokens)
      if (rng.below(12) == 0) token.deprel = "dep";
  return treebank;
}

TrainData toy_data() { return {noisy_treebank(60, 1), noisy_treebank(30, 2)}; }

Settings small_hc(std::initializer_list<const char*> more = {}) {
  Settings own = settings(
      {"recipe=hc", "folds=3", "list=4", "width=8", "epochs=3", "base.epochs=2", "base.0.beam=4", "min_lists=1"});
  for (const char* pair : more) own.set_pair(pair);
  return own;
}

double named(const Candidate& candidate, const std::string& name) {
  for (const auto& [known, score] : candidate.scores)
    if (known == name) return score;
  ADD_FAILURE() << "no score " << name;
  return 0;
}

TEST(TrainHc, ListsAreInMixedOrderAndTheirFirstIsWhatIsParsed) {
  for (const char* bases : {"bases=beam", "bases=beam+mst"}) {
    const TrainData data = toy_data();
    const auto parser = train(small_hc({bases}), data, {}).parser;
    const auto workspace = parser->make_workspace();
    for (const Sentence& sentence : data.dev) {
      const auto list = kbest(*parser, sentence, 100, *workspace);
      ASSERT_FALSE(list.empty());
      EXPECT_EQ(kbest(*parser, sentence, 2, *workspace).size(), std::min<size_t>(list.size(), 2));
      for (size_t i = 1; i < list.size(); ++i) {
        EXPECT_GE(list[i - 1].score, list[i].score);
        EXPECT_GE(named(list[i - 1], "mixed"), named(list[i], "mixed"));
      }
      Sentence parsed = sentence;
      parser->parse(parsed, *workspace);
      EXPECT_EQ(dependencies_of(parsed).heads, list[0].analysis.heads);
      EXPECT_EQ(dependencies_of(parsed).deprels, list[0].analysis.deprels);
    }
  }
}

TEST(TrainHc, ObjectivesAreItsParsersObjectives) {
  TrainData data = toy_data();
  data.objectives.push_back({noisy_treebank(20, 3), {}});
  const TemporaryFolder folder;
  const std::string keep = "keep=" + folder.path();
  train(small_hc({keep.c_str(), "objective.0.data=given", "objective.0.loss=hamming"}), data, {});
  const auto base = load_parser(folder.path() + "/hc.parts/base.esp");
  Settings alone = load_recipe("beam");
  for (const char* pair : {"epochs=2", "beam=4", "objective.0.data=given", "objective.0.loss=hamming"})
    alone.set_pair(pair);
  EXPECT_EQ(bytes_of(*base), bytes_of(*train(alone, data, {}).parser));
  alone.erase_prefix("objective.");
  EXPECT_NE(bytes_of(*base), bytes_of(*train(alone, {data.train, data.dev}, {}).parser));
  EXPECT_THROW(configure(small_hc({"models=a.esp", "ranker=b.esp", "objective.0.data=x", "objective.0.loss=root"})),
               Error);
}

TEST(TrainHc, FoldsLearnFromObjectivesToo) {
  const TrainData data = toy_data();
  const Trainer fold = configure(settings({"recipe=beam", "epochs=1", "beam=4", "objective.0.data=no such file",
                                           "objective.0.loss=hamming", "objective.0.step=own"}));
  const FoldOptions options{.folds = 2, .width = 4, .size = 4, .name = "folds"};
  const auto lists = [&](int seed) {
    return jackknifed_lists(data.train, {{noisy_treebank(60, static_cast<uint64_t>(seed)), {}}}, fold, options, {});
  };
  const auto some = lists(3), others = lists(4);
  bool differs = false;
  for (size_t i = 0; i < some.size(); ++i) differs |= some[i].front().score != others[i].front().score;
  EXPECT_TRUE(differs);
}

TEST(TrainHc, TheTreeIsAlwaysOneOfTheBasesAndAListOfOneChangesNothing) {
  const TrainData data = toy_data();
  const TemporaryFolder folder;
  const std::string keep = "keep=" + folder.path();
  const auto four = train(small_hc({keep.c_str()}), data, {}).parser;
  const auto one = train(small_hc({keep.c_str(), "list=1"}), data, {}).parser;
  const auto base = load_parser(folder.path() + "/hc.parts/base.esp");
  const auto of_four = four->make_workspace(), of_one = one->make_workspace(), of_base = base->make_workspace();
  for (const Sentence& sentence : data.dev) {
    const auto list = kbest(*base, sentence, 8, *of_base);
    Sentence parsed = sentence;
    four->parse(parsed, *of_four);
    const uint64_t chosen = tree_hash(dependencies_of(parsed));
    EXPECT_TRUE(std::ranges::any_of(list, [&](const Candidate& c) { return tree_hash(c.analysis) == chosen; }));
    one->parse(parsed, *of_one);
    EXPECT_EQ(tree_hash(dependencies_of(parsed)), tree_hash(list[0].analysis));
  }
}

TEST(TrainHc, WithoutMixtureTheRankerDecidesAndWithoutRankingTheParser) {
  const TrainData data = toy_data();
  const auto ranker = train(small_hc({"mixture=false"}), data, {}).parser;
  const auto parser = train(small_hc({"ranking=none"}), data, {}).parser;
  const auto of_ranker = ranker->make_workspace(), of_parser = parser->make_workspace();
  for (const Sentence& sentence : data.dev) {
    const auto by_ranker = kbest(*ranker, sentence, 4, *of_ranker), by_parser = kbest(*parser, sentence, 4, *of_parser);
    EXPECT_TRUE(std::ranges::is_sorted(by_ranker, std::greater(), [](const auto& c) { return named(c, "c"); }));
    EXPECT_TRUE(std::ranges::is_sorted(by_parser, std::greater(), [](const auto& c) { return named(c, "h"); }));
  }
}

TEST(TrainHc, GoldIsLearnedFromWhereListsHaveOneTree) {
  const auto features = [](const char* ranking) {
    return train(small_hc({ranking, "list=1"}), toy_data(), {}).report.at("rank").at("features").get<size_t>();
  };
  EXPECT_EQ(features("ranking=coarse"), 0u);
  EXPECT_GT(features("ranking=gold"), 0u);
}

TEST(TrainHc, ModelsAreTheSameOnAnyNumberOfThreadsAndAfterSavingThem) {
  const TrainData data = toy_data();
  TrainContext two;
  two.threads = 2;
  const Trained once = train(small_hc(), data, {}), again = train(small_hc(), data, two);
  EXPECT_EQ(bytes_of(*once.parser), bytes_of(*again.parser));

  const TemporaryFolder folder;
  save_parser(*once.parser, {}, folder.path() + "/m.esp");
  const auto loaded = load_parser(folder.path() + "/m.esp");
  const auto a = once.parser->make_workspace(), b = loaded->make_workspace();
  for (const Sentence& sentence : data.dev) {
    const auto before = kbest(*once.parser, sentence, 4, *a), after = kbest(*loaded, sentence, 4, *b);
    ASSERT_EQ(before.size(), after.size());
    for (size_t i = 0; i < before.size(); ++i) {
      EXPECT_EQ(before[i].analysis, after[i].analysis);
      EXPECT_EQ(before[i].score, after[i].score);
    }
  }
}

TEST(TrainHc, FinishedFoldsAreNotTrainedAgain) {
  const TrainData data = toy_data();
  const TemporaryFolder folder;
  TrainContext context;
  context.checkpoint = folder.path() + "/m.checkpoint";
  const std::string first = bytes_of(*train(small_hc(), data, context).parser);
  // As after a kill: one fold and the ranker are missing.
  for (const auto& file : std::filesystem::directory_iterator(context.checkpoint + ".parts"))
    if (file.path().filename().string().ends_with("2-of-3")) std::filesystem::remove(file);
  context.resume = true;
  context.progress = [](const Progress& progress) { EXPECT_FALSE(progress.phase.starts_with("base train")); };
  EXPECT_EQ(bytes_of(*train(small_hc(), data, context).parser), first);
}

TEST(TrainHc, WrongSettingsFailBeforeAnythingIsTrained) {
  TrainContext context;
  context.progress = [](const Progress& progress) { ADD_FAILURE() << progress.phase; };
  for (const char* wrong :
       {"base.beem=3", "base.1.beam=3", "fold.epoch=2", "bases=beam+nonesuch", "base.recipe=l2s-tagger",
        "base.recipe=hc", "base.recipe=tagger", "base.recipe=pipeline", "bases=beam+shift-reduce", "ranking=finest",
        "heuristic=good", "loss=none", "no-such-key=1"})
    EXPECT_THROW(train(small_hc({wrong}), toy_data(), context), Error) << wrong;
  const auto complaint = [&](std::initializer_list<const char*> wrong) {
    Settings own = settings({"recipe=hc"});
    for (const char* pair : wrong) own.set_pair(pair);
    try {
      train(own, toy_data(), context);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint({"base.recipe=tagger"}).find("predicts tags, but hc ranks trees"), std::string::npos);
  EXPECT_NE(complaint({"base.recipe=l2s", "heuristic=worst"}).find("none of l2s is one"), std::string::npos);
  // Nothing can be learned from trees of the other kind.
  TrainData brackets{toy_constituents(10, 1), {}};
  for (const char* recipe : {"recipe=l2s", "recipe=cube", "recipe=hc"}) {
    try {
      train(settings({recipe}), brackets, context);
      ADD_FAILURE() << recipe;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_NE(std::string(error.what()).find("learns from dependencies"), std::string::npos) << error.what();
    }
  }
  EXPECT_THROW(train(settings({"recipe=shift-reduce"}), toy_data(), context), Error);
}

TEST(TrainHc, ARankerServesTrainedParsersToo) {
  const TrainData data = toy_data();
  const TemporaryFolder folder;
  const std::string hc = folder.path() + "/hc.esp", base = folder.path() + "/hc.parts/base.esp";
  const auto learned = train(small_hc({("keep=" + folder.path()).c_str()}), data, {}).parser;
  save_parser(*learned, {}, hc);
  TrainContext context;
  context.progress = [](const Progress& progress) { ADD_FAILURE() << progress.phase; };  // nothing is trained
  const std::string ranker = "ranker=" + hc, models = "models=" + base;
  const auto reused = train(small_hc({ranker.c_str(), models.c_str()}), data, context).parser;
  const auto of_learned = learned->make_workspace(), of_reused = reused->make_workspace();
  for (const Sentence& sentence : data.dev) {
    const auto before = kbest(*learned, sentence, 4, *of_learned), after = kbest(*reused, sentence, 4, *of_reused);
    ASSERT_EQ(before.size(), after.size());
    for (const Candidate& candidate : after) {
      const auto same = std::ranges::find(before, candidate.analysis, &Candidate::analysis);
      ASSERT_NE(same, before.end());
      EXPECT_EQ(named(*same, "c"), named(candidate, "c"));
      EXPECT_EQ(named(*same, "h"), named(candidate, "h"));
    }
  }

  for (std::string file : {hc, base}) {  // those of a pipeline are its parser's
    std::vector<Pipeline::Stage> stages;
    stages.push_back({"parser", load_parser(file)});
    save_parser(Pipeline(std::move(stages)), {}, file + ".pipeline");
  }
  const auto of_pipelines =
      train(small_hc({(ranker + ".pipeline").c_str(), (models + ".pipeline").c_str()}), data, context);
  EXPECT_EQ(bytes_of(*of_pipelines.parser), bytes_of(*reused));

  TrainData no_dev = data;
  no_dev.dev.clear();
  EXPECT_THROW(train(small_hc({models.c_str()}), data, context), Error);                    // no folds, no ranker
  EXPECT_THROW(train(small_hc({ranker.c_str(), models.c_str()}), no_dev, context), Error);  // no mixture
  EXPECT_THROW(train(small_hc({("ranker=" + base).c_str(), models.c_str()}), data, context), Error);
  EXPECT_THROW(train(small_hc({ranker.c_str(), ("models=" + hc).c_str()}), data, context), Error);
}

TEST(TrainHc, ARankerOfOtherTemplatesIsRefused) {
  const TemporaryFolder folder;
  const std::string hc = folder.path() + "/hc.esp";
  save_parser(*train(small_hc({"epochs=1", "base.epochs=1"}), toy_data(), {}).parser, {}, hc);
  const auto file = ModelFile::open(hc);
  ModelPart part{file, file->metadata().at("model"), ""};
  RerankModel model;
  EXPECT_EQ(part.metadata.at("templates"), template_digest());
  EXPECT_NO_THROW(load_ranker(part, model));
  part.metadata["templates"] = "other";
  try {
    load_ranker(part, model);
    ADD_FAILURE() << "weights of other templates are used";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kData);
    EXPECT_NE(std::string(error.what()).find("other feature templates"), std::string::npos) << error.what();
  }
}

TEST(TrainHc, NeedsNoDevData) {
  TrainData data = toy_data();
  data.dev.clear();
  const auto parser = train(small_hc(), data, {}).parser;
  const auto workspace = parser->make_workspace();
  Sentence sentence = data.train[0];
  parser->parse(sentence, *workspace);
  EXPECT_EQ(tree_problem(sentence), "");
  Sentence empty;
  parser->parse(empty, *workspace);
  EXPECT_EQ(kbest(*parser, empty, 3, *workspace).size(), 1u);
}

}  // namespace
}  // namespace espalier
