// The base rules: how a weight moves, given the gradient g of the loss with respect to the prediction p = sum w x.
// A rule moves whole rows (`update_rows`: features as inputs, one gradient per cell) and single neurons
// (`update_neuron`: a few real inputs, one gradient), or both as one regressor's inputs (`update_together`). Each keeps
// `kPlanes` numbers per weight, and `kNeuronPlanes` per weight of a network; when such a weight begins at random,
// `start(weight, plane)` sets the other planes, which are `plane` numbers apart. For a rule that averages by itself
// (`kAveragesItself`) `skip` is called for decisions without an update, and parsing uses `average(weight, second
// plane)`. Gradients are multiplied by the example's weight, which a rule gets for its closed form.
// Tested by rule_test.cc: gradients, closed forms, portable = AVX2.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/learn/l2s/rule/base_learner.h"
#include "espalier/learn/l2s/rule/row_updates.h"
#include "espalier/learn/l2s/rule/training_rows.h"

namespace espalier {

/// One neuron's inputs and weights, planes one after the other: w[0..n-1], then the rule's own numbers.
struct Neuron {
  std::span<const float> inputs;
  float* planes;
};
/// The neuron that belongs to a cell of the rows.
using NeuronOf = std::function<Neuron(size_t cell)>;

/// Stochastic gradient descent: w -= eta_t g x, eta_t = rate / mean |x|^2 * sqrt(t0 / (t0 + t)), t0 = 100,000. The mean
/// is taken over the first thousand examples: with hundreds of active features an undivided rate diverges.
class Sgd {
 public:
  static constexpr int kPlanes = 1;
  static constexpr bool kAveragesItself = false;
  explicit Sgd(const LearnerOptions& options) : rate_(options.rate) {}

  void update_rows(RowUpdate update, std::span<const float> gradient, LossShape, float) {
    const double rate = next_rate(squared_norm(update));
    step_.resize(gradient.size());
    for (size_t j = 0; j < gradient.size(); ++j) step_[j] = static_cast<float>(-rate * gradient[j]);
    row_updates().add(update, 0, step_.data());
  }
  void archive(Archive& a) { a.value(t_), a.value(norms_); }

 private:
  static double squared_norm(const RowUpdate& update) {
    if (!update.values) return static_cast<double>(update.rows.size());
    double sum = 0;
    for (size_t i = 0; i < update.rows.size(); ++i) sum += update.values[i] * update.values[i];
    return sum;
  }
  double next_rate(double squared_norm) {
    if (t_ < 1000) norms_ += squared_norm;
    t_ += 1;
    const double mean = norms_ / std::min(t_, 1000.0);
    return mean > 0 ? rate_ / mean * std::sqrt(kDecay / (kDecay + t_)) : 0;
  }
  static constexpr double kDecay = 1e5;  // t0
  double rate_, t_ = 0, norms_ = 0;
  std::vector<float> step_;
};

/// Adaptive, normalised and importance-invariant updates: Duchi et al. 2011 (G), Ross et al. 2013 (N), Karampatziakis &
/// Langford 2011 (the closed form). Features without values have N = 1.
class Adaptive {
 public:
  static constexpr int kPlanes = 2;
  static constexpr bool kAveragesItself = false;
  explicit Adaptive(const LearnerOptions& options) : rate_(options.rate), network_(options.kind().network) {}

  void update_rows(RowUpdate update, std::span<const float> gradient, LossShape loss, float weight);
  /// Inputs are activations, at most 1 in size before dropout makes up for units that stay out: N is 1 for all.
  void update_neuron(const Neuron& neuron, float gradient, LossShape loss, float weight) {
    move_neuron(neuron, gradient, {}, loss, weight);
  }
  /// A cell's features and its neuron's inputs take one step: two of full size would go past the target together.
  void update_together(RowUpdate update, std::span<const float> gradient, const NeuronOf& neuron, LossShape loss,
                       float weight);
  static constexpr int kNeuronPlanes = 2;  // w, G
  void start(float*, size_t) const {}
  void archive(Archive& a) { a.value(squares_), a.value(examples_), a.array(row_norms_); }

