#include "espalier/app/train_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.h"
#include "espalier/base/hash.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/parser/l2s/imperative_parser.h"

namespace espalier {

struct TaskSearch::Scratch {
  explicit Scratch(std::vector<int> actions_in) : actions(std::move(actions_in)) {
    if (actions.empty()) throw usage_error("a task needs at least one learner");
    for (const int count : actions)
      if (count < 1) throw usage_error("a learner needs at least one action");
    all.resize(static_cast<size_t>(*std::ranges::max_element(actions)));
    std::iota(all.begin(), all.end(), 0);
  }
  /// The allowed actions of a decision that makes sense.
  std::span<const int> check(const TaskDecision& decision) const {
    if (decision.learner < 0 || decision.learner >= static_cast<int>(actions.size()))
      throw usage_error("there is no learner {}: the task has {}", decision.learner, actions.size());
    const int count = actions[static_cast<size_t>(decision.learner)];
    const auto allowed = decision.allowed.empty() ? std::span(all).first(static_cast<size_t>(count)) : decision.allowed;
    if (!std::ranges::is_sorted(allowed, std::ranges::less_equal{}) || allowed.front() < 0 || allowed.back() >= count)
      throw usage_error("allowed actions must ascend from 0 to {} at most", count - 1);
    if (!decision.costs.empty() && decision.costs.size() != allowed.size())
      throw usage_error("{} costs for {} allowed actions", decision.costs.size(), allowed.size());
    if (std::ranges::any_of(decision.costs, [](float cost) { return !(cost >= 0) || !std::isfinite(cost); }))
      throw usage_error("costs are numbers that are not negative");
    return allowed;
  }

  std::vector<int> actions, all;  // per learner how many; 0, 1, 2, ...
  FeatureBag bag;
};

int TaskSearch::predict(const TaskDecision& decision) {
  const std::span<const int> allowed = scratch_.check(decision);
  scratch_.bag.clear();
  std::ranges::copy(decision.features, scratch_.bag.extend(decision.features.size()));
  const Reference reference =
      decision.costs.empty() ? Reference::actions(decision.reference) : Reference::costs(decision.costs);
  return search_.predict(scratch_.bag, allowed, reference, decision.learner, decision.conditioned_on);
}
void TaskSearch::loss(double amount) { search_.loss(amount); }
bool TaskSearch::needs_features() const { return search_.needs_features(); }
bool TaskSearch::needs_reference() const { return search_.needs_reference(); }

struct SearchModel::Weights {
  std::vector<int> actions;
  std::vector<HashedRegressor> regressors;
};

void SearchModel::decide(const TaskRun& run) const {
  GreedySearch greedy(weights_->regressors);
  TaskSearch::Scratch scratch(weights_->actions);
  TaskSearch search(greedy, scratch);
  run(search);
}

std::string SearchModel::to_bytes() const {
  ModelWriter writer;
  writer.metadata = {{"program", "espalier " ESPALIER_VERSION}, {"actions", weights_->actions}};
  writer.metadata["task"] = {{"regressors", save_regressors(weights_->regressors, writer, "")}};
  return writer.to_bytes(true);
}

SearchModel SearchModel::from_bytes(std::string_view bytes, const std::string& name) {
  const auto file = ModelFile::from_bytes(bytes, name);
  auto weights = std::make_shared<Weights>();
  try {
    weights->actions = file->metadata().at("actions").get<std::vector<int>>();
    weights->regressors = load_regressors({file, file->metadata().at("task"), ""}, weights->actions);
  } catch (const nlohmann::json::exception& error) {
    throw data_error(name, 0, "this is no learned task ({})", error.what());
  }
  return SearchModel(std::move(weights));
}

struct SearchTrainer::Learner {
  Learner(std::vector<int> actions, const TaskTraining& settings, uint64_t seed)
      : scratch(std::move(actions)),
        options(settings.seeded(seed)),
        reduction(options.learner, options.reduction, scratch.actions, options.margin),
        imitation(options.imitation, reduction, seed) {}

  TaskSearch::Scratch scratch;
  TaskTraining options;
  Reduction reduction;
  Imitation imitation;
};

SearchTrainer::SearchTrainer(std::vector<int> actions, const std::vector<std::string>& pairs, uint64_t seed) {
  Settings settings;
  for (const std::string& pair : pairs) settings.set_pair(pair);
  SettingsReader reader(std::move(settings));
  // Without roll-outs: right for tasks that give right actions and no costs; others say otherwise.
  const TaskTraining options(reader, {.epochs = 5, .learner = "perceptron", .rollout = "none"});
  reader.check_all_known();
  learner_ = std::make_unique<Learner>(std::move(actions), options, seed);
}
SearchTrainer::~SearchTrainer() = default;
SearchTrainer::SearchTrainer(SearchTrainer&&) noexcept = default;

int SearchTrainer::epochs() const { return learner_->options.epochs; }
int SearchTrainer::samples() const { return learner_->options.average; }
void SearchTrainer::sample() { learner_->reduction.sample_average(2 * learner_->options.average); }

double SearchTrainer::learn(const TaskRun& run) {
  learner_->imitation.train([&](Search& search) {
    TaskSearch task(search, learner_->scratch);
    run(task);
  });
  return learner_->imitation.last_loss();
}

SearchModel SearchTrainer::model() const {
  auto weights = std::make_shared<SearchModel::Weights>();
  weights->actions = learner_->scratch.actions;
  weights->regressors = learner_->reduction.freeze();
  return SearchModel(std::move(weights));
}

uint64_t feature_key(std::string_view text) { return hash_string(text); }

}  // namespace espalier
