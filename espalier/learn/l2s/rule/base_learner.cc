#include "espalier/learn/l2s/rule/base_learner.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/learn/l2s/rule/rules.h"

namespace espalier {
namespace {

/// A running mean of some numbers.
class RunningMean {
 public:
  /// The weight of the next sample in the mean.
  float next_pull(int window) { return 1.0f / static_cast<float>(std::min(++samples_, window)); }
  bool empty() const { return samples_ == 0; }
  /// Of so many rows of `width` numbers, once there is a sample.
  void archive(Archive& a, size_t all_rows, size_t width) {
    a.value(samples_);
    if (samples_ < 0) throw Error(ErrorKind::kData, "the checkpoint is damaged");
    const size_t expected = empty() ? 0 : all_rows;
    size_t rows = mean.size() / width;
    a.count(rows, expected, expected);
    if (a.reading()) mean.assign(rows * width, 0);
    a.sparse_rows(mean.data(), rows, width);
  }
  std::vector<float> mean;

 private:
  int samples_ = 0;
};

/// Throws if learning has diverged: weights that are not finite would become zeros when rounded to 16 bits.
class FiniteWeights {
 public:
  explicit FiniteWeights(const LearnerOptions& options) : learner_(options.name_and_rate()) {}
  void check(std::span<const float> weights) const {
    for (float weight : weights) {
      if (!std::isfinite(weight)) {
        throw run_error("{} diverged: its weights are no longer finite; try a smaller rate", learner_);
      }
    }
  }

 private:
  std::string learner_;
};

/// The common part of linear learners and networks: rows in training and the sums of the features' rows.
template <class Rule>
class RowLayer {
 public:
  RowLayer(const RegressorShape& shape, const LearnerOptions& options)
      : rows(shape.bits, shape.cells(), Rule::kPlanes),
        rule(options),
        finite(options),
        sums(rows.width()),
        gradient(rows.width()) {}

  void sum(const FeatureBag& features) {
    find_rows(features.keys(), rows.bits(), found);
    values = nullptr;
    if (!features.values().empty()) {
      copied.assign(features.values().begin(), features.values().end());
      copied.push_back(1);
      values = copied.data();
    }
    row_sums().sum_floats(rows.cells(), rows.stride(), rows.width(), found, values, sums.data());
  }
  /// The features' rows and those blocks of them that have a gradient.
  RowUpdate to_move() {
    blocks.clear();
    for (size_t block = 0; block < gradient.size(); block += kRowUnit) {
      bool any = false;
      for (size_t j = block; j < block + kRowUnit; ++j) any |= gradient[j] != 0;
      if (any) blocks.push_back(static_cast<uint32_t>(block));
    }
    return {rows.cells(), rows.width(), rows.stride(), found, values, nullptr, blocks};
  }
  /// False if there is nothing to move.
  bool update(LossShape loss, float weight) {
    const RowUpdate moved = to_move();
    if (!moved.blocks.empty()) rule.update_rows(moved, gradient, loss, weight);
    return !moved.blocks.empty();
  }

  void sample_average(size_t cells, int window) {
    const size_t count = (size_t{1} << rows.bits()) + 1;
    average.mean.resize(count * cells);
    const float pull = average.next_pull(window);
    for (size_t row = 0; row < count; ++row) {
      const float* w = rows.row(row);
      float* mean = &average.mean[row * cells];
      for (size_t j = 0; j < cells; ++j) mean[j] += pull * (w[j] - mean[j]);
    }
  }
  void archive(Archive& a, size_t cells) {
    a.sparse_rows(rows.cells(), (size_t{1} << rows.bits()) + 1, rows.stride());
    rule.archive(a);
    average.archive(a, (size_t{1} << rows.bits()) + 1, cells);
  }
  void read_row(size_t row, std::span<float> weights) const {
    const float* from = average.empty() ? rows.row(row) : &average.mean[row * weights.size()];
    std::copy_n(from, weights.size(), weights.begin());
    finite.check(weights);
  }

  TrainingRows rows;
  RunningMean average;
  Rule rule;
  FiniteWeights finite;
  std::vector<float> sums, gradient;  // per cell, padding included

