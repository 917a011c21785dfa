#include "espalier/learn/transition/transition_trainer.h"

#include "espalier/learn/identity.h"
#include "espalier/learn/transition/make_learner.h"

namespace espalier {

void TransitionOptions::read_init(const std::string& file) {
  if (file.empty()) return;
  const auto parser = load_parser(file);
  const TransitionModel* model = transition_model(*parser);
  if (!model) throw usage_error("init={}: there is no parser of recipe greedy or beam in it to go on from", file);
  const auto same = [&](std::string_view what, const std::string& own, const std::string& theirs) {
    if (own != theirs)
      throw usage_error("init={0}: its {1} is {2}, and that of the recipe is {3}: --set {1}={2} goes on from it", file,
                        what, theirs, own);
  };
  same("system", system, model->system);
  same("features", features, model->features);
  same("direction", name_of(direction), name_of(model->direction));
  init = std::make_shared<const TransitionModel>(*model);  // shares the weights
}

TrainFunction configure_transition(SettingsReader& reader) {
  const TransitionOptions options = TransitionOptions::from(reader);
  const Objectives objectives = Objectives::from(reader);
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    const auto learner = with_transition_system(options.system, options.features, [&]<class Space, class Features>() {
      return make_transition_learner<Space, Features>(options, data.train, context);
    });
    return train_augmented(*learner, objectives, options.epochs, run_identity(settings, data, context.seed), data,
                           context);
  };
}

}  // namespace espalier
