#include "espalier/learn/transition/transition_trainer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "espalier/learn/dev_score.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/transition/transition_learner.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

TrainData toy_data() { return {toy_treebank(80, 1), toy_treebank(40, 2)}; }

TEST(TransitionTrainer, EverySystemAndLearnerLearnsTheToyLanguage) {
  const TrainData data = toy_data();
  for (const char* system : {"system=arc-standard", "system=arc-eager", "system=arc-hybrid", "system=swap"})
    for (const char* features : {"features=fast", "features=zn11"})
      for (const char* learner : {"learner=pa", "learner=perceptron"})
        for (const char* beam : {"beam=1", "beam=4"}) {
          const auto trained =
              train(settings({"recipe=beam", "epochs=6", "min_updates=1", system, features, learner, beam}), data, {});
          EXPECT_GT(trained.report.at("dev").at("las").get<double>(), 97) << system << features << learner << beam;
        }
}

/// The same sentences with their words in the opposite order.
TrainData mirrored(TrainData data) {
  for (auto* sentences : {&data.train, &data.dev})
    for (Sentence& sentence : *sentences) {
      std::ranges::reverse(sentence.tokens);
      for (Token& token : sentence.tokens)
        if (token.head > 0) token.head = sentence.size() + 1 - token.head;
    }
  return data;
}

TEST(TransitionTrainer, FromTheRightIsFromTheLeftInTheMirror) {
  // Labels are numbered as they are met: a sentence whose labels are the same from both ends comes first.
  TrainData data = toy_data();
  Sentence first;
  const std::vector<const char*> labels = {"case", "det", "amod", "nsubj", "obj", "obl", "punct"};
  for (const char* label : labels) first.tokens.push_back(word("x", "X", 8, label));
  first.tokens.push_back(word("x", "X", 0, "root"));
  for (size_t i = labels.size(); i-- > 0;) first.tokens.push_back(word("x", "X", 8, labels[i]));
  data.train.insert(data.train.begin(), first);
  const TrainData mirror_image = mirrored(data);
  for (const char* system : {"system=arc-standard", "system=arc-eager", "system=arc-hybrid"})
    for (const auto& [recipe, loss] : {std::pair("recipe=greedy", "loss=actions"),
                                       {"recipe=beam", "loss=actions"},
                                       {"recipe=beam", "loss=labels:nsubj+obj"}}) {
      SCOPED_TRACE(std::string(system) + " " + recipe + " " + loss);
      const auto right =
          train(settings({recipe, loss, "epochs=1", "min_updates=1", system, "direction=r2l"}), data, {});
      const auto left = train(settings({recipe, loss, "epochs=1", "min_updates=1", system}), mirror_image, {});
      const auto file = ModelFile::from_bytes(bytes_of(*right.parser), "toy");
      const auto loaded = load_part({file, file->metadata(), ""});
      TrainData parsed{data.dev, mirror_image.dev};
      const auto workspace = loaded->make_workspace(), other = left.parser->make_workspace();
      for (size_t i = 0; i < data.dev.size(); ++i) {
        const auto list = kbest(*loaded, data.dev[i], 4, *workspace),
                   mirrored_list = kbest(*left.parser, mirror_image.dev[i], 4, *other);
        ASSERT_EQ(list.size(), mirrored_list.size());
        for (size_t k = 0; k < list.size(); ++k) EXPECT_EQ(list[k].score, mirrored_list[k].score);
        loaded->parse(parsed.train[i], *workspace);
        left.parser->parse(parsed.dev[i], *other);
      }
      const TrainData turned = mirrored({parsed.train, {}});
      for (size_t i = 0; i < data.dev.size(); ++i) EXPECT_EQ(turned.train[i].tokens, parsed.dev[i].tokens);
    }
}

TEST(TransitionTrainer, EveryUpdateLearns) {
  const TrainData data = toy_data();
  const auto learns = [&](const char* system, const char* update) {
    const auto trained = train(settings({"recipe=beam", system, "epochs=6", "min_updates=1", update}), data, {});
    EXPECT_GT(trained.report.at("dev").at("las").get<double>(), 97) << system << update;
  };
  for (const char* system : {"system=arc-standard", "system=arc-eager"})
    for (const char* update : {"update=standard", "update=early", "update=max-violation", "update=hc-best"})
      learns(system, update);
  // This one is content with gold in the beam; only arc-standard's right trees come first here, too.
  learns("system=arc-standard", "update=hc-worst");
}

