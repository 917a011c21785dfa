// What every trainer promises, whatever it trains: the same bytes at any number of threads; stopped at any moment and
// resumed, the same bytes as if it had never been stopped; nothing that looks like a model before there is one; and
// what another run has kept is refused. A new recipe is a line in `kCases` and gets all of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <optional>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"
#include "tests/test_trees.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

struct Case {
  const char* name;
  std::vector<const char*> settings;
  bool constituents = false;
  bool partial = false;  ///< a third of the trees lack heads
  bool init = false;     ///< goes on from a model of other sentences (train --init)
};

const Case kCases[] = {
    {"greedy", {"recipe=greedy", "epochs=3"}},
    {"beam", {"recipe=beam", "epochs=3"}},
    {"beam_runs", {"recipe=beam", "epochs=2", "runs=2"}},
    {"beam_refit", {"recipe=beam", "epochs=3", "refit=2", "most_features=40"}},
    {"beam_hall", {"recipe=beam", "epochs=2", "features=hall"}},
    {"beam_partial", {"recipe=beam", "epochs=3"}, false, true},
    {"mst_partial", {"recipe=mst", "epochs=2", "filter_folds=2", "batch=3"}, false, true},
    {"cube_partial", {"recipe=cube", "epochs=2", "filter_folds=2"}, false, true},
    {"beam_objective", {"recipe=beam", "epochs=3", "objective.0.data=given", "objective.0.loss=labels:obj+obl"}},
    {"beam_forced",
     {"recipe=beam", "epochs=3", "objective.0.data=given", "objective.0.loss=root", "objective.0.target=forced"}},
    {"swap_jackknifed", {"recipe=greedy", "system=swap", "epochs=2", "tags=jackknife:2", "tagger.epochs=2"}},
    {"tagger", {"recipe=tagger", "epochs=3"}},
    {"tagger_refit", {"recipe=tagger", "epochs=3", "refit=1", "most_features=20"}},
    {"lemmatizer", {"recipe=lemmatizer", "epochs=3"}},
    {"tokenizer", {"recipe=tokenizer", "epochs=3", "bits=10"}},
    {"l2s", {"recipe=l2s", "epochs=2", "bits=10", "hidden=3"}},
    {"l2s_adaptive", {"recipe=l2s", "epochs=2", "bits=10", "learner=adaptive", "rollin=learn"}},
    {"l2s_ftrl", {"recipe=l2s", "epochs=2", "bits=10", "learner=nn+ftrl", "shuffle=false", "average=0"}},
    {"l2s_joint", {"recipe=l2s", "epochs=2", "bits=10", "learner=pa", "decisions=joint"}},
    {"l2s_softmax", {"recipe=l2s", "epochs=2", "bits=10", "learner=adaptive", "reduction=softmax"}},
    {"l2s_rollouts", {"recipe=l2s", "epochs=1", "bits=10", "learner=sgd", "rollout=mix_state", "explored=0.3"}},
    {"l2s_searn",
     {"recipe=l2s", "epochs=3", "bits=10", "learner=adaptive", "rollin=mix_roll", "rollout=mix_roll", "explored=0.2",
      "policy_beta=0.5"}},
    {"l2s_eager", {"recipe=l2s", "epochs=2", "bits=10", "system=arc-eager", "decisions=split"}},
    {"l2s_objective",
     {"recipe=l2s", "epochs=2", "bits=10", "objective.0.data=given", "objective.0.loss=labels:obj+obl",
      "objective.0.explored=0.4"}},
    {"l2s_constituents", {"recipe=l2s-constituents", "epochs=2", "bits=10"}, true},
    {"l2s_tagger", {"recipe=l2s-tagger", "epochs=3", "bits=10"}},
    {"cube", {"recipe=cube", "epochs=2", "filter_folds=2"}},
    {"cube_runs", {"recipe=cube", "epochs=1", "runs=2", "filter_folds=2"}},
    {"cube_max_marginal", {"recipe=cube", "epochs=2", "filter=max-marginal", "filter_epochs=2", "sig=full"}},
    {"cube_roots", {"recipe=cube", "epochs=2", "root=multiple", "parts=sibling,stop,frame", "filter_folds=2"}},
    {"cube_pseudo", {"recipe=cube", "epochs=2", "order=1", "projectivity=pseudo", "batch=3", "filter_folds=1"}},
    {"mst", {"recipe=mst", "epochs=2", "filter_folds=3"}},
    {"shift_reduce", {"recipe=shift-reduce", "epochs=2", "direction=l2r", "patient=false"}, true},
    {"shift_reduce_runs", {"recipe=shift-reduce", "epochs=1", "runs=2", "direction=l2r", "patient=false"}, true},
    {"shift_reduce_both", {"recipe=shift-reduce", "epochs=2", "direction=both", "patient=false"}, true},
    {"shift_reduce_patient", {"recipe=shift-reduce", "epochs=2", "direction=r2l"}, true},
    {"chart", {"recipe=chart", "epochs=2", "patient=false"}, true},
    {"chart_runs", {"recipe=chart", "epochs=1", "runs=2", "update=s-max", "learner=perceptron"}, true},
    {"classify", {"recipe=classify", "sample=200", "least_lambda=0.5", "tune=10"}, true},
    {"classify_both", {"recipe=classify", "sample=200", "least_lambda=1", "strategy=both", "seeds=2"}, true},
    {"committee",
     {"recipe=committee", "member.0.recipe=beam", "member.0.epochs=1", "member.1.recipe=greedy", "member.1.epochs=2"}},
    {"committee_constituents",
     {"recipe=committee", "member.0.recipe=shift-reduce", "member.0.epochs=1", "member.0.direction=l2r",
      "member.1.recipe=shift-reduce", "member.1.epochs=1", "member.1.direction=r2l"},
     true},
    {"hc",
     {"recipe=hc", "base.recipe=beam", "base.epochs=2", "folds=2", "list=4", "width=4", "epochs=2", "min_lists=1"}},
    {"hc_l2s",
     {"recipe=hc", "base.recipe=l2s", "base.epochs=1", "base.bits=10", "folds=2", "list=4", "width=4", "epochs=2",
      "min_lists=1"}},
    {"hc_objective",
     {"recipe=hc", "base.recipe=beam", "base.epochs=2", "folds=2", "list=4", "width=4", "epochs=2", "min_lists=1",
      "objective.0.data=given", "objective.0.loss=hamming"}},
    {"pipeline", {"recipe=pipeline", "epochs=2", "tokenizer.bits=10", "parser.tags=jackknife:2"}},
    {"greedy_init", {"recipe=greedy", "epochs=3"}, false, false, true},
    {"beam_init", {"recipe=beam", "epochs=2"}, false, false, true},
    {"mst_init", {"recipe=mst", "epochs=2", "filter_folds=2"}, false, false, true},
    {"cube_init", {"recipe=cube", "epochs=2", "filter_folds=2"}, false, false, true},
    {"tagger_init", {"recipe=tagger", "epochs=3"}, false, false, true},
    {"shift_reduce_init", {"recipe=shift-reduce", "epochs=2"}, true, false, true},
    {"chart_init", {"recipe=chart", "epochs=2"}, true, false, true},
    {"pipeline_init",
     {"recipe=pipeline", "epochs=2", "tokenizer.bits=10", "parser.tags=jackknife:2"},
     false,
     false,
     true},
};

