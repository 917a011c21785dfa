#include "espalier/learn/transition/transition_learner.h"

namespace espalier {

template std::unique_ptr<RankingLearner> make_transition_learner<ArcHybrid, TemplateFeatures<RichHybrid>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcHybrid, TemplateFeatures<FastHybrid>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcHybrid, TemplateFeatures<ZhangNivreHybrid>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);

}  // namespace espalier
