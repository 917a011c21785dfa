// Learners of the transition systems with a dynamic oracle. Two to a file, since compiling takes long.
#include "espalier/learn/transition/transition_learner.h"

namespace espalier {

template std::unique_ptr<RankingLearner> make_transition_learner<ArcEager>(const TransitionOptions&,
                                                                           const std::vector<Sentence>&,
                                                                           const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcHybrid>(const TransitionOptions&,
                                                                            const std::vector<Sentence>&,
                                                                            const TrainContext&);

}  // namespace espalier
