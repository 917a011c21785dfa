// The driver of learners with epochs: shuffled instances, in batches if the learner wants them, dev scores, the best
// epoch, checkpoints, and an orderly end on request, also in the middle of an epoch. It also runs arc filters and
// rankers, whose results are no parsers. Tested by online_test.cc and
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

/// A learner that gets some instances at a time. It must depend on the sequence of calls only, so that a run that was
/// stopped and resumed ends with the same model as one that was not.
class OnlineLearner {
 public:
  virtual ~OnlineLearner() = default;
  virtual size_t size() const = 0;  ///< number of instances
  /// The size of batches; the last one of an epoch may be smaller.
  virtual size_t batch() const { return 1; }
  /// The order of an epoch (1-based): all of 0..size()-1. By default shuffled for each.
  virtual std::vector<size_t> order(int epoch, uint64_t seed) const;

  /// Called when an epoch begins: resets counts per epoch. Not called when an epoch is resumed in its middle.
  virtual void begin_epoch(int /*epoch*/) {}
  /// True if the model loses features before this epoch: those of earlier epochs can then no longer be the best one.
  virtual bool begins_other_model(int /*epoch*/) const { return false; }
  /// Learns from these instances in this order; returns how many of them changed the weights.
  virtual size_t learn(std::span<const size_t> instances, int epoch) = 0;
  /// Whether `learn` can be cancelled at its searches' stop points (base/stop_point.h): it then throws with its state
  /// unchanged, or continues from there when it is called again. Others are stopped between batches.
  virtual bool can_cancel() const { return false; }
  /// Called after all instances of an epoch. Learners whose result is no parser score themselves here.
  virtual void end_epoch() {}
  /// Values of the epoch's report beside "updates" and "dev".
  virtual nlohmann::json epoch_values() const;

  /// The parser with the current weights (averaged); null for learners whose result is no parser.
  virtual std::unique_ptr<Parser> freeze() const = 0;
  /// The score of the current state, of which `frozen` was made; the epoch with the highest value is kept.
  virtual DevScore score(const Parser& frozen, const std::vector<Sentence>& dev, int threads);

  /// Saves or restores everything that learning changes. A learner that restores must be new.
  virtual void archive(Archive& archive) = 0;
};

/// The order of an epoch: each epoch shuffles the order before, with one stream of random numbers.
std::vector<size_t> shuffled_order(size_t size, int epoch, uint64_t seed, std::string_view stream = "shuffle");

/// Runs `epochs` epochs. `identity` names the run; a checkpoint of another run is refused. On a request to stop, the
/// state is kept for --resume, and the best of the finished epochs is returned (no parser, if there is
/// none).
Trained train_online(OnlineLearner& learner, int epochs, const std::string& identity, const TrainData& data,
                     const TrainContext& context);

}  // namespace espalier
