#include "espalier/eval/significance.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <vector>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

constexpr double kTolerance = 1e-10;  // in percent: sums that are equal but for rounding count as equal

double percent(long part, long whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

SentenceCount sum(std::span<const SentenceCount> counts) {
  SentenceCount total;
  for (const SentenceCount& count : counts) {
    total.part += count.part;
    total.whole += count.whole;
  }
  return total;
}

/// The share of shufflings (the observed one included) that give a difference at least as large as the observed one.
/// Exchanging a sentence moves its difference from one total to the other; equal sentences cannot change anything.
double permutation_test(std::span<const SentenceCount> a, std::span<const SentenceCount> b, long trials, Rng rng) {
  std::vector<long> part, whole;
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    part.push_back(a[i].part - b[i].part);
    whole.push_back(a[i].whole - b[i].whole);
  }
  const SentenceCount total_a = sum(a), total_b = sum(b);
  const double observed = std::abs(percent(total_a.part, total_a.whole) - percent(total_b.part, total_b.whole));
  long as_large = 0;
  for (long trial = 0; trial < trials; ++trial) {
    long moved_part = 0, moved_whole = 0;
    uint64_t coins = 0;
    for (size_t i = 0; i < part.size(); ++i, coins >>= 1) {
      if (i % 64 == 0) coins = rng.next();
      const long mask = -static_cast<long>(coins & 1);
      moved_part += part[i] & mask;
      moved_whole += whole[i] & mask;
    }
    const double difference = percent(total_a.part - moved_part, total_a.whole - moved_whole) -
                              percent(total_b.part + moved_part, total_b.whole + moved_whole);
    as_large += std::abs(difference) >= observed - kTolerance;
  }
  return static_cast<double>(as_large + 1) / static_cast<double>(trials + 1);
}

/// 2.5 and 97.5 percentiles (nearest rank).
Interval percentile_interval(std::vector<double>& values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const auto at = [&](double quantile) {
    const auto rank = std::ceil(quantile * static_cast<double>(values.size()));
    return values[static_cast<size_t>(std::max(rank, 1.0)) - 1];
  };
  return {at(0.025), at(0.975)};
}

}  // namespace

Comparison compare_systems(std::span<const SentenceCount> a, std::span<const SentenceCount> b,
                           const ComparisonOptions& options) {
  assert(a.size() == b.size());
  Comparison result;
  const SentenceCount total_a = sum(a), total_b = sum(b);
  result.a = percent(total_a.part, total_a.whole);
  result.b = percent(total_b.part, total_b.whole);
  result.difference = result.a - result.b;
  for (size_t i = 0; i < a.size(); ++i) result.differing_sentences += !(a[i] == b[i]);
  result.p_value = permutation_test(a, b, options.trials, Rng(options.seed, "permutation"));
  if (a.empty() || options.resamples == 0) return result;

  Rng rng(options.seed, "bootstrap");
  std::vector<double> of_a, of_b, differences;
  long not_better = 0;
  for (long resample = 0; resample < options.resamples; ++resample) {
    SentenceCount sum_a, sum_b;
    for (size_t n = 0; n < a.size(); ++n) {
      const size_t i = rng.below(a.size());
      sum_a.part += a[i].part;
      sum_a.whole += a[i].whole;
      sum_b.part += b[i].part;
      sum_b.whole += b[i].whole;
    }
    of_a.push_back(percent(sum_a.part, sum_a.whole));
    of_b.push_back(percent(sum_b.part, sum_b.whole));
    differences.push_back(of_a.back() - of_b.back());
    not_better += (result.difference < 0 ? -differences.back() : differences.back()) <= 0;
  }
  result.a_interval = percentile_interval(of_a);
  result.b_interval = percentile_interval(of_b);
  result.difference_interval = percentile_interval(differences);
  result.share_not_better = static_cast<double>(not_better) / static_cast<double>(options.resamples);
  return result;
}

}  // namespace espalier