 private:
  std::vector<uint32_t> found, blocks;
  const float* values = nullptr;
  std::vector<float> copied;
};

template <class Rule>
class LinearLearner final : public BaseLearner {
 public:
  LinearLearner(const RegressorShape& shape, const LearnerOptions& options) : shape_(shape), layer_(shape, options) {}

  void score(const FeatureBag& features, std::span<float> costs) override {
    layer_.sum(features);
    std::copy_n(layer_.sums.begin(), costs.size(), costs.begin());
  }
  void update(const FeatureBag&, std::span<const float> gradient, LossShape loss, float weight) override {
    std::ranges::transform(gradient, layer_.gradient.begin(), [weight](float g) { return weight * g; });
    const bool moved = layer_.update(loss, weight);
    if constexpr (Rule::kAveragesItself) {
      if (!moved) layer_.rule.skip();
    }
  }
  void sample_average(int window) override {
    if constexpr (!Rule::kAveragesItself) layer_.sample_average(shape_.cells(), window);
  }
  HashedRegressor freeze() const override {
    const auto read = [&](size_t row, std::span<float> weights) {
      layer_.read_row(row, weights);
      if constexpr (Rule::kAveragesItself) {
        const float* sums = layer_.rows.row(row) + layer_.rows.width();
        for (size_t j = 0; j < weights.size(); ++j) weights[j] = layer_.rule.average(weights[j], sums[j]);
      }
    };
    return HashedRegressor(shape_, read, {});
  }
  void archive(Archive& a) override { layer_.archive(a, shape_.cells()); }

 private:
  RegressorShape shape_;
  RowLayer<Rule> layer_;
};

/// One hidden layer under each action's regressor (or shared): output neurons and hidden units move by the same rule.
template <class Rule>
class NetLearner final : public BaseLearner {
 public:
  NetLearner(const RegressorShape& shape, const LearnerOptions& options)
      : shape_(shape),
        layer_(shape, options),
        units_(static_cast<size_t>(shape.hidden)),
        dropout_(options.dropout),
        coins_(options.seed, "dropout"),
        output_(static_cast<size_t>(shape.actions) * neuron_size()),
        inputs_(units_ + 1),
        hidden_(shape.hidden_cells()),
        part_(shape.hidden_cells(), 1.0f) {
    // Hidden biases and output weights start at random, or all units would learn the same.
    Rng rng(options.seed, "network");
    for (size_t j = 0; j < hidden_.size(); ++j) start(rng.uniform() - 0.5, biases() + j, layer_.rows.width());
    for (size_t a = 0; a < static_cast<size_t>(shape.actions); ++a) {
      for (size_t k = 0; k < units_; ++k) {
        start((rng.uniform() - 0.5) / std::sqrt(units_), &output_[a * neuron_size() + k], units_ + 1);
      }
    }
  }

  void score(const FeatureBag& features, std::span<float> costs) override {
    layer_.sum(features);
    std::transform(layer_.sums.begin(), layer_.sums.begin() + hidden_.size(), hidden_.begin(), clip_hidden);
    activate(shape_, layer_.sums);
    if (dropout_ > 0) drop_units();
    weights(costs_weights_);
    run_output_layer(shape_, layer_.sums, costs_weights_, costs);
  }
  void update(const FeatureBag&, std::span<const float> gradient, LossShape loss, float weight) override {
    update_outputs(gradient, loss, weight);
    // Back through the output weights as they are after their step.
    std::ranges::fill(layer_.gradient, 0.0f);
    for (size_t a = 0; a < gradient.size(); ++a) {
      const float g = weight * gradient[a];
      if (g == 0) continue;
      const float* o = layer_.sums.data() + first_unit(a);
      const float* u = &output_[a * neuron_size()];
      for (size_t k = 0; k < units_; ++k) {
        const float part = part_[first_unit(a) + k];
        if (part > 0) layer_.gradient[first_unit(a) + k] += g * u[k] * (part - o[k] * o[k] / part);
      }
    }
    if (loss == LossShape::kSquared) keep_targets_in_reach(weight);
    layer_.update(loss, weight);
  }
  void sample_average(int window) override {
    layer_.sample_average(shape_.cells(), window);
    weights(costs_weights_);
    average_output_.mean.resize(costs_weights_.size());
    const float pull = average_output_.next_pull(window);
    for (size_t i = 0; i < costs_weights_.size(); ++i) {
      average_output_.mean[i] += pull * (costs_weights_[i] - average_output_.mean[i]);
    }
  }
  HashedRegressor freeze() const override {
    std::vector<float> output = average_output_.mean;
    if (average_output_.empty()) weights(output);
    layer_.finite.check(output);
    return HashedRegressor(
        shape_, [&](size_t row, std::span<float> cells) { layer_.read_row(row, cells); }, output);
  }
  void archive(Archive& a) override {
    if (a.reading()) std::fill_n(biases(), layer_.rows.stride(), 0.0f);
    layer_.archive(a, shape_.cells());
    a.items(std::span(output_));
    uint64_t coins = coins_.state();
    a.value(coins);
    coins_.set_state(coins);
    average_output_.archive(a, 1, shape_.outputs());
  }

