// Mixes scores of different units within one k-best list: each is rescaled so that the list's lowest becomes 0 and its
// highest 1, then they are added up with weights. Tested by rank_test.cc.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace espalier {

/// F' = (F - min) / (max - min); all 0 if they are equal.
void rescale(std::span<double> scores);

/// sum of alpha[i] * parsers[i][k] + (1 - sum of alpha) * ranker[k]; all are rescaled already.
double mixed_score(std::span<const double> alpha, std::span<const std::vector<double>> parsers,
                   std::span<const double> ranker, size_t k);

/// Best first. Ties go to the tree that the first parser likes better, then to the earlier one.
std::vector<size_t> mixed_order(std::span<const double> alpha, std::span<const std::vector<double>> parsers,
                                std::span<const double> ranker);
/// The first of mixed_order.
size_t mixed_best(std::span<const double> alpha, std::span<const std::vector<double>> parsers,
                  std::span<const double> ranker);

}  // namespace espalier
