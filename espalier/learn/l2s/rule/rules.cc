#include "espalier/learn/l2s/rule/rules.h"

namespace espalier {

float Adaptive::factor(float gradient, double reach, LossShape loss, float weight) const {
  if (loss == LossShape::kLinear || weight * rate_ * reach < 1e-6) return static_cast<float>(-rate_ * gradient);
  // gradient = 2 weight (p - y): p moves towards y as far as infinitely many infinitesimal steps would.
  return static_cast<float>(-0.5 * gradient / weight * -std::expm1(-2 * weight * rate_ * reach) / reach);
}

double Adaptive::normalise(const RowUpdate& update) {
  double squares = 0;
  norms_.resize(update.rows.size());
  for (size_t i = 0; i < update.rows.size(); ++i) {
    const uint32_t row = update.rows[i];
    if (row >= row_norms_.size()) row_norms_.resize(row + 1, 0);
    float* w = update.cells + row * update.stride;
    float& norm = row_norms_[row];
    // A row that has learned, but not since features have values, was seen with the value 1.
    const float* sums = w + update.width;
    if (norm == 0 && std::any_of(sums, sums + update.width, [](float sum) { return sum > 0; })) norm = 1;
    const float size = update.values ? std::abs(update.values[i]) : 1;
    if (size > norm) {
      if (norm > 0) std::for_each(w, w + update.width, [&](float& weight) { weight *= norm / size; });
      norm = size;
    }
    norms_[i] = norm > 0 ? norm : 1;
    squares += size * size / (norms_[i] * norms_[i]);
  }
  return squares;
}

double Adaptive::reach_rows(RowUpdate& update, std::span<const float> gradient, float weight) {
  // As long as no feature had a value, every N is 1.
  double squares = static_cast<double>(update.rows.size());
  if (update.values || !row_norms_.empty()) {
    squares = normalise(update);
    update.norms = norms_.data();
  }
  squared_.resize(gradient.size());
  step_.resize(gradient.size());
  reach_.assign(gradient.size(), 0);
  for (size_t j = 0; j < gradient.size(); ++j) squared_[j] = gradient[j] * gradient[j] / weight;
  row_updates().adaptive_reach(update, squared_.data(), reach_.data());
  return squares;
}

void Adaptive::update_rows(RowUpdate update, std::span<const float> gradient, LossShape loss, float weight) {
  const double squares = reach_rows(update, gradient, weight);
  const auto moved = std::ranges::count_if(gradient, [](float g) { return g != 0; });
  count(squares, network_ ? static_cast<double>(moved) : 1);
  const double k = scale();
  for (size_t j = 0; j < gradient.size(); ++j) {
    step_[j] = gradient[j] == 0 ? 0 : static_cast<float>(k) * factor(gradient[j], k * reach_[j], loss, weight);
  }
  row_updates().adaptive_step(update, step_.data());
}

void Adaptive::update_together(RowUpdate update, std::span<const float> gradient, const NeuronOf& neuron,
                               LossShape loss, float weight) {
  const double squares = reach_rows(update, gradient, weight);
  for (size_t j = 0; j < gradient.size(); ++j) {
    step_[j] = gradient[j] == 0 ? 0 : move_neuron(neuron(j), gradient[j], {squares, reach_[j]}, loss, weight);
  }
  row_updates().adaptive_step(update, step_.data());
}

float Adaptive::move_neuron(const Neuron& neuron, float gradient, const Reach& others, LossShape loss, float weight) {
  const size_t n = neuron.inputs.size();
  float* w = neuron.planes;
  float* sums = w + n;
  double squares = others.squares, reach = others.reach;
  for (size_t i = 0; i < n; ++i) {
    const float x = neuron.inputs[i];
    if (x == 0) continue;
    sums[i] += gradient * gradient / weight * x * x;
    squares += x * x;
    reach += x * x / std::sqrt(sums[i]);
  }
  count(squares, 1);
  const double k = scale();
  const float step = static_cast<float>(k) * factor(gradient, k * reach, loss, weight);
  for (size_t i = 0; i < n; ++i) {
    if (neuron.inputs[i] != 0) w[i] += step * neuron.inputs[i] / std::sqrt(sums[i]);
  }
  return step;
}

}  // namespace espalier