 private:
  /// Updates the output of an action: its neuron and, if there are any, its direct weights.
  void update_outputs(std::span<const float> gradient, LossShape loss, float weight) {
    if (!shape_.direct) {
      for (size_t a = 0; a < gradient.size(); ++a) {
        if (const float g = weight * gradient[a]; g != 0) layer_.rule.update_neuron(neuron(a), g, loss, weight);
      }
      return;
    }
    std::ranges::fill(layer_.gradient, 0.0f);
    for (size_t a = 0; a < gradient.size(); ++a) layer_.gradient[hidden_.size() + a] = weight * gradient[a];
    const RowUpdate moved = layer_.to_move();
    const auto neuron_of = [this](size_t cell) { return neuron(cell - hidden_.size()); };
    if (!moved.blocks.empty()) layer_.rule.update_together(moved, layer_.gradient, neuron_of, loss, weight);
  }
  /// Its inputs are overwritten by the next call.
  Neuron neuron(size_t action) {
    std::copy_n(layer_.sums.data() + first_unit(action), units_, inputs_.begin());
    inputs_[units_] = 1;
    return {inputs_, &output_[action * neuron_size()]};
  }
  size_t first_unit(size_t action) const { return shape_.shared ? 0 : action * units_; }
  size_t neuron_size() const { return (units_ + 1) * Rule::kNeuronPlanes; }
  float* biases() { return layer_.rows.row(size_t{1} << shape_.bits); }
  void start(double value, float* weight, size_t plane) {
    *weight = static_cast<float>(value);
    layer_.rule.start(weight, plane);
  }
  /// Dropout: leaves units out of an example and scales the others, so that the expected sums are the same.
  void drop_units() {
    const float share = static_cast<float>(1 / (1 - dropout_));
    for (size_t j = 0; j < part_.size(); ++j) {
      part_[j] = coins_.uniform() < dropout_ ? 0 : share;
      layer_.sums[j] *= part_[j];
    }
  }
  /// Limits the gradient 2 weight (z - target) of a hidden sum so that the target is within the clipped range.
  void keep_targets_in_reach(float weight) {
    const float twice = 2 * weight;
    for (size_t j = 0; j < hidden_.size(); ++j) {
      float& gradient = layer_.gradient[j];
      if (gradient != 0) gradient = twice * (hidden_[j] - clip_hidden(hidden_[j] - gradient / twice));
    }
  }
  void weights(std::vector<float>& output) const {
    output.resize(shape_.outputs());
    for (size_t a = 0; a < static_cast<size_t>(shape_.actions); ++a) {
      std::copy_n(&output_[a * neuron_size()], units_ + 1, &output[a * (units_ + 1)]);
    }
  }