TEST(TransitionTrainer, TheBeamsMarginTakesALossByName) {
  const TrainData data = toy_data();
  const auto with = [&](std::initializer_list<const char*> more) {
    Settings own = settings({"recipe=beam", "epochs=4", "min_updates=1"});
    for (const char* pair : more) own.set_pair(pair);
    return train(own, data, {});
  };
  const std::string actions = bytes_of(*with({"loss=actions"}).parser);
  EXPECT_TRUE(bytes_of(*with({"loss=labelled"}).parser) == bytes_of(*with({}).parser));
  for (const char* system : {"system=arc-standard", "system=arc-eager", "system=arc-hybrid"})
    for (const char* loss : {"loss=hamming", "loss=labelled", "loss=arc-length", "loss=root"})
      for (const char* learner : {"learner=perceptron", "learner=pa"}) {
        const auto trained = with({system, loss, learner});
        EXPECT_GT(trained.report.at("dev").at("las").get<double>(), 97) << system << loss << learner;
        EXPECT_FALSE(bytes_of(*trained.parser) == actions) << system << loss << learner;
      }
  EXPECT_THROW(configure(settings({"recipe=beam", "loss=parseval"})), Error);
  EXPECT_THROW(configure(settings({"recipe=beam", "loss=labeled"})), Error);
  EXPECT_THROW(configure(settings({"recipe=greedy", "loss=labelled"})), Error);
}

/// Arc-standard whose right arcs to words far away are a move of their own.
struct TwoRights {
  static constexpr std::string_view kName = "two-rights";
  enum Move : int { kShift, kLeft, kRight, kRoot, kFarRight, kMoves };
  static constexpr const char* kMoveNames[] = {"shift", "left", "right", "root", "far right"};
  static constexpr bool kNonProjective = false;
  static constexpr bool builds_arc(int move) { return move != kShift; }
  using State = ArcStandard::State;
  using Arena = ArcStandard::Arena;
  bool single_root = true;

  static bool far(const State& c, const Arena& a) {
    const Arc arc = ArcStandard().part(c, a, ArcStandard::kRight);
    return arc.dependent - arc.head > 2;
  }
  static int plain(int move) { return move == kFarRight ? int{kRight} : move; }
  State initial(Arena& a, int words) const { return ArcStandard().initial(a, words); }
  bool is_final(const State& c, const Arena& a) const { return ArcStandard().is_final(c, a); }
  MoveSet legal(const State& c, const Arena& a) const {
    const MoveSet moves = ArcStandard().legal(c, a);
    return moves >> kRight & 1 && far(c, a) ? moves ^ (1u << kRight | 1u << kFarRight) : moves;
  }
  Arc part(const State& c, const Arena& a, int move) const { return ArcStandard().part(c, a, plain(move)); }
  bool keeps(const State& c, const Arena& a, const Gold& given, int move) const {
    return ArcStandard().keeps(c, a, given, plain(move));
  }
  void apply(State& c, Arena& a, int move, int label) const { ArcStandard().apply(c, a, plain(move), label); }
  int oracle(const State& c, const Arena& a, const Gold& gold) const {
    const int move = ArcStandard().oracle(c, a, gold);
    return move == kRight && far(c, a) ? int{kFarRight} : move;
  }
};
static_assert(DependencySpace<TwoRights>);

TEST(TransitionTrainer, ASystemMayHaveTwoMovesThatBuildArcsInOneDirection) {
  const TrainData data = toy_data();
  SettingsReader reader(settings({"recipe=beam", "beam=4", "system=arc-standard", "features=fast"}));
  const auto learner = make_transition_learner<TwoRights>(TransitionOptions::from(reader), data.train, {});
  for (int epoch = 1; epoch <= 4; ++epoch)
    for (size_t i = 0; i < learner->size(); ++i) learner->learn({&i, 1}, epoch);
  int right = 0, far = 0, words = 0;
  for (const Sentence& gold : data.dev) {
    KBestList list = learner->list(gold, false);
    const Analysis& found = list.best(1)[0].analysis;
    for (int i = 1; i <= gold.size(); ++i) {
      const bool same = found.heads[static_cast<size_t>(i)] == gold.word(i).head &&
                        found.deprels[static_cast<size_t>(i)] == gold.word(i).deprel;
      ++words, right += same, far += same && i - gold.word(i).head > 2 && gold.word(i).head > 0;
    }
  }
  EXPECT_GT(right, words * 0.97);
  EXPECT_GT(far, 20);
}

TEST(TransitionTrainer, TheEpochIsChosenByWhatIsAskedFor) {
  const TrainData data = toy_data();
  const auto trained =
      train(settings({"recipe=beam", "beam=3", "epochs=3", "select=gold-in-beam", "update=hc-best"}), data, {});
  double most = -1;
  int epoch = 0, best = 0;
  for (const auto& news : trained.report.at("curve")) {
    ++epoch;
    const double found = news.at("dev").at("gold_in_list").get<double>();
    if (found > most) most = found, best = epoch;
  }
  EXPECT_EQ(trained.report.at("dev").at("gold_in_list").get<double>(), most);
  EXPECT_GE(trained.report.at("best_epoch").get<int>(), best);  // between equals the oracle decides
}

