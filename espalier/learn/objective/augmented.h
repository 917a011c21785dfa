// Augmented-loss training (Hall, McDonald, Katz-Brown & Ringgaard 2011): a learner of any kind that, beside its
// treebank, is corrected by other objectives. Of the k best analyses that the weights of now give for a sentence of an
// objective, the one that costs least is preferred to the first, if the first costs more. Tested by augmented_test.cc.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "espalier/learn/objectives.h"
#include "espalier/learn/online.h"

namespace espalier {

/// A learner whose weights can be asked for lists while they learn, and be moved from one candidate towards another.
class RankingLearner : public OnlineLearner {
 public:
  /// By the weights of now, which must not change while the list grows. The sentence must stay.
  virtual KBestList list(const Sentence& sentence) = 0;
  /// Moves the weights so that `better` comes nearer to, or ahead of, `worse`; both are candidates of the last list.
  /// `margin`: how many words' worth it should be ahead. True if anything changed.
  virtual bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin,
                      bool own_step) = 0;
  /// Counts an instance that is not the treebank's, for averaging.
  virtual void tick() = 0;
};

/// train_online with objectives, if there are any.
Trained train_augmented(RankingLearner& learner, const Objectives& objectives, int epochs, const std::string& identity,
                        const TrainData& data, const TrainContext& context);

}  // namespace espalier
