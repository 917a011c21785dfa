// Significance of the difference between two systems: paired permutation test (stratified shuffling, Noreen 1989) and
// bootstrap (Efron & Tibshirani 1993) over sentences. Every metric here is a ratio of sums over sentences (hits /
// words; for F1 2 * matched / (gold + found)), so a trial only adds numbers: O(sentences) each. Tested by
// eval/significance_test.cc against exhaustive permutation.
#pragma once

#include <cstdint>
#include <span>

#include "espalier/eval/counts.h"

namespace espalier {

/// What one sentence adds to both sides of the metric's fraction.
struct SentenceCount {
  long part = 0, whole = 0;

  SentenceCount() = default;
  SentenceCount(long part_in, long whole_in) : part(part_in), whole(whole_in) {}
  SentenceCount(const Share& share) : part(share.hits), whole(share.total) {}  // NOLINT: they are the same thing
  /// As F1.
  SentenceCount(const Overlap& overlap) : part(2 * overlap.correct), whole(overlap.gold + overlap.system) {}  // NOLINT
  friend bool operator==(const SentenceCount&, const SentenceCount&) = default;
};

struct Interval {
  double low = 0, high = 0;
};

struct Comparison {
  double a = 0, b = 0, difference = 0;                   ///< percent; difference = a - b
  double p_value = 1;                                    ///< two-sided
  Interval a_interval, b_interval, difference_interval;  ///< 95 %
  double share_not_better = 0;  ///< share of resamples in which the better system is not better
  long differing_sentences = 0;
};

struct ComparisonOptions {
  long trials = 100000;    ///< permutations
  long resamples = 10000;  ///< bootstrap samples
  uint64_t seed = 1;
};

/// a[i] and b[i] are the counts of the same sentence.
Comparison compare_systems(std::span<const SentenceCount> a, std::span<const SentenceCount> b,
                           const ComparisonOptions& options = {});

}  // namespace espalier
