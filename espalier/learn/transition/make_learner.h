// Makes the learner of a transition system, without including its template (transition_learner.h).
#pragma once

#include <memory>
#include <vector>

#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/transition/transition_options.h"

namespace espalier {

/// For the systems of parser/transition/transition_systems.h.
template <class Space>
std::unique_ptr<RankingLearner> make_transition_learner(const TransitionOptions& options,
                                                        const std::vector<Sentence>& treebank,
                                                        const TrainContext& context);

}  // namespace espalier
