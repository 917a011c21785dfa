// Significance tests against exhaustive enumeration and known cases.
#include "espalier/eval/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

/// The exact p-value: all 2^n exchanges.
double exact_p(const std::vector<SentenceCount>& a, const std::vector<SentenceCount>& b) {
  const auto difference = [&](unsigned swaps) {
    double a_part = 0, a_whole = 0, b_part = 0, b_whole = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      const auto& x = swaps >> i & 1 ? b[i] : a[i];
      const auto& y = swaps >> i & 1 ? a[i] : b[i];
      a_part += static_cast<double>(x.part), a_whole += static_cast<double>(x.whole);
      b_part += static_cast<double>(y.part), b_whole += static_cast<double>(y.whole);
    }
    return std::abs((a_whole ? a_part / a_whole : 0) - (b_whole ? b_part / b_whole : 0));
  };
  const unsigned all = 1u << a.size();
  unsigned as_large = 0;
  for (unsigned swaps = 0; swaps < all; ++swaps) as_large += difference(swaps) >= difference(0) - 1e-12;
  return static_cast<double>(as_large) / all;
}

TEST(Significance, PermutationApproachesTheExactValue) {
  Rng rng(1, "cases");
  for (int round = 0; round < 20; ++round) {
    std::vector<SentenceCount> a, b;
    for (int i = 0; i < 10; ++i) {
      const long whole = 1 + static_cast<long>(rng.below(20));
      const long other = round % 2 ? whole : 1 + static_cast<long>(rng.below(20));  // F1 has its own denominators
      a.emplace_back(static_cast<long>(rng.below(static_cast<size_t>(whole) + 1)), whole);
      b.emplace_back(static_cast<long>(rng.below(static_cast<size_t>(other) + 1)), other);
    }
    const Comparison result = compare_systems(a, b, {.trials = 40000, .resamples = 0, .seed = 5});
    EXPECT_NEAR(result.p_value, exact_p(a, b), 0.015) << round;  // six standard deviations
  }
}

TEST(Significance, EqualSystemsDoNotDiffer) {
  const std::vector<SentenceCount> a = {{3, 4}, {1, 2}, {5, 5}};
  const Comparison result = compare_systems(a, a);
  EXPECT_DOUBLE_EQ(result.a, 100 * 9.0 / 11);
  EXPECT_EQ(result.difference, 0);
  EXPECT_EQ(result.p_value, 1);
  EXPECT_EQ(result.differing_sentences, 0);
  EXPECT_EQ(result.difference_interval.low, 0);
  EXPECT_EQ(result.difference_interval.high, 0);
}

TEST(Significance, AClearDifferenceIsFound) {
  const std::vector<SentenceCount> good(100, {9, 10}), bad(100, {6, 10});
  const Comparison result = compare_systems(good, bad, {.trials = 9999, .resamples = 1000, .seed = 2});
  EXPECT_DOUBLE_EQ(result.difference, 30);
  EXPECT_DOUBLE_EQ(result.p_value, 1e-4) << "none of the shufflings comes near, and the observed one counts";
  EXPECT_EQ(result.share_not_better, 0);
  EXPECT_DOUBLE_EQ(compare_systems(bad, good, {.trials = 9999, .resamples = 1000, .seed = 2}).p_value, 1e-4);
}

TEST(Significance, BootstrapIntervalOfAMean) {
  // 400 sentences of one word, half of them right: the standard error is 2.5 points, the interval about 50 +- 4.9.
  std::vector<SentenceCount> a(400, {0, 1});
  for (size_t i = 0; i < 200; ++i) a[i].part = 1;
  const Comparison result = compare_systems(a, std::vector<SentenceCount>(400, {0, 1}), {.trials = 10});
  EXPECT_NEAR(result.a_interval.low, 45.1, 0.5);
  EXPECT_NEAR(result.a_interval.high, 54.9, 0.5);
  EXPECT_EQ(result.b_interval.high, 0);
}

TEST(Significance, SameSeedSameResult) {
  std::vector<SentenceCount> a, b;
  for (int i = 0; i < 50; ++i) a.emplace_back(i % 7, 7), b.emplace_back(i % 5, 7);
  const ComparisonOptions options{.trials = 1000, .resamples = 500, .seed = 9};
  EXPECT_EQ(compare_systems(a, b, options).p_value, compare_systems(a, b, options).p_value);
  EXPECT_EQ(compare_systems(a, b, options).a_interval.low, compare_systems(a, b, options).a_interval.low);
}

TEST(Significance, NothingToCompare) {
  const Comparison result = compare_systems({}, {}, {.trials = 10});
  EXPECT_EQ(result.a, 0);
  EXPECT_EQ(result.p_value, 1);
}

TEST(Significance, CountsFromScores) {
  EXPECT_EQ(SentenceCount(Share{3, 4}), SentenceCount(3, 4));
  EXPECT_EQ(SentenceCount(Overlap{2, 3, 5}), SentenceCount(4, 8)) << "F1 = 2 * 2 / (3 + 5)";
}

}  // namespace
}  // namespace espalier
