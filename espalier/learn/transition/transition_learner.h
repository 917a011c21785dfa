// The learner of a transition system. A template over the system; learn_dynamic_oracle.cc and learn_static_oracle.cc
// instantiate it.
#pragma once

#include "espalier/learn/sequential/beam_learner.h"
#include "espalier/learn/transition/greedy_learner.h"
#include "espalier/learn/transition/make_learner.h"

namespace espalier {

template <class Space>
std::unique_ptr<RankingLearner> make_transition_learner(const TransitionOptions& options,
                                                        const std::vector<Sentence>& treebank,
                                                        const TrainContext& context) {
  auto corpus = read_transition_corpus<Space>(options, treebank, context);
  if (options.beam == 1) return std::make_unique<GreedyLearner<Space>>(options, std::move(corpus));
  return std::make_unique<BeamLearner<TransitionFamily<Space>>>(options, std::move(corpus));
}

}  // namespace espalier
