#include "espalier/learn/rule/rules.h"

namespace espalier {

float Adaptive::factor(float gradient, double reach, LossShape loss) const {
  if (loss == LossShape::kLinear || rate_ * reach < 1e-6) return static_cast<float>(-rate_ * gradient);
  // gradient = 2 (p - y): p moves towards y by the share that infinitely many infinitesimal steps would cover.
  return static_cast<float>(-0.5 * gradient * -std::expm1(-2 * rate_ * reach) / reach);
}

void Adaptive::update_rows(RowUpdate update, std::span<const float> gradient, LossShape loss) {
  double squares = static_cast<double>(update.rows.size());
  if (update.values) {
    squares = 0;
    norms_.resize(update.rows.size());
    for (size_t i = 0; i < update.rows.size(); ++i) {
      const uint32_t row = update.rows[i];
      if (row >= row_norms_.size()) row_norms_.resize(row + 1, 0);
      const float size = std::abs(update.values[i]);
      float& norm = row_norms_[row];
      if (size > norm) {
        float* w = update.cells + row * update.stride;
        if (norm > 0) std::for_each(w, w + update.width, [&](float& weight) { weight *= norm / size; });
        norm = size;
      }
      norms_[i] = norm > 0 ? norm : 1;
      squares += update.values[i] * update.values[i] / (norms_[i] * norms_[i]);
    }
    update.norms = norms_.data();
  }
  count(squares);
  const double k = scale();
  squared_.resize(gradient.size());
  step_.resize(gradient.size());
  reach_.assign(gradient.size(), 0);
  for (size_t j = 0; j < gradient.size(); ++j) squared_[j] = gradient[j] * gradient[j];
  row_updates().adaptive_reach(update, squared_.data(), reach_.data());
  for (size_t j = 0; j < gradient.size(); ++j) {
    step_[j] = gradient[j] == 0 ? 0 : static_cast<float>(k) * factor(gradient[j], k * reach_[j], loss);
  }
  row_updates().adaptive_step(update, step_.data());
}

void Adaptive::update_neuron(const Neuron& neuron, float gradient, LossShape loss) {
  const size_t n = neuron.inputs.size();
  float* w = neuron.planes;
  float* sums = w + n;
  float* norms = sums + n;
  double squares = 0, reach = 0;
  for (size_t i = 0; i < n; ++i) {
    const float x = neuron.inputs[i], size = std::abs(x);
    if (size == 0) continue;
    if (size > norms[i]) {
      if (norms[i] > 0) w[i] *= norms[i] / size;
      norms[i] = size;
    }
    sums[i] += gradient * gradient * x * x;
    squares += x * x / (norms[i] * norms[i]);
    reach += x * x / (std::sqrt(sums[i]) * norms[i]);
  }
  if (squares == 0) return;
  count(squares);
  const double k = scale();
  const float step = static_cast<float>(k) * factor(gradient, k * reach, loss);
  for (size_t i = 0; i < n; ++i) {
    if (neuron.inputs[i] != 0) w[i] += step * neuron.inputs[i] / (std::sqrt(sums[i]) * norms[i]);
  }
}

}  // namespace espalier
