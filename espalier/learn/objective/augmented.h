// Augmented-loss training (Hall, McDonald, Katz-Brown & Ringgaard 2011): a learner of any kind that is also corrected
// by other objectives than its treebank. Among the k best analyses of an objective's sentence under the current
// weights, the cheapest is preferred to the first, if the first costs more. Treebank sentences in which only some words
// have heads are learned from in the same way: the best tree with these heads is preferred to the best of all. Tested
// by augmented_test.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/learn/objective/objectives.h"
#include "espalier/learn/online.h"
#include "espalier/tree/constraints.h"

namespace espalier {

/// A learner that a loss of whole analyses can correct.
class LearnsByLoss {
 public:
  virtual ~LearnsByLoss() = default;
  /// Learns from a sentence of an objective; sets `cost` to that of the analysis by the current weights. True if the
  /// weights changed.
  virtual bool learn_by(const Sentence& sentence, const Objective& objective, double& cost) = 0;
  /// Whether it can search for trees with given arcs.
  virtual bool can_constrain() const { return false; }
  /// Counts an instance that is not the treebank's, for averaging.
  virtual void tick() {}
};

/// A learner that can list candidates by its current weights, and move the weights from one candidate towards another.
class RankingLearner : public OnlineLearner, public LearnsByLoss {
 public:
  bool learn_by(const Sentence& sentence, const Objective& objective, double& cost) final;

  /// Uses the current weights; do not update them while the list is being extended. The sentence must outlive the list.
  /// `labels`: the list holds trees that differ in labels alone, too.
  virtual KBestList list(const Sentence& sentence, bool labels) = 0;
  /// The best candidate with given arcs; empty if there is none.
  virtual std::vector<Candidate> best_given(const Sentence&, const Constraints&) { return {}; }
  /// Moves the weights in favour of `better` against `worse`; both are candidates by the current weights. `margin`: how
  /// far `better` should be ahead, in words. True if the weights changed.
  virtual bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin,
                      bool own_step) = 0;

 private:
  bool rank(const Sentence& sentence, const Objective& objective, double& cost);
  bool force(const Sentence& sentence, const Objective& objective, double& cost);
};

/// train_online with objectives and partial trees, if there are any. `by_loss` is the learner, too.
Trained train_augmented(OnlineLearner& learner, LearnsByLoss& by_loss, const Objectives& objectives, int epochs,
                        const std::string& identity, const TrainData& data, const TrainContext& context);
Trained train_augmented(RankingLearner& learner, const Objectives& objectives, int epochs, const std::string& identity,
                        const TrainData& data, const TrainContext& context);

}  // namespace espalier
