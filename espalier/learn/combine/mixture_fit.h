// Chooses the weights of the parsers' scores beside the ranker's, on held-out lists.
// Tested by parser/combine/rank_test.cc.
#pragma once

#include <span>
#include <vector>

namespace espalier {

/// A held-out list: scores rescaled already.
struct MixtureList {
  std::vector<std::vector<double>> parsers;  ///< [parser][candidate]
  std::vector<double> ranker;
  std::vector<float> losses;
};

struct Mixture {
  std::vector<double> alpha;
  double loss = 0;  ///< of the chosen trees, summed
};

/// The number of parsers whose scores the lists have.
size_t parsers_of(std::span<const MixtureList> lists);
double mixture_loss(std::span<const MixtureList> lists, std::span<const double> alpha);

/// Searches the grid {0, 0.005, ..., 1}; several parsers one after the other, until the loss falls no more. Of equal
/// weights the smallest. `ranked`: there is a ranker; without one the weights add up to 1.
Mixture fit_mixture(std::span<const MixtureList> lists, bool ranked);

}  // namespace espalier
