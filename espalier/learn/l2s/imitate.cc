#include "espalier/learn/l2s/imitate.h"

#include <algorithm>
#include <cmath>

#include "espalier/base/error.h"

namespace espalier {

ImitationOptions ImitationOptions::from(SettingsReader& settings, const ImitationOptions& defaults) {
  static const std::vector<std::string> kPolicies = {"learn", "ref", "mix_state", "mix_roll", "none"};
  const auto policy = [&](const char* key, Policy by_default, bool none, const char* help) {
    const std::vector<std::string> choices(kPolicies.begin(), kPolicies.end() - (none ? 0 : 1));
    const std::string name = settings.choice(key, choices[static_cast<size_t>(by_default)], choices, help);
    return static_cast<Policy>(std::ranges::find(choices, name) - choices.begin());
  };
  ImitationOptions o = defaults;
  o.rollin = policy("rollin", o.rollin, false, "which policy reaches the decisions of a training example");
  o.rollout = policy("rollout", o.rollout, true,
                     "which policy completes the output after a tried action; none: wrong actions cost 1");
  o.alpha = settings.real("mix_alpha", o.alpha, 0, 1, "how fast mixing turns from the reference to the model");
  o.rollout_learned = settings.real("rollout_learned", -1, -1, 1,
                                    "fixed probability of the model in mixed roll-outs (-1: as in roll-in)");
  o.policy_beta = settings.real("policy_beta", o.policy_beta, 0, 1,
                                "SEARN: share of the newest model in the mixture of all models; 0 = one model");
  const std::string deviations = settings.choice("deviations", "closed", {"closed", "snapshot", "replay"},
                                                 "how costs are found: in closed form if possible, or by running");
  o.deviations = deviations == "closed"     ? Deviations::kClosed
                 : deviations == "snapshot" ? Deviations::kSnapshot
                                            : Deviations::kReplay;
  const std::string scale = settings.choice("costs", "given", {"given", "relative", "root"},
                                            "costs as given, as shares of a decision's largest, or their square roots");
  o.scale = scale == "given" ? CostScale::kGiven : scale == "relative" ? CostScale::kRelative : CostScale::kRoot;
  o.highest_cost =
      settings.real("highest_cost", o.highest_cost, 1e-3, 1e6, "largest cost of an action; larger costs are cut");
  o.explored = settings.real("explored", 1, 1e-6, 1, "share of steps that are learned from");
  return o;
}

Imitation::Imitation(const ImitationOptions& options, CostSensitive& learner, uint64_t seed)
    : options_(options),
      policies_{&learner},
      seed_(seed),
      coins_(seed, "policy"),
      steps_rng_(seed, "explored steps"),
      snapshots_(options.deviations == Deviations::kSnapshot),
      rollout_coins_(seed, "roll-out") {
  const auto is_share = [](double x) { return x >= 0 && x <= 1; };
  if (!is_share(options.explored) || options.explored == 0)
    throw usage_error("explored must be more than 0 and at most 1: with {} nothing would be learned", options.explored);
  if (!is_share(options.alpha) || !is_share(options.policy_beta) || !(options.rollout_learned <= 1))
    throw usage_error("alpha, rollout_learned and policy_beta are probabilities");
  if (!(options.highest_cost > 0)) throw usage_error("highest_cost must be more than 0");
}

size_t Imitation::draw_mixed(double fixed, Rng& rng) const {
  const size_t newest = policies_.size() - 1;
  if (options_.policy_beta == 0) {
    return rng.uniform() < (fixed >= 0 ? fixed : learned_probability_) ? newest : kTeacher;
  }
  // Each policy was mixed in with the share beta when it was new; the one in training is not among them yet.
  for (size_t policy = newest; policy-- > 0;) {
    if (rng.uniform() < options_.policy_beta) return policy;
  }
  return kTeacher;
}

// Mixing per trajectory is decided when it begins, mixing per state here.
size_t Imitation::draw(Policy policy, double fixed, Rng& rng) const {
  switch (policy) {
    case Policy::kLearned:
      return policies_.size() - 1;
    case Policy::kMixRoll:
      return trajectory_;
    case Policy::kMixState:
      return draw_mixed(fixed, rng);
    default:
      return kTeacher;
  }
}

bool Imitation::needs_features() const {
  if (!rolling_out_) return true;
  if (step_ <= deviate_at_) return false;
  if (outputs_) return true;
  switch (options_.rollout) {
    case Policy::kLearned:
    case Policy::kMixState:
      return true;
    case Policy::kMixRoll:
      return trajectory_ != kTeacher;
    default:
      return false;
  }
}

bool Imitation::is_known(const Decision& decision) {
  return decision.reference.has_costs() ||
         std::ranges::any_of(decision.allowed, [&](int action) { return decision.reference.contains(action); });
}

// The first of those that the reference allows; where it knows none, the first of all.
int Imitation::reference_action(const Decision& decision) {
  const auto& allowed = decision.allowed;
  const auto costs = decision.reference.costs();
  if (!costs.empty()) return allowed[std::ranges::min_element(costs) - costs.begin()];
  const auto known = std::ranges::find_if(allowed, [&](int action) { return decision.reference.contains(action); });
  return known == allowed.end() ? allowed[0] : *known;
}

int Imitation::decide(const Decision& decision) { return rolling_out_ ? roll_out(decision) : roll_in(decision); }

int Imitation::roll_in(const Decision& decision) {
  const auto& allowed = decision.allowed;
  if (count_ == steps_.size()) steps_.emplace_back();
  Step& step = steps_[count_];
  ++count_;
  ++step_;
  step.explore = false;
  if (allowed.size() == 1) return step.action = allowed[0];
  if (outputs_) return step.action = lead(decision, step);

  const size_t leader = draw(options_.rollin, -1, coins_), newest = policies_.size() - 1;
  const bool learned = leader != kTeacher;
  const bool on_the_spot =
      options_.rollout == Policy::kNone || (options_.rollout == Policy::kReference && decision.reference.has_costs() &&
                                            options_.deviations == Deviations::kClosed);
  const bool explore = options_.explored >= 1 || steps_rng_.uniform() < options_.explored;
  const bool learn_now = explore && on_the_spot && is_known(decision);
  std::span<const float> predicted;
  if (learned && leader != newest) step.action = cheapest(ask(decision, leader), allowed);
  if (leader == newest || learn_now) predicted = ask(decision, newest);
  if (leader == newest) step.action = cheapest(predicted, allowed);
  if (!learned) step.action = reference_action(decision);
  if (learn_now) {
    costs_.resize(allowed.size());
    if (decision.reference.has_costs()) {
      const auto costs = decision.reference.costs();
      const float least = *std::ranges::min_element(costs);
      const bool binary = options_.rollout == Policy::kNone;
      for (size_t i = 0; i < costs.size(); ++i) costs_[i] = binary ? costs[i] > least : costs[i] - least;
    } else {
      for (size_t i = 0; i < allowed.size(); ++i) costs_[i] = !decision.reference.contains(allowed[i]);
    }
    learn({decision.features, decision.alternatives, allowed, costs_, decision.learner, decision.weight, true});
  } else if (explore && !on_the_spot) {
    if (options_.deviations != Deviations::kReplay) snapshots_ = true;
    remember(decision, allowed, step);
  }
  return step.action;
}

void Imitation::remember(const Decision& decision, std::span<const int> tried, Step& step) {
  step.explore = true;
  step.learner = decision.learner;
  step.weight = decision.weight;
  step.features = decision.features;
  step.alternatives.assign(decision.alternatives.begin(), decision.alternatives.end());
  step.allowed.assign(tried.begin(), tried.end());
}

/// A step of a roll-in for costs of whole outputs.
int Imitation::lead(const Decision& decision, Step& step) {
  const std::span<const float> predicted = ask(decision, policies_.size() - 1);
  // Alternatives have features of their own, so that all of them are tried or none.
  if (outputs_->explored >= 1 || steps_rng_.uniform() < outputs_->explored) {
    const bool all = !decision.alternatives.empty();
    const std::vector<int> tried =
        all ? std::vector(decision.allowed.begin(), decision.allowed.end()) : contenders(decision, predicted);
    if (tried.size() > 1) remember(decision, tried, step);
  }
  return cheapest(predicted, decision.allowed);
}

/// The actions with the least predicted cost, one of each kind, in ascending order.
std::vector<int> Imitation::contenders(const Decision& decision, std::span<const float> predicted) const {
  std::vector<int> order(decision.allowed.begin(), decision.allowed.end()), tried;
  std::ranges::stable_sort(order, {}, [&](int action) { return predicted[action]; });
  std::vector<uint64_t> kinds;
  for (const int action : order) {
    if (static_cast<int>(tried.size()) == outputs_->tried) break;
    const uint64_t kind = outputs_->kind ? outputs_->kind(decision.learner, action) : static_cast<uint64_t>(action);
    if (std::ranges::find(kinds, kind) != kinds.end()) continue;
    kinds.push_back(kind);
    tried.push_back(action);
  }
  std::ranges::sort(tried);
  return tried;
}

int Imitation::roll_out(const Decision& decision) {
  const size_t now = step_++;
  if (now < deviate_at_) return steps_[now].action;
  if (now == deviate_at_) return deviate_to_;
  if (decision.allowed.size() == 1) return decision.allowed[0];
  const size_t leader =
      outputs_ ? policies_.size() - 1 : draw(options_.rollout, options_.rollout_learned, rollout_coins_);
  if (leader == kTeacher) return reference_action(decision);
  predicted_ = remembered_.of(decision, leader, [&] { return ask(decision, leader); });
  return cheapest(predicted_, decision.allowed);
}

const std::any* Imitation::resume_point(int loop) {
  if (!rolling_out_ || resumed_) return nullptr;
  // The latest checkpoint that is not past the step at which this run deviates.
  const auto after = std::ranges::upper_bound(checkpoints_, deviate_at_, {}, &Checkpoint::step);
  resumed_ = after == checkpoints_.begin();  // nothing to resume from
  if (resumed_) return nullptr;
  const Checkpoint& last = *std::prev(after);
  if (last.loop != loop) return nullptr;  // saved in a later loop
  resumed_ = true;
  step_ = last.step;
  loss_ = last.loss;
  return &last.state;
}

void Imitation::learn(const Lesson& lesson) {
  ++examples_;
  // Decisions in which all actions cost the same teach nothing.
  if (std::ranges::all_of(costs_, [&](float cost) { return cost == costs_[0]; })) return;
  scale_costs();
  policies_.back()->learn(lesson);
  remembered_.forget();
}

void Imitation::scale_costs() {
  const float largest = *std::ranges::max_element(costs_);
  for (float& cost : costs_) {
    if (options_.scale == CostScale::kRelative) cost /= largest;
    if (options_.scale == CostScale::kRoot) cost = std::sqrt(cost);
    cost = std::min(cost, static_cast<float>(options_.highest_cost));
  }
}

void Imitation::begin() {
  ++sentences_;
  count_ = step_ = 0;
  loss_ = 0;
  checkpoints_.clear();
  remembered_.forget();
  rolling_out_ = false;
}

void Imitation::deviate(size_t step, int action, const std::function<void(Search&)>& run) {
  deviate_at_ = step;
  deviate_to_ = action;
  rolling_out_ = true;
  resumed_ = false;
  step_ = 0;
  loss_ = 0;
  // All alternatives of a step use the same random numbers, so that their costs are comparable.
  rollout_coins_.set_state(combine(combine(seed_, sentences_), step));
  const bool mixed = options_.rollout == Policy::kMixRoll && !outputs_;
  trajectory_ = mixed ? draw_mixed(options_.rollout_learned, rollout_coins_) : kTeacher;
  run(*this);
  rolling_out_ = false;
}

void Imitation::learn_step(const Step& step, std::span<const double> losses) {
  const double least = *std::ranges::min_element(losses);
  costs_.resize(losses.size());
  for (size_t i = 0; i < losses.size(); ++i) costs_[i] = static_cast<float>(losses[i] - least);
  learn({step.features, step.alternatives, step.allowed, costs_, step.learner, step.weight});
}

void Imitation::train(const std::function<void(Search&)>& run) {
  begin();
  learned_probability_ = -std::expm1(static_cast<double>(examples_) * std::log1p(-options_.alpha));
  trajectory_ = options_.rollin == Policy::kMixRoll ? draw_mixed(-1, coins_) : kTeacher;
  run(*this);
  rollin_loss_ = loss_;

  const size_t steps = count_;
  for (size_t t = 0; t < steps; ++t) {
    if (!steps_[t].explore) continue;
    std::vector<double> losses;
    for (int action : steps_[t].allowed) {
      deviate(t, action, run);
      losses.push_back(loss_);
    }
    learn_step(steps_[t], losses);
  }
}

Imitation::Taught Imitation::train(const Outputs& outputs) {
  begin();
  // A loss may throw, and the training may be stopped: resets the state of this example in any case.
  struct Scope {
    Imitation& own;
    const bool snapshots = own.snapshots_;
    ~Scope() { own.outputs_ = nullptr, own.snapshots_ = snapshots; }
  } const scope{*this};
  outputs_ = &outputs;
  snapshots_ = options_.deviations != Deviations::kReplay;

  size_t made = 0;
  const auto run = [&](Search& search) { made = outputs.run(search); };
  run(*this);
  const size_t own = made;
  std::vector<size_t> outcomes;  // numbers of the outputs of all deviations, step by step
  for (size_t t = 0, steps = count_; t < steps; ++t) {
    if (!steps_[t].explore) continue;
    for (const int action : steps_[t].allowed) {
      made = own;
      if (action != steps_[t].action) deviate(t, action, run);
      outcomes.push_back(made);
    }
  }
  const std::vector<double> costs = outputs.costs();
  Taught taught{costs[own]};
  auto next = outcomes.begin();
  for (size_t t = 0; t < count_; ++t) {
    if (!steps_[t].explore) continue;
    std::vector<double> losses;
    for (size_t i = 0; i < steps_[t].allowed.size(); ++i) losses.push_back(costs[*next++]);
    taught.something |= std::ranges::any_of(losses, [&](double loss) { return loss != losses[0]; });
    learn_step(steps_[t], losses);
  }
  return taught;
}

}  // namespace espalier
