// The C-step of HC-search (Algorithm 4 of the paper): passive-aggressive ranking of the trees of k-best lists by their
// losses. COARSE: the best trees against all others. FINE: each level of loss against all worse ones.
//
// Sentences come in random order, the pairs of a sentence one after the other. Within a sentence scores are updated by
// the inner products of its trees, so that weights are read and written once per sentence, whatever its number of
// pairs: an epoch takes two passes over the features of groups. Tested by ranker_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/archive.h"
#include "espalier/learn/combine/rank_examples.h"

namespace espalier {

struct RankOptions {
  bool fine = true;
  double aggressiveness = 1e9;  ///< the largest step
};

class Ranker {
 public:
  /// `examples` must outlive the ranker.
  Ranker(std::span<const RankExample> examples, size_t features, const RankOptions& options);

  struct Counts {
    size_t pairs = 0, updates = 0;
  };
  /// Learns from one of the examples.
  Counts learn(size_t example);

  /// The average of the weights after every pair so far.
  std::vector<float> average() const;
  void archive(Archive& archive);

 private:
  struct Weight {
    float value = 0, sum = 0;
  };
  struct Step {
    double value = 0, sum = 0;
  };
  /// A list's trees by loss, and the inner products of their differences from the first.
  struct Prepared {
    std::vector<uint16_t> order;   // candidates by loss, then by rank
    std::vector<uint16_t> levels;  // where in `order` each level of loss ends
    std::vector<float> products;   // [i][j]
  };
  void prepare(const RankExample& example, Prepared& prepared);
  void step(const RankExample& example, const Prepared& prepared, size_t level, Counts& counts);

  std::span<const RankExample> examples_;
  RankOptions options_;
  std::vector<Prepared> prepared_;
  std::vector<Weight> weights_;
  double seen_ = 1;  // pairs
  // Scratch of one sentence: scores, and the factors with which trees are added to weights and to their sums.
  std::vector<double> scores_, steps_, sums_;
  std::vector<double> group_scores_;
  std::vector<Step> group_steps_;
  std::vector<uint32_t> places_, touched_;
  std::vector<float> dense_;
};

/// The order of an epoch (from 1 on): shuffles of one stream of random numbers, each of the original order.
std::vector<size_t> ranking_order(size_t examples, int epoch, uint64_t seed);

/// The scores of a list's trees, less that of the first.
std::vector<double> rank_scores(const RankExample& example, std::span<const float> weights);

}  // namespace espalier
