#include "espalier/learn/folds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <numeric>

#include "espalier/base/error.h"
#include "espalier/learn/progress.h"
#include "tests/temporary_folder.h"

namespace espalier {
namespace {

TEST(Folds, CoverEverythingOnceInOrder) {
  for (const size_t items : {0, 1, 2, 9, 10, 11, 1000}) {
    for (const int folds : {1, 2, 3, 10}) {
      size_t next = 0, least = items, most = 0;
      const auto blocks = contiguous_folds(items, folds);
      for (const Fold& fold : blocks) {
        EXPECT_EQ(fold.begin, next);
        next = fold.end;
        least = std::min(least, fold.end - fold.begin);
        most = std::max(most, fold.end - fold.begin);
      }
      EXPECT_EQ(next, items);
      EXPECT_LE(most - least, 1u);
      EXPECT_EQ(blocks.size(), std::clamp<size_t>(items, 1, static_cast<size_t>(folds)));
    }
  }
}

TEST(Folds, ScatteredBlocksComeFromAllOver) {
  for (const size_t items : {0, 1, 5, 23, 24, 25, 1000}) {
    std::vector<size_t> order = scattered_order(items, 3);
    if (items == 1000) {
      // Eight pieces, each followed by two of the other blocks.
      const auto block = contiguous_folds(items, 3)[0];
      for (size_t i = 0; i < 8; ++i)
        EXPECT_TRUE(std::any_of(order.begin(), order.begin() + static_cast<long>(block.end),
                                [&](size_t item) { return item * 8 / items == i; }));
    }
    std::ranges::sort(order);
    ASSERT_EQ(order.size(), items);
    for (size_t i = 0; i < items; ++i) EXPECT_EQ(order[i], i);
  }
}

TEST(Folds, InsideAndOutsideMakeTheWhole) {
  std::vector<Sentence> sentences(7);
  for (size_t i = 0; i < sentences.size(); ++i) sentences[i].line = static_cast<long>(i);
  for (const Fold& fold : contiguous_folds(sentences.size(), 3)) {
    const auto held_out = inside(sentences, fold);
    const auto rest = outside(sentences, fold).train;
    EXPECT_EQ(held_out.size() + rest.size(), sentences.size());
    for (const Sentence& s : held_out) EXPECT_TRUE(s.line >= long(fold.begin) && s.line < long(fold.end));
    for (const Sentence& s : rest) EXPECT_FALSE(s.line >= long(fold.begin) && s.line < long(fold.end));
  }
}

TEST(Folds, ResultsInOrderOnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    TrainContext context;
    context.threads = threads;
    size_t shown = 0;
    context.progress = [&](const Progress& progress) {
      EXPECT_EQ(progress.done, ++shown);
      EXPECT_EQ(progress.epoch_end, progress.done == 4);
    };
    const auto results =
        run_folds(4, "test", "", context, [](size_t fold, const TrainContext&) { return std::to_string(fold); });
    EXPECT_EQ(results, (std::vector<std::string>{"0", "1", "2", "3"}));
    EXPECT_EQ(shown, 4u);
  }
}

TEST(Folds, ResumeTakesUpFinishedOnesOfTheSameRun) {
  const TemporaryFolder folder;
  std::atomic<bool> stop = false;
  TrainContext context;
  context.checkpoint = folder / "m.esp.checkpoint";
  context.stop = [&] { return stop.load(); };
  int runs = 0;
  const FoldJob job = [&](size_t fold, const TrainContext& own) {
    ++runs;
    EXPECT_NE(own.checkpoint, context.checkpoint);
    if (own.stopping()) throw stopped_without_model();
    return "result " + std::to_string(fold);
  };
  context.progress = [&](const Progress& progress) { stop = progress.done == 2; };
  EXPECT_THROW(run_folds(4, "test", "run", context, job), Error);
  EXPECT_EQ(runs, 2);

  stop = false;
  context.progress = [](const Progress&) {};
  context.resume = true;
  runs = 0;
  EXPECT_EQ(run_folds(4, "test", "run", context, job)[1], "result 1");
  EXPECT_EQ(runs, 2);
  EXPECT_THROW(run_folds(4, "test", "other run", context, job), Error);
}

TEST(Folds, MadeElsewhereTheyAreTheSame) {
  const TemporaryFolder folder;
  const FoldJob job = [](size_t fold, const TrainContext& own) {
    // What a fold is made of is its own business.
    EXPECT_FALSE(own.make_parts || !own.only_part.empty());
    return "result " + std::to_string(fold);
  };
  TrainContext here;
  here.checkpoint = folder / "m.esp.checkpoint";
  size_t asked = 0;
  here.make_parts = [&](const std::vector<std::string>& files) {
    asked += files.size();
    for (const std::string& file : files) {
      TrainContext there;
      there.checkpoint = here.checkpoint;
      there.only_part = file;
      EXPECT_THROW(run_folds(3, "test", "run", there, job), OnlyPartDone);
      // Others are none of its business.
      there.only_part = folder / "another";
      EXPECT_EQ(run_folds(3, "other", "run", there, job).size(), 3u);
    }
  };
  const FoldJob never = [](size_t, const TrainContext&) -> std::string { throw usage_error("trained here"); };
  const std::vector<std::string> expected = {"result 0", "result 1", "result 2"};
  EXPECT_EQ(run_folds(3, "test", "run", here, never), expected);
  EXPECT_EQ(asked, 3u);
  here.resume = true;
  EXPECT_EQ(run_folds(3, "test", "run", here, never), expected);
  EXPECT_EQ(asked, 3u);
}

}  // namespace
}  // namespace espalier
