// The driver of parsers that learn in epochs: shuffled instances, in batches if the learner wants them, dev scores, the
// best epoch kept, checkpoints, and an orderly end when the user asks for it, in the middle of an epoch too. Arc
// filters and rankers, which are no parsers, are driven by it as well. Tested by online_test.cc and
// tests/contract/trainer_test.cc.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/trainer.h"

namespace espalier {

/// A learner that sees some instances at a time. It must not depend on anything but the sequence of calls, so that a
/// run that was stopped and resumed ends with the same model as one that was not.
class OnlineLearner {
 public:
  virtual ~OnlineLearner() = default;
  virtual size_t size() const = 0;  ///< number of instances
  /// How many instances it takes at a time; the last batch of an epoch may be smaller.
  virtual size_t batch() const { return 1; }
  /// The order of an epoch (1-based): all of 0..size()-1. By default shuffled for each.
  virtual std::vector<size_t> order(int epoch, uint64_t seed) const;

  /// An epoch begins: what is counted per epoch starts from zero. Not called when one is resumed in its middle.
  virtual void begin_epoch(int /*epoch*/) {}
  /// Learns from these instances in this order; how many of them changed anything.
  virtual size_t learn(std::span<const size_t> instances, int epoch) = 0;
  /// Whether `learn` can be cancelled at its searches' stop points (base/stop_point.h): it then throws with everything
  /// as it was, or continues from there when it is called again. Others are asked between batches.
  virtual bool can_cancel() const { return false; }
  /// All instances of an epoch have been learned from. Learners whose result is no parser score themselves here.
  virtual void end_epoch() {}
  /// What the epoch's report says beside "updates" and "dev".
  virtual nlohmann::json epoch_values() const;

  /// The parser with the current weights (averaged); null for learners whose result is no parser.
  virtual std::unique_ptr<Parser> freeze() const = 0;
  /// How good the present state is, of which `frozen` was made; the epoch with the highest value is kept.
  virtual DevScore score(const Parser& frozen, const std::vector<Sentence>& dev, int threads);

  /// Saves or restores everything that learning changes. A learner that restores has learned nothing yet.
  virtual void archive(Archive& archive) = 0;
};

/// The order of an epoch: each epoch shuffles the order before, with one stream of random numbers.
std::vector<size_t> shuffled_order(size_t size, int epoch, uint64_t seed, std::string_view stream = "shuffle");

/// Runs `epochs` epochs. `identity` says what is being trained; a checkpoint of something else is refused. If it is
/// asked to stop, everything so far is kept for --resume, and the best of the finished epochs is returned (no parser,
/// if there is none).
Trained train_online(OnlineLearner& learner, int epochs, const std::string& identity, const TrainData& data,
                     const TrainContext& context);

}  // namespace espalier
