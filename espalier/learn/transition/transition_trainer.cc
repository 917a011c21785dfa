#include "espalier/learn/transition/transition_trainer.h"

#include "espalier/learn/identity.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/transition/make_learner.h"

namespace espalier {

void TransitionOptions::read_init(const std::string& file) {
  if (file.empty()) return;
  init = warm_start_model(file, "greedy or beam", model_of<TransitionModel>);
  check_same(file, "system", system, init->system);
  check_same(file, "features", features, init->features);
  check_same(file, "direction", name_of(direction), name_of(init->direction));
}

TrainFunction configure_transition(SettingsReader& reader) {
  const TransitionOptions options = TransitionOptions::from(reader);
  const Objectives objectives = Objectives::from(reader);
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    const auto learner = with_transition_system(
        options.system, [&]<class Space>() { return make_transition_learner<Space>(options, data.train, context); });
    return train_augmented(*learner, objectives, options.runs.all_epochs(), run_identity(settings, data, context.seed),
                           data, context);
  };
}

}  // namespace espalier