std::vector<Sentence> toy_constituents(int sentences, uint64_t seed) {
  Rng rng(seed, "toy");
  const auto noun_phrase = [&] {
    const char* const nouns[] = {"dog", "cat", "tree"};
    return std::string("(NP ") + (rng.below(2) ? "(DT the) " : "") + "(NN " + nouns[rng.below(3)] + "))";
  };
  std::vector<Sentence> treebank;
  for (int s = 0; s < sentences; ++s) {
    std::string text = "(ROOT (S " + noun_phrase() + " (VP (VBZ sees) " + noun_phrase();
    if (rng.below(2)) text += " (PP (IN in) " + noun_phrase() + ")";
    treebank.push_back(testing::constituents(text + ") (. .)))"));
  }
  return treebank;
}

std::vector<Sentence> toy_dependencies(int sentences, uint64_t seed) {
  auto treebank = toy_treebank(sentences, seed);
  for (Sentence& sentence : treebank) {
    sentence.comments = {"# newpar"};  // a tokenizer's instances are paragraphs
    sentence.tokens[sentence.tokens.size() - 2].misc = "SpaceAfter=No";
    for (Token& token : sentence.tokens) token.lemma = token.form == "sees" ? "see" : token.form;
  }
  return treebank;
}

class TrainerContract : public ::testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    if (!GetParam().init) return;
    const auto make = GetParam().constituents ? toy_constituents : toy_dependencies;
    save_parser(*train(own_settings(), {make(20, 7), {}}, {}).parser, {}, folder_ / "init.esp");
  }
  static Settings own_settings() {
    Settings settings;
    for (const char* pair : GetParam().settings) settings.set_pair(pair);
    return settings;
  }
  Settings settings() const {
    Settings settings = own_settings();
    if (GetParam().init) settings.set("init", folder_ / "init.esp");
    return settings;
  }
  TrainData data() const {
    const auto make = GetParam().constituents ? toy_constituents : toy_dependencies;
    TrainData data{make(24, 1), make(8, 2)};
    for (size_t i = 0; i < data.train.size() && GetParam().partial; i += 3)
      for (size_t word = i % 2; word < data.train[i].tokens.size(); word += 2)
        data.train[i].tokens[word].head = Token::kNoHead;
    if (settings().has("objective.0.data")) data.objectives.push_back({make(10, 3), {}});
    return data;
  }
  /// Keeps what is wanted for --resume in the test's folder.
  TrainContext context(bool resume) const {
    TrainContext context;
    context.checkpoint = folder_ / "m.esp.checkpoint";
    context.resume = resume;
    return context;
  }
  /// The model with all that goes into its file; nothing if there is none.
  std::optional<std::string> run(const TrainContext& context) const {
    const Trainer trainer = configure(settings());
    Trained trained;
    try {
      trained = trainer.train(data(), context);
    } catch (const Error& error) {
      EXPECT_STREQ(error.what(), stopped_without_model().what());
      return std::nullopt;
    }
    EXPECT_TRUE(trained.parser || trained.stopped);
    if (!trained.parser) return std::nullopt;
    if (trained.stopped) {
      EXPECT_GE(trained.report.at("epochs").get<int>(), 1) << "not even one epoch is done";
    }
    ModelWriter writer;
    writer.metadata = {{"model", save_part(*trained.parser, writer, "")}, {"report", trained.report}};
    for (const auto& [key, known] : trainer.known) writer.metadata["settings"][key] = known.value;
    return writer.to_bytes();
  }
  /// Asked for an end when it looks for the `at`-th time.
  std::optional<std::string> run_and_stop(bool resume, long at, int threads = 1) const {
    std::atomic<long> asked = 0;
    TrainContext own = context(resume);
    own.threads = threads;
    own.stop = [&] { return ++asked >= at; };
    return run(own);
  }
  /// How often an uninterrupted run looks whether it is to stop.
  long moments() const {
    std::atomic<long> asked = 0;
    TrainContext context;
    context.stop = [&] { return ++asked < 0; };
    run(context);
    return asked;
  }

  TemporaryFolder folder_;
};