  RegressorShape shape_;
  RowLayer<Rule> layer_;
  size_t units_;
  double dropout_;
  Rng coins_;
  std::vector<float> output_;  // per action one neuron with its planes
  RunningMean average_output_;
  std::vector<float> inputs_, costs_weights_;
  std::vector<float> hidden_;  // sums under the activations, clipped
  std::vector<float> part_;    // what the activations are multiplied by: 1 without dropout
};

template <class Learner>
std::unique_ptr<BaseLearner> make(const RegressorShape& shape, const LearnerOptions& options) {
  return std::make_unique<Learner>(shape, options);
}

/// A kind of learner, how it is made, and which defaults it has of its own.
struct Entry {
  LearnerKind kind;
  std::unique_ptr<BaseLearner> (*make)(const RegressorShape&, const LearnerOptions&);
  void (*defaults)(LearnerOptions&) = [](LearnerOptions&) {};
};

/// The only list of base learners.
const Entry kLearners[] = {
    {{.name = "sgd"}, make<LinearLearner<Sgd>>, [](LearnerOptions& o) { o.rate = 0.5; }},
    {{.name = "adaptive"}, make<LinearLearner<Adaptive>>},
    {{.name = "nn", .network = true},
     make<NetLearner<Adaptive>>,
     [](LearnerOptions& o) { o.bits = 18, o.direct = true, o.rate = 0.1; }},
    {{.name = "ftrl", .steps_by_alpha = true}, make<LinearLearner<Ftrl>>},
    {{.name = "nn+ftrl", .network = true, .steps_by_alpha = true},
     make<NetLearner<Ftrl>>,
     [](LearnerOptions& o) { o.bits = 18, o.ftrl_alpha = 0.02; }},
    {{.name = "perceptron", .predicts_costs = false}, make<LinearLearner<AveragedPerceptron>>},
    {{.name = "pa", .predicts_costs = false, .passive = true}, make<LinearLearner<AveragedPerceptron>>},
};

const Entry& entry_of(const std::string& name) {
  const auto found = std::ranges::find(kLearners, name, [](const Entry& entry) { return entry.kind.name; });
  if (found == std::end(kLearners)) throw usage_error("unknown base learner '{}'", name);
  return *found;
}

std::vector<std::string> learner_names() {
  std::vector<std::string> names;
  for (const Entry& entry : kLearners) names.emplace_back(entry.kind.name);
  return names;
}

}  // namespace

LearnerOptions::LearnerOptions(std::string name_in) : name(std::move(name_in)) { entry_of(name).defaults(*this); }

const LearnerKind& LearnerOptions::kind() const { return entry_of(name).kind; }

std::string LearnerOptions::name_and_rate() const {
  return kind().steps_by_alpha ? fmt::format("learner={} ftrl_alpha={}", name, ftrl_alpha)
                               : fmt::format("learner={} rate={}", name, rate);
}

LearnerOptions LearnerOptions::from(SettingsReader& settings, const std::string& default_name) {
  LearnerOptions o(settings.choice("learner", default_name, learner_names(), "base learner of learning to search"));
  // All settings are read for every learner, so that --set learner=... works with any recipe.
  o.bits = settings.integer("bits", o.bits, 8, 28, "2^bits hashed rows per learner");
  o.hidden = settings.integer("hidden", o.hidden, 1, 1024, "nn: hidden units (per action unless shared)");
  o.shared = settings.flag("shared_hidden", o.shared, "nn: one hidden layer for all actions");
  o.direct = settings.flag("direct", o.direct, "nn: features also go past the hidden layer, straight to each action");
  o.dropout =
      settings.real("dropout", o.dropout, 0, 0.9, "nn: hidden units that do not take part in an example, at random");
  o.ftrl_alpha = settings.real("ftrl_alpha", o.ftrl_alpha, 1e-6, 100, "learning rate of FTRL");
  o.ftrl_beta = settings.real("ftrl_beta", o.ftrl_beta, 0, 100, "smoothing of FTRL");
  o.l1 = settings.real("l1", o.l1, 0, 100, "l1 penalty of FTRL");
  o.l2 = settings.real("l2", o.l2, 0, 100, "l2 penalty of FTRL");
  o.rate = settings.real("rate", o.rate, 1e-6, 100, "learning rate of sgd, adaptive and nn");
  o.later_rates = settings.real("later_rates", o.later_rates, 1e-3, 1e3,
                                "rates of a task's second learner (labels after moves) over the first's");
  o.aggressiveness = settings.real("aggressiveness", o.aggressiveness, 1e-6, 1e6, "largest step of pa");
  return o;
}

std::unique_ptr<BaseLearner> make_base_learner(const LearnerOptions& options, int actions) {
  const Entry& entry = entry_of(options.name);
  const bool network = entry.kind.network;
  return entry.make({actions, options.bits, network ? options.hidden : 0, options.shared, options.direct && network},
                    options);
}

}  // namespace espalier
