#include "espalier/learn/online.h"

#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <set>

#include "espalier/base/error.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

/// "Learns" by noting what it is shown; asks for an end at one of its calls. The second of its epochs is the best.
class Recorder final : public OnlineLearner {
 public:
  explicit Recorder(size_t batch = 1, std::atomic<bool>* stop = nullptr, size_t stop_at = 0)
      : batch_(batch), stop_(stop), stop_at_(stop_at) {}

  size_t size() const override { return 10; }
  size_t batch() const override { return batch_; }
  void begin_epoch(int epoch) override {
    in_epoch_ = 0;
    epoch_ = epoch;
  }
  size_t learn(std::span<const size_t> instances, int epoch) override {
    EXPECT_LE(instances.size(), batch_);
    for (const size_t instance : instances) seen_ += std::to_string(epoch) + ":" + std::to_string(instance) + " ";
    seen_ += "| ";
    in_epoch_ += instances.size();
    if (stop_ && ++calls_ == stop_at_) *stop_ = true;
    return 1;
  }
  nlohmann::json epoch_values() const override { return {{"seen", in_epoch_}}; }
  std::unique_ptr<Parser> freeze() const override {
    // Any parser that can be saved and loaded will do.
    Settings settings;
    settings.set("recipe", "greedy");
    settings.set("epochs", "1");
    return train(settings, {toy_treebank(3, 1), {}}, {}).parser;
  }
  DevScore score(const Parser&, const std::vector<Sentence>&, int) override {
    return {epoch_ == 2 ? 1.0 : 0.0, {{"own", epoch_}}};
  }
  void archive(Archive& archive) override {
    archive.array(seen_);
    archive.value(in_epoch_);
    archive.value(epoch_);
  }

  const std::string& seen() const { return seen_; }

 private:
  size_t batch_;
  std::string seen_;
  size_t in_epoch_ = 0;
  int epoch_ = 0;
  std::atomic<bool>* stop_;
  size_t stop_at_, calls_ = 0;
};

constexpr int kEpochs = 3;

class Online : public ::testing::Test {
 protected:
  TrainContext context(bool resume) {
    TrainContext context;
    context.checkpoint = folder_ / "checkpoint";
    context.resume = resume;
    context.stop = [&] { return stop_.load(); };
    return context;
  }

  const TrainData data_{{}, toy_treebank(2, 1)};
  TemporaryFolder folder_;
  std::atomic<bool> stop_ = false;
};

TEST_F(Online, StoppedAnywhereItGoesOnAsIfNothingHadHappened) {
  for (const size_t batch : {1, 4}) {
    Recorder whole(batch);
    const Trained trained = train_online(whole, kEpochs, "run", data_, {});
    const size_t calls = (whole.size() + batch - 1) / batch;
    for (size_t at = 1; at < kEpochs * calls; ++at) {
      std::filesystem::remove(folder_ / "checkpoint");
      stop_ = false;
      Recorder first(batch, &stop_, at);
      const Trained cut = train_online(first, kEpochs, "run", data_, context(false));
      EXPECT_TRUE(cut.stopped);
      EXPECT_EQ(cut.report.at("epochs"), at / calls);
      EXPECT_EQ(cut.report.at("curve").size(), at / calls);
      EXPECT_EQ(cut.parser != nullptr, at >= calls) << "only finished epochs make a model";
      stop_ = false;
      Recorder second(batch);
      const Trained resumed = train_online(second, kEpochs, "run", data_, context(true));
      EXPECT_FALSE(resumed.stopped);
      EXPECT_EQ(second.seen(), whole.seen()) << batch << " " << at;
      EXPECT_EQ(resumed.report.dump(), trained.report.dump()) << batch << " " << at;
    }
  }
}

TEST_F(Online, TheLearnersOwnScoreChoosesTheEpoch) {
  Recorder learner;
  const Trained trained = train_online(learner, kEpochs, "run", data_, {});
  EXPECT_EQ(trained.report.at("best_epoch"), 2);
  EXPECT_EQ(trained.report.at("dev").at("own"), 2);
  EXPECT_EQ(trained.report.at("curve")[2], nlohmann::json({{"updates", 10}, {"seen", 10}, {"dev", {{"own", 3}}}}));
  Recorder without;
  EXPECT_EQ(train_online(without, kEpochs, "run", {}, {}).report.at("best_epoch"), kEpochs);
}

TEST_F(Online, StoppedAtTheVeryEndItIsDone) {
  Recorder learner(1, &stop_, kEpochs * 10);
  const Trained trained = train_online(learner, kEpochs, "run", data_, context(false));
  EXPECT_FALSE(trained.stopped);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "checkpoint"));
}

TEST_F(Online, StoppedBeforeItBeganThereIsNoModel) {
  stop_ = true;
  Recorder never;
  const Trained trained = train_online(never, 4, "run", {}, context(false));
  EXPECT_TRUE(trained.stopped);
  EXPECT_FALSE(trained.parser);
  EXPECT_EQ(never.seen(), "");
}

TEST_F(Online, ACheckpointOfAnotherRunIsRefused) {
  Recorder cut(1, &stop_, 15);
  train_online(cut, 4, "run", {}, context(false));
  stop_ = false;
  Recorder other;
  EXPECT_THROW(train_online(other, 4, "other run", {}, context(true)), Error);
}

TEST(ShuffledOnward, EveryEpochShufflesTheOneBefore) {
  std::set<std::vector<size_t>> orders;
  for (int epoch = 1; epoch <= 5; ++epoch) {
    auto order = shuffled_order(20, epoch, 1);
    EXPECT_EQ(order, shuffled_order(20, epoch, 1));
    EXPECT_NE(order, shuffled_order(20, epoch, 2));
    orders.insert(order);
    std::ranges::sort(order);
    for (size_t i = 0; i < order.size(); ++i) EXPECT_EQ(order[i], i);
  }
  EXPECT_EQ(orders.size(), 5u);
}

}  // namespace
}  // namespace espalier