TEST(TransitionTrainer, SameSeedSameModelWhateverTheThreads) {
  const TrainData data = toy_data();
  const Settings s = settings({"recipe=greedy", "epochs=3"});
  TrainContext one, two, other;
  two.threads = 2;
  other.seed = 2;
  const std::string model = bytes_of(*train(s, data, one).parser);
  EXPECT_EQ(model, bytes_of(*train(s, data, two).parser));
  EXPECT_NE(model, bytes_of(*train(s, data, other).parser));
}

TEST(TransitionTrainer, AResumedRunEndsLikeOneThatWasNotStopped) {
  const TrainData data = toy_data();
  const Settings s = settings({"recipe=beam", "epochs=5", "min_updates=1"});
  const TemporaryFolder folder;
  const std::string file = folder / "transition.checkpoint";
  TrainContext context;
  context.checkpoint = file;
  std::atomic<bool> stop = false;
  context.stop = [&] { return stop.load(); };
  context.progress = [&](const Progress& news) {
    if (news.epoch == 2 && news.epoch_end) stop = true;
  };
  train(s, data, context);
  ASSERT_TRUE(std::filesystem::exists(file));
  TrainContext again;
  again.checkpoint = file;
  again.resume = true;
  int first = 0;
  again.progress = [&](const Progress& news) { first = first ? first : news.epoch; };
  const auto resumed = train(s, data, again);
  EXPECT_EQ(first, 3);
  EXPECT_EQ(bytes_of(*resumed.parser), bytes_of(*train(s, data, {}).parser));
  // A checkpoint of another run is refused.
  EXPECT_THROW(train(settings({"recipe=beam", "epochs=5", "min_updates=3"}), data, again), Error);
}

TEST(TransitionParser, KBestListsAreDistinctSortedAndBeginWithTheParse) {
  const TrainData data = toy_data();
  const auto trained = train(settings({"recipe=beam", "epochs=2", "min_updates=1"}), data, {});
  const auto workspace = trained.parser->make_workspace();
  for (Sentence sentence : data.dev) {
    const auto list = kbest(*trained.parser, sentence, 8, *workspace);
    ASSERT_GE(list.size(), 2u);
    for (size_t i = 0; i < list.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        EXPECT_NE(list[i].analysis, list[j].analysis);
        EXPECT_LE(list[i].score, list[j].score);
      }
    Sentence parsed = sentence, best = sentence;
    trained.parser->parse(parsed, *workspace);
    annotate(best, list[0].analysis);
    EXPECT_EQ(parsed.tokens, best.tokens);
    const auto features = trained.parser->inspect()->features(sentence, list, *workspace);
    EXPECT_NE(features[0], features[1]);
  }
}

TEST(TransitionParser, SavedAndLoadedItParsesTheSame) {
  const TrainData data = toy_data();
  for (const char* recipe : {"recipe=greedy", "recipe=beam"}) {
    const auto trained = train(settings({recipe, "epochs=2"}), data, {});
    const auto file = ModelFile::from_bytes(bytes_of(*trained.parser), "toy");
    const auto loaded = load_part({file, file->metadata(), ""});
    EXPECT_EQ(score_on_dev(*trained.parser, data.dev, 1).details, score_on_dev(*loaded, data.dev, 2).details);
    EXPECT_EQ(bytes_of(*trained.parser), bytes_of(*loaded));
  }
}

TEST(TransitionParser, LongAndEmptySentencesGetTrees) {
  const TrainData data = toy_data();
  for (const char* system : {"system=arc-standard", "system=arc-eager", "system=arc-hybrid", "system=swap"})
    for (const char* beam : {"beam=1", "beam=4"}) {
      const auto trained = train(settings({"recipe=beam", "epochs=1", "features=fast", system, beam}), data, {});
      const auto workspace = trained.parser->make_workspace();
      Sentence empty, longest;
      trained.parser->parse(empty, *workspace);
      for (int i = 0; i < 3000; ++i)
        longest.tokens.push_back(word(i % 7 ? "old" : "dog", i % 5 ? "NOUN" : "VERB", Token::kNoHead, "_"));
      trained.parser->parse(longest, *workspace);
      EXPECT_EQ(tree_problem(longest), "") << system << beam;
    }
}