TEST_P(TrainerContract, ThreadsChangeNothing) {
  TrainContext two;
  two.threads = 2;
  EXPECT_TRUE(run({}) == run(two));
}

TEST_P(TrainerContract, StoppedAtAnyMomentAndResumedItIsTheSameModel) {
  const auto whole = run({});
  const long all = moments();
  ASSERT_GT(all, 10);
  for (const long at : {1L, 2L, all / 5, all / 3, all / 2, 2 * all / 3, all - 1}) {
    run_and_stop(false, at);
    EXPECT_TRUE(run(context(true)) == whole) << "stopped at " << at << " of " << all;
  }
  // Stopped again and again, by two threads.
  run_and_stop(false, all / 4, 2);
  for (int i = 0; i < 2; ++i) run_and_stop(true, all / 4, 2);
  EXPECT_TRUE(run(context(true)) == whole);
}

TEST_P(TrainerContract, WhatAnotherRunHasKeptIsRefused) {
  run_and_stop(false, moments() / 2);
  TrainData shorter = data();
  shorter.train.pop_back();
  TrainContext other_seed = context(true);
  other_seed.seed = 7;
  const auto refused = [&](const TrainData& data, const TrainContext& context) {
    try {
      train(settings(), data, context);
    } catch (const Error& error) {
      return std::string(error.what()).find("this checkpoint belongs to another run") != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(refused(shorter, context(true)));
  EXPECT_TRUE(refused(data(), other_seed));
  EXPECT_FALSE(refused(shorter, context(false))) << "it only wants to begin anew";
}

INSTANTIATE_TEST_SUITE_P(Recipes, TrainerContract, ::testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(TrainerContractTest, EveryRecipeIsThere) {
  for (const std::string& recipe : trainer_names())
    EXPECT_TRUE(std::ranges::any_of(kCases, [&](const Case& c) { return c.settings[0] == "recipe=" + recipe; }))
        << recipe;
}

}  // namespace
}  // namespace espalier