 private:
  /// In a network every hidden unit that moves is an example of its own, as every output is: they share one scale.
  void count(double normalised_squares, double regressors) {
    squares_ += normalised_squares * regressors;
    examples_ += regressors;
  }
  double scale() const { return std::sqrt(examples_ / squares_); }
  /// Updates N by the values of the rows, fills in norms_, one per row, and returns the sum of squares of the
  /// normalised values.
  double normalise(const RowUpdate& update);
  /// Of a regressor's inputs: the sum of their normalised squares, and P below.
  struct Reach {
    double squares = 0, reach = 0;
  };
  /// Adds to the rows' sums of squared gradients and fills in reach_; returns the normalised squares.
  double reach_rows(RowUpdate& update, std::span<const float> gradient, float weight);
  /// Moves the neuron's weights as far as is right if its regressor has other inputs, too; returns the step.
  float move_neuron(const Neuron& neuron, float gradient, const Reach& others, LossShape loss, float weight);
  /// The factor u of w += u * k * r * x; `reach` is P, the change of p per unit of u.
  float factor(float gradient, double reach, LossShape loss, float weight) const;

  double rate_, squares_ = 0, examples_ = 0;
  bool network_;
  std::vector<float> squared_, reach_, step_, norms_;
  std::vector<float> row_norms_;  // N of every row, once a feature with a value was seen
};

/// FTRL-proximal (McMahan et al. 2013).
class Ftrl {
 public:
  static constexpr int kPlanes = 3;
  static constexpr bool kAveragesItself = false;
  explicit Ftrl(const LearnerOptions& options)
      : rates_{static_cast<float>(options.ftrl_alpha), static_cast<float>(options.ftrl_beta),
               static_cast<float>(options.l1), static_cast<float>(options.l2)} {}

  void update_rows(RowUpdate update, std::span<const float> gradient, LossShape, float) {
    row_updates().ftrl(update, gradient.data(), rates_);
  }
  void update_neuron(const Neuron& neuron, float gradient, LossShape, float) {
    const size_t n = neuron.inputs.size();
    for (size_t i = 0; i < n; ++i) {
      ftrl_step(neuron.planes[i], neuron.planes[n + i], neuron.planes[2 * n + i], gradient * neuron.inputs[i], rates_);
    }
  }
  void update_together(RowUpdate update, std::span<const float> gradient, const NeuronOf& neuron, LossShape loss,
                       float weight) {
    for (size_t j = 0; j < gradient.size(); ++j) {
      if (gradient[j] != 0) update_neuron(neuron(j), gradient[j], loss, weight);
    }
    update_rows(update, gradient, loss, weight);
  }
  static constexpr int kNeuronPlanes = 3;
  /// A weight that is not zero must be backed by z, or the first step would undo it.
  void start(float* weight, size_t plane) const {
    const float w = *weight;
    weight[plane] = -w * (rates_.l2 + rates_.beta / rates_.alpha) - std::copysign(rates_.l1, w);
  }
  void archive(Archive&) {}  // all is in the planes

 private:
  FtrlRates rates_;
};

/// The averaged perceptron: w -= g x; plane 1 holds what lazy averaging subtracts (Collins 2002). One tick per
/// decision.
class AveragedPerceptron {
 public:
  static constexpr int kPlanes = 2;
  static constexpr bool kAveragesItself = true;
  explicit AveragedPerceptron(const LearnerOptions&) {}

  void update_rows(RowUpdate update, std::span<const float> gradient, LossShape, float) {
    step_.resize(gradient.size());
    for (size_t j = 0; j < gradient.size(); ++j) step_[j] = -gradient[j];
    row_updates().add(update, 0, step_.data());
    for (float& step : step_) step *= static_cast<float>(decisions_);
    row_updates().add(update, 1, step_.data());
    ++decisions_;
  }
  void skip() { ++decisions_; }
  void archive(Archive& a) { a.value(decisions_); }
  float average(float w, float sum) const { return w - sum / static_cast<float>(decisions_); }

 private:
  double decisions_ = 1;
  std::vector<float> step_;
};

}  // namespace espalier
