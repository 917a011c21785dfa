#include "espalier/eval/calibration.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

#include "espalier/base/rng.h"

namespace espalier {

MonotoneMap MonotoneMap::fit(std::vector<Judgement> judgements, size_t groups) {
  struct Block {
    double values = 0, right = 0, count = 0;
    double chance() const { return right / count; }
  };
  std::ranges::stable_sort(judgements, std::less<>(), &Judgement::value);
  const size_t least = std::max<size_t>(1, judgements.size() / groups);
  // Pool adjacent violators: a block whose value does not exceed that of the block before is joined with it.
  std::vector<Block> blocks;
  for (size_t begin = 0, end = 0; begin < judgements.size(); begin = end) {
    end = std::min(begin + least, judgements.size());
    while (end < judgements.size() && judgements[end].value == judgements[end - 1].value) ++end;
    Block block;
    for (const Judgement& judgement : std::span(judgements).subspan(begin, end - begin)) {
      block.values += judgement.value;
      block.right += judgement.right ? 1 : 0;
      ++block.count;
    }
    while (!blocks.empty() && blocks.back().chance() >= block.chance()) {
      block.values += blocks.back().values;
      block.right += blocks.back().right;
      block.count += blocks.back().count;
      blocks.pop_back();
    }
    blocks.push_back(block);
  }
  std::vector<std::pair<double, double>> knots;
  for (const Block& block : blocks) knots.emplace_back(block.values / block.count, block.chance());
  if (knots.empty()) knots.emplace_back(0.5, 0.5);
  return MonotoneMap(std::move(knots));
}

MonotoneMap MonotoneMap::fit_smoothly(const std::vector<Judgement>& judgements, size_t groups) {
  constexpr size_t kSamples = 40, kKnots = 60;
  if (judgements.empty()) return fit(judgements, groups);
  Rng rng(1, "calibration");
  std::vector<MonotoneMap> maps;
  std::vector<Judgement> sample(judgements.size());
  for (size_t s = 0; s < kSamples; ++s) {
    for (Judgement& one : sample) one = judgements[rng.below(judgements.size())];
    maps.push_back(fit(sample, groups));
  }
  std::vector<double> values;
  for (const Judgement& judgement : judgements) values.push_back(judgement.value);
  std::ranges::sort(values);
  std::vector<std::pair<double, double>> knots;
  for (size_t k = 0; k <= kKnots; ++k) {
    const double value = values[k * (values.size() - 1) / kKnots];
    if (!knots.empty() && value == knots.back().first) continue;
    double chance = 0;
    for (const MonotoneMap& map : maps) chance += map(value) / kSamples;
    knots.emplace_back(value, std::clamp(chance, knots.empty() ? 0 : knots.back().second, 1.0));
  }
  return MonotoneMap(std::move(knots));
}

MonotoneMap::MonotoneMap(std::vector<std::pair<double, double>> knots) : knots_(std::move(knots)) {
  bool good = !knots_.empty();
  for (size_t i = 0; i < knots_.size(); ++i) {
    const auto& [value, chance] = knots_[i];
    good &= std::isfinite(value) && chance >= 0 && chance <= 1;
    if (i > 0) good &= value >= knots_[i - 1].first && chance >= knots_[i - 1].second;
  }
  if (!good) throw std::invalid_argument("no monotone map");
}

double MonotoneMap::operator()(double value) const {
  const auto above = std::ranges::upper_bound(knots_, value, std::less<>(), &std::pair<double, double>::first);
  if (above == knots_.begin()) return knots_.front().second;
  if (above == knots_.end()) return knots_.back().second;
  const auto& [x0, y0] = *(above - 1);
  const auto& [x1, y1] = *above;
  return y0 + (y1 - y0) * (value - x0) / (x1 - x0);
}

LogisticMap LogisticMap::fit(std::span<const Example> examples, const Weights& prior) {
  constexpr int kSteps = 100;
  constexpr double kNear = 1e-9;
  const size_t size = prior.size();
  const auto loss = [&](const Weights& weights) {
    const LogisticMap map(weights);
    double sum = 0;
    for (size_t w = 0; w < size; ++w) sum += (weights[w] - prior[w]) * (weights[w] - prior[w]);
    for (const auto& [values, right] : examples) sum += std::log1p(std::exp((right ? -1 : 1) * map.log_odds(values)));
    return sum;
  };
  Weights weights = prior;
  double least = loss(weights);
  for (int step = 0; step < kSteps; ++step) {  // of Newton
    Weights change{};
    std::array<Weights, 3> curvature{};
    for (size_t w = 0; w < size; ++w) change[w] = -2 * (weights[w] - prior[w]), curvature[w][w] = 2;
    const LogisticMap map(weights);
    for (const auto& [values, right] : examples) {
      const Weights row = {1, values[0], values[1]};
      const double chance = map(values);
      for (size_t i = 0; i < size; ++i) {
        change[i] += row[i] * ((right ? 1 : 0) - chance);
        for (size_t j = 0; j < size; ++j) curvature[i][j] += row[i] * row[j] * chance * (1 - chance);
      }
    }
    // curvature * x = change, by elimination: the matrix is positive definite.
    for (size_t i = 0; i < size; ++i)
      for (size_t j = i + 1; j < size; ++j) {
        const double factor = curvature[j][i] / curvature[i][i];
        for (size_t k = i; k < size; ++k) curvature[j][k] -= factor * curvature[i][k];
        change[j] -= factor * change[i];
      }
    for (size_t i = size; i-- > 0;) {
      for (size_t j = i + 1; j < size; ++j) change[i] -= curvature[i][j] * change[j];
      change[i] /= curvature[i][i];
    }
    double part = 1;
    Weights next = weights;
    const auto try_part = [&] {
      for (size_t w = 0; w < size; ++w) next[w] = weights[w] + part * change[w];
      return loss(next);
    };
    double reached = try_part();
    while (!(reached <= least) && part > kNear) part /= 2, reached = try_part();
    if (!(least - reached > kNear * least)) break;
    weights = next, least = reached;
  }
  return LogisticMap(weights);
}

LogisticMap::LogisticMap(const Weights& weights) : weights_(weights) {
  if (!std::ranges::all_of(weights, [](double weight) { return std::isfinite(weight); }))
    throw std::invalid_argument("no logistic map");
}

double LogisticMap::log_odds(const std::array<double, 2>& values) const {
  return weights_[0] + weights_[1] * values[0] + weights_[2] * values[1];
}

Reliability reliability(std::span<const Judgement> judgements, size_t bins) {
  Reliability result;
  result.bins.resize(bins);
  std::vector<double> variances(bins, 0);
  result.count = judgements.size();
  for (const Judgement& judgement : judgements) {
    const auto place = static_cast<size_t>(std::clamp(judgement.value, 0.0, 1.0) * static_cast<double>(bins));
    Reliability::Bin& bin = result.bins[std::min(place, bins - 1)];
    ++bin.count;
    bin.confidence += judgement.value;
    bin.accuracy += judgement.right ? 1 : 0;
    variances[std::min(place, bins - 1)] += judgement.value * (1 - judgement.value);
    const double distance = judgement.value - (judgement.right ? 1 : 0);
    result.brier += distance * distance;
  }
  const auto total = static_cast<double>(std::max<size_t>(1, judgements.size()));
  result.brier /= total;
  for (const double variance : variances)  // the mean of a normal distribution's distance from 0
    result.by_chance += std::sqrt(2 / std::numbers::pi * variance) / total;
  for (Reliability::Bin& bin : result.bins) {
    result.error += std::abs(bin.confidence - bin.accuracy) / total;
    if (bin.count == 0) continue;
    bin.confidence /= static_cast<double>(bin.count);
    bin.accuracy /= static_cast<double>(bin.count);
  }
  return result;
}

}  // namespace espalier
