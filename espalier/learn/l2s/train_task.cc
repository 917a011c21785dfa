#include "espalier/learn/l2s/train_task.h"

#include <fmt/format.h>

#include "espalier/base/error.h"
#include "espalier/learn/trained.h"

namespace espalier {

TaskTraining::TaskTraining(SettingsReader& settings, const Defaults& defaults)
    : learner(LearnerOptions::from(settings, defaults.learner)),
      imitation(ImitationOptions::from(settings, defaults.imitation)) {
  const LearnerKind& kind = learner.kind();
  const std::string name =
      settings.choice("reduction", kind.predicts_costs ? "csoaa" : "weighted", {"csoaa", "weighted", "softmax"},
                      "how costs become examples of the base learner");
  if (!kind.predicts_costs && name == "csoaa") throw usage_error("learner={} needs reduction=weighted", learner.name);
  reduction = name == "csoaa"      ? Reduction::Kind::kOneAgainstAll
              : name == "weighted" ? Reduction::Kind::kWeighted
                                   : Reduction::Kind::kSoftmax;
  margin = settings.real<float>("margin", kind.passive ? 1 : 0, 0, 1000,
                                "reduction=weighted: how much more a wrong action must cost");
  epochs = settings.integer("epochs", defaults.epochs, 1, 1000, "passes over the training data");
  policy_passes = settings.integer("policy_passes", 1, 1, 1000, "policy_beta: passes per model");
  average = settings.integer("average", defaults.average, 0, 1000,
                             "samples of the weights per epoch that are averaged; 0 = no averaging");
  shuffle = settings.flag("shuffle", true, "shuffle the sentences before every epoch");
}

TaskTraining TaskTraining::seeded(uint64_t seed) const {
  TaskTraining options = *this;
  options.learner.seed = seed;
  return options;
}

size_t TaskLearner::learn(std::span<const size_t> batch, int) {
  prepare(batch.front());
  imitation_.train([this](Search& search) { run(search); });
  loss_ += imitation_.last_loss();
  if (options_.samples_after(in_epoch_++, size())) policies_.back()->sample_average(options_.average_window());
  if (in_epoch_ == size()) warn_if_diverging();
  return imitation_.last_loss() > 0;
}

void TaskLearner::warn_if_diverging() {
  // Measured: 0.3 to 4 in normal training, even on two sentences; 100 with rates ten times too large.
  constexpr double kWild = 100;
  if (warned_ || policies_.back()->error_over_variance() < kWild) return;
  warned_ = true;
  note_(
      fmt::format("{}: costs are predicted much worse than if their mean were; it seems to diverge, try a smaller rate",
                  options_.learner.name_and_rate()));
}

nlohmann::json TaskLearner::epoch_values() const {
  return {{"loss", loss_}, {"examples", imitation_.examples()}, {"collision_rate", policies_.back()->collision_rate()}};
}

void TaskLearner::archive(Archive& archive) {
  archive.value(in_epoch_);
  archive.value(loss_);
  imitation_.archive(archive);
  size_t count = policies_.size();
  archive.count(count, 1, options_.imitation.policy_beta > 0 ? static_cast<size_t>(options_.epochs) : 1);
  while (policies_.size() < count) add_policy();
  for (const auto& policy : policies_) policy->archive(archive);
}

}  // namespace espalier
