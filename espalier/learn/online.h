// The driver of all online learners: epochs over shuffled instances, a score on dev after each, the best epoch kept,
// checkpoints, and an early but orderly end when the user asks for it. Tested by online_test.cc.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "espalier/learn/trainer.h"

namespace espalier {

/// A learner that sees one instance at a time. It must not depend on anything but the sequence of calls, so that a run
/// that was stopped and resumed ends with the same model as one that was not.
class OnlineLearner {
 public:
  virtual ~OnlineLearner() = default;
  virtual size_t size() const = 0;  ///< number of instances
  /// Learns from one instance; true if anything changed. `epoch` is 1-based.
  virtual bool learn(size_t instance, int epoch) = 0;
  /// The parser with the weights of now (averaged).
  virtual std::unique_ptr<Parser> freeze() const = 0;
  virtual std::string save() const = 0;
  virtual void restore(std::string_view state) = 0;
};

/// Runs `epochs` epochs. `identity` says what is being trained; a checkpoint of something else is refused.
Trained train_online(OnlineLearner& learner, int epochs, const std::string& identity, const TrainData& data,
                     const TrainContext& context);

}  // namespace espalier
