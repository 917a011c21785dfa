#include "espalier/learn/transition/transition_learner.h"

namespace espalier {

template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandardSwap, TemplateFeatures<RichStandard>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandardSwap, TemplateFeatures<FastStandard>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandardSwap, TemplateFeatures<ZhangNivreStandard>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);

}  // namespace espalier
