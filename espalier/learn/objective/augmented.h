// Augmented-loss training (Hall, McDonald, Katz-Brown & Ringgaard 2011): a learner of any kind that, beside its
// treebank, is corrected by other objectives. Of the k best analyses of an objective's sentence under the current
// weights, the one that costs least is preferred to the first, if the first costs more. Sentences of the treebank in
// which only some words have heads are learned from in the same way: the best tree that has these heads is preferred to
// the best of all. Tested by augmented_test.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/learn/objective/objectives.h"
#include "espalier/learn/online.h"
#include "espalier/tree/constraints.h"

namespace espalier {

/// A learner whose weights can be asked for lists while they learn, and be moved from one candidate towards another.
class RankingLearner : public OnlineLearner {
 public:
  /// Uses the current weights; do not update them while the list is being extended. The sentence must outlive the list.
  /// `labels`: the list holds trees that differ in labels alone, too.
  virtual KBestList list(const Sentence& sentence, bool labels) = 0;
  /// Whether it can search for trees with given arcs,
  virtual bool can_constrain() const { return false; }
  /// and the best that it finds; nothing if there is none.
  virtual std::vector<Candidate> best_given(const Sentence&, const Constraints&) { return {}; }
  /// Moves the weights so that `better` comes nearer to, or ahead of, `worse`; both are candidates of these weights.
  /// `margin`: how many words' worth it should be ahead. True if anything changed.
  virtual bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin,
                      bool own_step) = 0;
  /// Counts an instance that is not the treebank's, for averaging.
  virtual void tick() = 0;
};

/// train_online with objectives and partial trees, if there are any.
Trained train_augmented(RankingLearner& learner, const Objectives& objectives, int epochs, const std::string& identity,
                        const TrainData& data, const TrainContext& context);

}  // namespace espalier
