// Learners of the transition systems with a static oracle alone. Two to a file, since compiling takes long.
#include "espalier/learn/transition/transition_learner.h"

namespace espalier {

template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandard>(const TransitionOptions&,
                                                                              const std::vector<Sentence>&,
                                                                              const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandardSwap>(const TransitionOptions&,
                                                                                  const std::vector<Sentence>&,
                                                                                  const TrainContext&);

}  // namespace espalier
