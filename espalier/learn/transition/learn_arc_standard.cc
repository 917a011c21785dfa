#include "espalier/learn/transition/transition_learner.h"

namespace espalier {

template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandard, TemplateFeatures<RichStandard>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandard, TemplateFeatures<FastStandard>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcStandard, TemplateFeatures<ZhangNivreStandard>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);

}  // namespace espalier