TEST(TransitionTrainer, CrossingArcsAreLiftedEncodedSwappedOrLeftOut) {
  // c → a crosses d → b, and b → e crosses the arc to the root.
  TrainData data;
  for (int i = 0; i < 20; ++i) {
    Sentence crossing;
    crossing.tokens = {word("a", "X", 3, "far"), word("b", "Y", 4, "near"), word("c", "Z", 4, "mid"),
                       word("d", "V", 0, "root"), word("e", "W", 2, "back")};
    data.train.push_back(crossing);
  }
  data.dev = data.train;
  auto las = [&](std::initializer_list<const char*> pairs) {
    return train(settings(pairs), data, {}).report.at("dev").at("las").get<double>();
  };
  EXPECT_EQ(las({"recipe=beam", "epochs=3", "min_updates=1", "projectivity=pseudo"}), 100);
  EXPECT_EQ(las({"recipe=beam", "epochs=3", "min_updates=1", "system=swap"}), 100);
  EXPECT_LT(las({"recipe=beam", "epochs=3", "min_updates=1", "projectivity=lift"}), 100);
  EXPECT_THROW(las({"recipe=beam", "projectivity=none"}), Error);
}

TEST(TransitionTrainer, SeveralRootsAreLearnedWhereTheTreebankHasThem) {
  // A Prague-style treebank: the verb and the full stop both hang on the root.
  TrainData data = toy_data();
  for (auto* sentences : {&data.train, &data.dev})
    for (Sentence& sentence : *sentences) sentence.tokens.back().head = 0;
  std::vector<std::string> notes;
  TrainContext context;
  context.note = [&](const std::string& note) { notes.push_back(note); };
  for (const char* system : {"system=arc-standard", "system=arc-eager", "system=arc-hybrid", "system=swap"}) {
    const auto trained = train(settings({"recipe=beam", "epochs=4", "min_updates=1", system}), data, context);
    EXPECT_GT(trained.report.at("dev").at("las").get<double>(), 97) << system;
  }
  EXPECT_EQ(notes.size(), 0u);
  EXPECT_THROW(train(settings({"recipe=beam", "root=single"}), data, context), Error);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].find("80 training sentences are left out"), 0u) << notes[0];

  // A cycle is nothing to learn from, however many roots are allowed.
  data.train[0].tokens[0].head = 2;
  data.train[0].tokens[1].head = 1;
  train(settings({"recipe=greedy", "epochs=1"}), data, context);
  EXPECT_EQ(notes.back(), "1 training sentences are left out: not trees");
}

TEST(TransitionTrainer, TheSecondRunBeginsWithNothing) {
  const TrainData data = toy_data();
  for (const char* recipe : {"recipe=beam", "recipe=greedy"}) {
    const auto once = train(settings({recipe, "epochs=3"}), data, {}).report.at("curve");
    const auto twice = train(settings({recipe, "epochs=3", "runs=2"}), data, {}).report.at("curve");
    ASSERT_EQ(twice.size(), 6u);
    for (size_t epoch = 0; epoch < 3; ++epoch) EXPECT_EQ(twice[epoch], once[epoch]) << recipe;
    EXPECT_GT(twice[3].at("updates"), twice[2].at("updates")) << recipe;
  }
  EXPECT_THROW(train(settings({"recipe=beam", "runs=2", "init=a.esp"}), data, {}), Error);
}

TEST(TransitionTrainer, TheModelIsOneOfTheEpochsWithFewerFeatures) {
  const TrainData data = toy_data();
  for (const char* recipe : {"recipe=beam", "recipe=greedy"}) {
    const Settings fewer = settings({recipe, "epochs=4", "refit=1", "min_updates=3"});
    const auto refitted = train(fewer, data, {});
    EXPECT_EQ(refitted.report.at("best_epoch"), 4) << recipe;
    const auto all = train(settings({recipe, "epochs=4", "min_updates=1"}), data, {});
    EXPECT_LT(bytes_of(*refitted.parser).size(), bytes_of(*all.parser).size()) << recipe;
  }
  EXPECT_THROW(train(settings({"recipe=beam", "epochs=4", "refit=4"}), data, {}), Error);
  EXPECT_THROW(train(settings({"recipe=beam", "refit=2", "init=a.esp"}), data, {}), Error);
}

TEST(TransitionTrainer, UnknownSettingsAreRefused) {
  EXPECT_THROW(train(settings({"recipe=beam", "bean=8"}), toy_data(), {}), Error);
  EXPECT_THROW(train(settings({"recipe=beam", "beam=0"}), toy_data(), {}), Error);
  EXPECT_THROW(train(settings({"recipe=beam", "system=arc-lazy"}), toy_data(), {}), Error);
}

}  // namespace
}  // namespace espalier
