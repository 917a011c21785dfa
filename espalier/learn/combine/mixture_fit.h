// Chooses how much each parser's own score counts beside the ranker's, on held-out lists (spec/04 §5).
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

/// How many parsers' scores the lists have.
size_t parsers_of(std::span<const MixtureList> lists);
double mixture_loss(std::span<const MixtureList> lists, std::span<const double> alpha);

/// The grid {0, 0.005, ..., 1}; several parsers one after the other, until nothing gets better. Of equals the smallest.
/// `ranked`: there is a ranker; without one the weights add up to 1.
Mixture fit_mixture(std::span<const MixtureList> lists, bool ranked);

}  // namespace espalier
