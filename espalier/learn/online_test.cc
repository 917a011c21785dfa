#include "espalier/learn/online.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>

#include "espalier/base/error.h"
#include "espalier/learn/trainer.h"
#include "espalier/parser/pipeline.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

/// "Learns" by noting what it is shown; asks for an end at one of its calls.
class Recorder final : public OnlineLearner {
 public:
  explicit Recorder(std::atomic<bool>* stop = nullptr, size_t stop_at = 0) : stop_(stop), stop_at_(stop_at) {}

  size_t size() const override { return 10; }
  bool learn(size_t instance, int epoch) override {
    seen_ += std::to_string(epoch) + ":" + std::to_string(instance) + " ";
    if (stop_ && ++calls_ == stop_at_) *stop_ = true;
    return true;
  }
  std::unique_ptr<Parser> freeze() const override { return train_something(); }
  std::string save() const override { return seen_; }
  void restore(std::string_view state) override { seen_ = state; }

  const std::string& seen() const { return seen_; }

 private:
  /// Any parser that can be saved and loaded will do.
  static std::unique_ptr<Parser> train_something() {
    Settings settings;
    settings.set("recipe", "greedy");
    settings.set("epochs", "1");
    return train(settings, {toy_treebank(3, 1), {}}, {}).parser;
  }

  std::string seen_;
  std::atomic<bool>* stop_;
  size_t stop_at_, calls_ = 0;
};

std::string uninterrupted(int epochs) {
  Recorder learner;
  train_online(learner, epochs, "run", {}, {});
  return learner.seen();
}

class Online : public testing::Test {
 protected:
  TrainContext context(bool resume) {
    TrainContext context;
    context.checkpoint = folder_ / "checkpoint";
    context.resume = resume;
    context.stop = &stop_;
    return context;
  }

  TemporaryFolder folder_;
  std::atomic<bool> stop_ = false;
};

TEST_F(Online, OnlyFinishedEpochsCount) {
  for (const size_t cut_at : {1, 5, 9}) {
    // Stopped with the last instance of the second epoch: it is finished, and kept.
    Recorder first(&stop_, 20);
    EXPECT_EQ(train_online(first, 4, "run", {}, context(false)).report.at("epochs"), 2);
    // Stopped within the third: that one does not count, and the checkpoint is still the second's.
    stop_ = false;
    Recorder second(&stop_, cut_at);
    const Trained cut = train_online(second, 4, "run", {}, context(true));
    ASSERT_TRUE(cut.parser);
    EXPECT_EQ(cut.report.at("epochs"), 2) << cut_at;
    EXPECT_EQ(cut.report.at("curve").size(), 2u);
    stop_ = false;
    Recorder third;
    const Trained whole = train_online(third, 4, "run", {}, context(true));
    EXPECT_EQ(third.seen(), uninterrupted(4)) << cut_at;
    EXPECT_EQ(whole.report.at("curve").size(), 4u);
  }
}

TEST_F(Online, CutInTheFirstEpochThereIsAModelButNothingToResume) {
  Recorder cut(&stop_, 5);
  const Trained trained = train_online(cut, 4, "run", {}, context(false));
  EXPECT_TRUE(trained.parser);
  EXPECT_EQ(trained.report.at("epochs"), 0);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint"));
}

TEST_F(Online, StoppedBeforeItBeganThereIsNoModel) {
  stop_ = true;
  Recorder never;
  EXPECT_FALSE(train_online(never, 4, "run", {}, context(false)).parser);
  EXPECT_EQ(never.seen(), "");
}

TEST_F(Online, ACheckpointOfAnotherRunIsRefused) {
  Recorder cut(&stop_, 20);
  train_online(cut, 4, "run", {}, context(false));
  stop_ = false;
  Recorder other;
  EXPECT_THROW(train_online(other, 4, "other run", {}, context(true)), Error);
}

}  // namespace
}  // namespace espalier
