#include "espalier/learn/online.h"

#include <algorithm>
#include <chrono>
#include <numeric>

#include "espalier/base/rng.h"
#include "espalier/base/stop_point.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

using Clock = std::chrono::steady_clock;
// The weights of a large model are gigabytes: checkpoints may take 1/20 of the time, so short runs write none.
constexpr int kRestraint = 20;
constexpr auto kBetweenCheckpoints = std::chrono::minutes(1);
constexpr size_t kBetweenNews = 256;  // instances between reports of progress

class Driver {
 public:
  Driver(OnlineLearner& learner, int epochs, const std::string& identity, const TrainData& data,
         const TrainContext& context)
      : learner_(learner), epochs_(epochs), data_(data), context_(context), checkpoint_(context, identity) {
    resume();
  }

  Trained run() {
    bool stopped = false;
    while (epoch_ <= epochs_ && !stopped) {
      stopped = !run_epoch() || !end_epoch();
    }
    if (stopped) keep();
    Trained trained{std::move(parser_), {{"epochs", epoch_ - 1}, {"best_epoch", best_epoch_}, {"curve", curve_}}};
    if (!data_.dev.empty()) trained.report["dev"] = best_.details;
    trained.stopped = stopped;
    return trained;
  }

 private:
  /// False if it was asked to stop before the epoch's end.
  bool run_epoch() {
    const std::vector<size_t> order = learner_.order(epoch_, context_.seed);
    if (done_ == 0) learner_.begin_epoch(epoch_);
    while (done_ < order.size()) {
      if (context_.stopping()) return false;
      const size_t count = std::min(learner_.batch(), order.size() - done_);
      try {
        const StopScope scope(learner_.can_cancel() ? StopScope::current() : nullptr);
        updates_ += learner_.learn(std::span(order).subspan(done_, count), epoch_);
      } catch (const Stopped&) {
        return false;
      } catch (...) {  // such as a program as loss that died: keep the work so far
        keep();
        throw;
      }
      const size_t before = std::exchange(done_, done_ + count);
      if (before / kBetweenNews == done_ / kBetweenNews) continue;
      context_.progress(news(false, {{"updates", updates_}}));
      keep_if_due();
    }
    return true;
  }

  /// False if it was asked to stop while it scored the epoch.
  bool end_epoch() {
    learner_.end_epoch();
    auto parser = learner_.freeze();
    const bool judged = parser && !data_.dev.empty();
    DevScore score;
    try {
      if (judged) score = learner_.score(*parser, data_.dev, context_.threads);
    } catch (const Stopped&) {
      return false;
    }
    nlohmann::json told = learner_.epoch_values();
    told["updates"] = updates_;
    if (judged) told["dev"] = score.details;
    context_.progress(news(true, told));
    curve_.push_back(std::move(told));
    // Without dev data the last epoch is the best.
    if (best_epoch_ == 0 || !judged || learner_.begins_other_model(epoch_) || score.value > best_.value) {
      parser_ = std::move(parser);
      best_ = score;
      best_epoch_ = epoch_;
    }
    ++epoch_;
    done_ = updates_ = 0;
    if (epoch_ <= epochs_) keep_if_due();
    return true;
  }

  Progress news(bool epoch_end, nlohmann::json values) const {
    return {"train", epoch_, epochs_, done_, learner_.size(), epoch_end, std::move(values)};
  }

  void keep_if_due() {
    if (!checkpoint_.wanted() ||
        Clock::now() - kept_at_ < std::max<Clock::duration>(kBetweenCheckpoints, kRestraint * keeping_took_))
      return;
    const auto begin = Clock::now();
    keep();
    kept_at_ = Clock::now();
    keeping_took_ = kept_at_ - begin;
  }

  void keep() {
    if (!checkpoint_.wanted()) return;
    ModelWriter writer;
    writer.metadata = {{"epoch", epoch_},
                       {"done", done_},
                       {"updates", updates_},
                       {"best_epoch", best_epoch_},
                       {"best_value", best_.value},
                       {"best_details", best_.details},
                       {"curve", curve_}};
    if (parser_) writer.metadata["best"] = save_part(*parser_, writer, "best/");
    writer.add("learner", state_of(learner_));
    checkpoint_.write(std::move(writer));
  }

  void resume() {
    const auto kept = checkpoint_.open();
    if (!kept) return;
    read_kept(*kept, [&](const nlohmann::json& m) {
      for (const char* number : {"epoch", "done", "updates", "best_epoch"})
        if (!m.at(number).is_number_integer())  // what 1e300 becomes as an integer is undefined
          throw data_error(kept->name(), 0, "the checkpoint is damaged ({} is no whole number)", number);
      epoch_ = m.at("epoch");
      done_ = m.at("done");
      updates_ = m.at("updates");
      best_epoch_ = m.at("best_epoch");
      best_ = {m.at("best_value"), m.at("best_details")};
      curve_ = m.at("curve");
      if (m.contains("best")) parser_ = load_part({kept, m.at("best"), "best/"});
    });
    // Epochs between the first and the one after the last, of which the best is one if there is a model.
    if (epoch_ < 1 || epoch_ > epochs_ + 1 || done_ > learner_.size() || best_epoch_ < 0 || best_epoch_ >= epoch_)
      throw data_error(kept->name(), 0, "the checkpoint is damaged (epoch {}, instance {})", epoch_, done_);
    const auto bytes = kept->array<char>("learner");
    restore_state(learner_, {bytes.data(), bytes.size()});
  }

  OnlineLearner& learner_;
  const int epochs_;
  const TrainData& data_;
  const TrainContext& context_;
  const Checkpoint checkpoint_;

  int epoch_ = 1;  // the current one
  size_t done_ = 0, updates_ = 0;
  int best_epoch_ = 0;
  DevScore best_;
  std::unique_ptr<Parser> parser_;  // of the best epoch
  nlohmann::json curve_ = nlohmann::json::array();

  Clock::time_point kept_at_ = Clock::now();
  Clock::duration keeping_took_{0};
};

std::vector<size_t> in_file_order(size_t size) {
  std::vector<size_t> order(size);
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

}  // namespace

std::vector<size_t> OnlineLearner::order(int epoch, uint64_t seed) const {
  std::vector<size_t> order = in_file_order(size());
  Rng(seed + static_cast<uint64_t>(epoch) * 0x10001, "shuffle").shuffle(order);
  return order;
}

nlohmann::json OnlineLearner::epoch_values() const { return nlohmann::json::object(); }

DevScore OnlineLearner::score(const Parser& frozen, const std::vector<Sentence>& dev, int threads) {
  return score_on_dev(frozen, dev, threads);
}

std::vector<size_t> shuffled_order(size_t size, int epoch, uint64_t seed, std::string_view stream) {
  std::vector<size_t> order = in_file_order(size);
  Rng rng(seed, stream);
  for (int e = 1; e <= epoch; ++e) rng.shuffle(order);
  return order;
}

Trained train_online(OnlineLearner& learner, int epochs, const std::string& identity, const TrainData& data,
                     const TrainContext& context) {
  return Driver(learner, epochs, identity, data, context).run();
}

}  // namespace espalier
