// Trains the classifier of one label: confidence-rated trees on a falling l1 penalty (Turian 2007, Listing 4.1 with its
// sign corrected). Each tree is grown on a priority sample and fitted by a line search over all examples of its leaves.
// Labels share the examples and nothing else, so they train in parallel. Tested by tests/classify_test.cc.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <vector>

#include "espalier/learn/classify/boost/examples.h"
#include "espalier/learn/classify/boost/risk.h"
#include "espalier/learn/classify/boost/tree_builder.h"
#include "espalier/weights/boosted_trees.h"

namespace espalier {

enum class Regulariser { kL1, kL2, kNone };

struct BoostOptions {
  Regulariser regulariser = Regulariser::kL1;
  bool stumps = false;
  size_t sample = 10'000;     ///< rows from which a tree is grown
  int trees_per_sample = 1;   ///< before a new sample is drawn; weights are updated in between
  double eta = 0.5;           ///< the penalty of a tree is this times the largest gain, if that is less than before
  double least_lambda = 0.1;  ///< the end
  double least_gain = 0;      ///< what a split must gain, in penalties
  int most_trees = 10'000;
  bool intercept = true;  ///< begin with the unpenalised log odds
  uint64_t seed = 1;
};

/// Atoms renumbered by falling frequency, so that frequent ones share cache lines.
class AtomNumbering {
 public:
  /// Counts the atoms of about one row in `every`.
  AtomNumbering(const AtomSpace& space, const BoostExamples& examples, size_t every);

  uint32_t number(int atom) const { return numbers_[atom]; }
  int atom(uint32_t number) const { return atoms_[number]; }
  size_t size() const { return atoms_.size(); }

 private:
  std::vector<uint32_t> numbers_;
  std::vector<int> atoms_;
};

/// The parts of an iteration, as in Table 6.4 of the thesis, and the CPU seconds that each has taken.
enum BoostPart { kSampling, kAtoms, kTree, kPercolation, kLineSearch };
inline constexpr std::array<const char*, 5> kBoostPartNames = {"sampling", "atoms", "tree", "percolation",
                                                               "line search"};
using BoostProfile = std::array<double, kBoostPartNames.size()>;

struct LabelResult {
  BoostProfile profile{};  ///< for the log only: no two runs take the same time
  float intercept = 0;
  std::vector<DecisionTree> trees;
  size_t rejected = 0, leaves = 0, parameters = 0;
};

/// Progress after each tree: number of trees, lambda, risk. Returns false to stop.
using BoostProgress = std::function<bool(int trees, double lambda, double risk)>;

LabelResult boost_label(int label, const AtomSpace& space, const BoostExamples& examples,
                        const AtomNumbering& numbering, const BoostOptions& options, const BoostProgress& progress);

/// Keeps the k examples of highest priority weight / uniform(0,1] (Duffield, Lund & Thorup); the weight of a kept one
/// becomes max(weight, threshold), which makes every sum of weights unbiased. All of them if there are at most k.
struct PrioritySample {
  std::vector<uint32_t> examples;  ///< ascending
  float threshold = 0;
};
PrioritySample priority_sample(std::span<const float> weights, size_t k, uint64_t seed);

}  // namespace espalier
