#include "espalier/app/train_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "espalier/base/error.h"
#include "espalier/base/hash.h"
#include "espalier/learn/l2s/train_task.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/l2s/imperative_parser.h"
#include "espalier/parser/model_file.h"

namespace espalier {

struct TaskSearch::Scratch {
  explicit Scratch(std::vector<int> actions_in) : actions(std::move(actions_in)) {
    if (actions.empty()) throw usage_error("a task needs at least one learner");
    for (const int count : actions)
      if (count < 1) throw usage_error("a learner needs at least one action");
    all.resize(*std::ranges::max_element(actions));
    std::iota(all.begin(), all.end(), 0);
  }
  /// Empty for an unknown learner, which the search refuses.
  std::span<const int> allowed(const TaskDecision& decision) const {
    const bool known = decision.learner >= 0 && decision.learner < static_cast<int>(actions.size());
    if (!decision.allowed.empty() || !known) return decision.allowed;
    return std::span(all).first(actions[decision.learner]);
  }

  std::vector<int> actions, all;  // per learner how many; 0, 1, 2, ...
  FeatureBag bag;
  std::vector<FeatureBag> alternatives;
};

namespace {

void copy_keys(std::span<const uint64_t> keys, FeatureBag& bag) {
  bag.clear();
  std::ranges::copy(keys, bag.extend(keys.size()));
}

}  // namespace

int TaskSearch::predict(const TaskDecision& decision) {
  if (std::ranges::any_of(decision.costs, [](float cost) { return !(cost >= 0) || !std::isfinite(cost); }))
    throw usage_error("costs are numbers that are not negative");
  const Reference reference =
      decision.costs.empty() ? Reference::actions(decision.reference) : Reference::costs(decision.costs);
  if (!decision.alternatives) {
    copy_keys(decision.features, scratch_.bag);
    return search_.predict(scratch_.bag, scratch_.allowed(decision), reference, decision.learner,
                           decision.conditioned_on, decision.weight);
  }
  const auto things = *decision.alternatives;
  if (things.empty()) throw usage_error("there are no alternatives to choose from");
  if (!decision.features.empty() || !decision.allowed.empty() || !decision.conditioned_on.empty())
    throw usage_error("alternatives bring their own features: features, allowed and conditioned_on must be empty");
  scratch_.alternatives.resize(things.size());
  for (size_t i = 0; i < things.size(); ++i) copy_keys(things[i], scratch_.alternatives[i]);
  return search_.choose(scratch_.alternatives, reference, decision.learner, decision.weight);
}
std::span<const float> TaskSearch::predicted_costs() const { return search_.predicted_costs(); }
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
  const TaskTraining options(reader, TaskTraining::Defaults::of_right_actions());
  reader.check_all_known();
  if (options.imitation.policy_beta > 0) throw usage_error("policy_beta is for recipes: passes are the caller's here");
  learner_ = std::make_unique<Learner>(std::move(actions), options, seed);
}
SearchTrainer::~SearchTrainer() = default;
SearchTrainer::SearchTrainer(SearchTrainer&&) noexcept = default;

int SearchTrainer::epochs() const { return learner_->options.epochs; }
int SearchTrainer::samples() const { return learner_->options.average; }
void SearchTrainer::sample() {
  if (const int window = learner_->options.average_window()) learner_->reduction.sample_average(window);
}

std::vector<double> SearchTrainer::train(size_t examples, const std::function<void(TaskSearch&, size_t example)>& run) {
  const TaskTraining& options = learner_->options;
  std::vector<double> losses;
  for (int epoch = 1; epoch <= options.epochs; ++epoch) {
    losses.push_back(0);
    size_t done = 0;
    for (const size_t example : shuffled_order(examples, options.shuffle ? epoch : 0, options.learner.seed)) {
      losses.back() += learn([&](TaskSearch& search) { run(search, example); });
      if (options.samples_after(done++, examples)) sample();
    }
  }
  return losses;
}

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

StretchLabels::StretchLabels(std::vector<std::string> types, Scheme scheme)
    : scheme_(scheme), per_type_(scheme == Scheme::kBio ? 2 : 4), names_{"O"} {
  for (const std::string& type : types) {
    for (const char mark : std::string_view(scheme == Scheme::kBio ? "BI" : "BILU")) {
      names_.push_back(fmt::format("{}-{}", mark, type));
    }
  }
  for (int previous = -1; previous < size(); ++previous) {
    for (const bool last : {false, true}) {
      std::vector<int>& here = allowed_.emplace_back();
      for (int label = 0; label < size(); ++label) {
        if (may_follow(previous, label) && (!last || may_end(label))) here.push_back(label);
      }
    }
  }
}

bool StretchLabels::may_follow(int previous, int label) const {
  const char before = previous < 0 ? 'O' : mark(previous), now = mark(label);
  const bool inside = now == 'I' || now == 'L';
  const bool open = before == 'B' || before == 'I';
  if (inside) return open && type(previous) == type(label);
  return scheme_ == Scheme::kBio || !open;
}

bool StretchLabels::may_end(int label) const {
  return scheme_ == Scheme::kBio || (mark(label) != 'B' && mark(label) != 'I');
}

int StretchLabels::find(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

std::span<const int> StretchLabels::allowed(int previous, bool last) const {
  return allowed_.at(static_cast<size_t>(2 * (previous + 1) + last));
}

std::vector<StretchLabels::Stretch> StretchLabels::stretches(std::span<const int> labels) const {
  std::vector<Stretch> found;
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    const int label = labels[i];
    if (label <= 0) continue;
    const bool begins = mark(label) == 'B' || mark(label) == 'U';
    if (begins || found.empty() || found.back().end != i) {
      found.push_back({i, i + 1, type(label)});
    } else {
      found.back().end = i + 1;
    }
  }
  return found;
}

uint64_t feature_key(std::string_view text) { return hash_string(text); }

}  // namespace espalier
