#include "espalier/learn/transition/transition_learner.h"

namespace espalier {

template std::unique_ptr<RankingLearner> make_transition_learner<ArcEager, TemplateFeatures<RichEager>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcEager, TemplateFeatures<FastEager>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcEager, TemplateFeatures<ZhangNivreEager>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);
template std::unique_ptr<RankingLearner> make_transition_learner<ArcEager, TemplateFeatures<HallEager>>(
    const TransitionOptions&, const std::vector<Sentence>&, const TrainContext&);

}  // namespace espalier
