#include "espalier/parser/combine/mixture.h"

#include <algorithm>
#include <numeric>

namespace espalier {

void rescale(std::span<double> scores) {
  if (scores.empty()) return;
  const auto [low, high] = std::ranges::minmax(scores);
  for (double& score : scores) score = high > low ? (score - low) / (high - low) : 0;
}

double mixed_score(std::span<const double> alpha, std::span<const std::vector<double>> parsers,
                   std::span<const double> ranker, size_t k) {
  double score = 0, left = 1;
  for (size_t i = 0; i < alpha.size(); ++i) {
    score += alpha[i] * parsers[i][k];
    left -= alpha[i];
  }
  return score + left * ranker[k];
}

namespace {

/// Whether candidate a comes before b.
struct Better {
  std::span<const double> alpha;
  std::span<const std::vector<double>> parsers;
  std::span<const double> ranker;

  bool operator()(size_t a, size_t b) const {
    const double of_a = mixed_score(alpha, parsers, ranker, a), of_b = mixed_score(alpha, parsers, ranker, b);
    if (of_a != of_b) return of_a > of_b;
    return parsers[0][a] > parsers[0][b];
  }
};

}  // namespace

std::vector<size_t> mixed_order(std::span<const double> alpha, std::span<const std::vector<double>> parsers,
                                std::span<const double> ranker) {
  std::vector<size_t> order(ranker.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, Better{alpha, parsers, ranker});
  return order;
}

size_t mixed_best(std::span<const double> alpha, std::span<const std::vector<double>> parsers,
                  std::span<const double> ranker) {
  const Better better{alpha, parsers, ranker};
  size_t best = 0;
  for (size_t k = 1; k < ranker.size(); ++k)
    if (better(k, best)) best = k;
  return best;
}

}  // namespace espalier
