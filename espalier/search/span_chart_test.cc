#include "espalier/search/span_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <map>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

using Span = SpanChart::Span;

/// Every bracketing of words i..j that the chart has room for, as lists of spans.
std::vector<std::vector<Span>> bracketings(const SpanChart& chart, int i, int j) {
  if (!chart.has(i, j)) return {};
  if (i == j) return {{{i, j}}};
  std::vector<std::vector<Span>> all;
  for (int k = i; k < j; ++k)
    for (const auto& left : bracketings(chart, i, k))
      for (const auto& right : bracketings(chart, k + 1, j)) {
        std::vector<Span> joined{{i, j}};
        joined.insert(joined.end(), left.begin(), left.end());
        joined.insert(joined.end(), right.begin(), right.end());
        all.push_back(std::move(joined));
      }
  return all;
}

TEST(SpanChart, AgreesWithEnumeration) {
  Rng rng(1, "test");
  for (int round = 0; round < 60; ++round) {
    const int words = 1 + static_cast<int>(rng.below(7));
    SpanChart chart;
    chart.reset(words);
    EXPECT_EQ(chart.widest(), words);
    chart.for_each([&](int i, int j) { chart.score(i, j) = static_cast<float>(rng.below(1000)) / 64; });
    const auto best = chart.solve();
    std::map<Span, float> with;  // the best score of a bracketing that has the span
    float most = -std::numeric_limits<float>::infinity();
    for (const auto& spans : bracketings(chart, 1, words)) {
      float sum = 0;
      for (const auto& [i, j] : spans) sum += chart.score(i, j);
      most = std::max(most, sum);
      for (const Span& span : spans) {
        const auto [at, fresh] = with.try_emplace(span, sum);
        at->second = std::max(at->second, sum);
      }
    }
    EXPECT_EQ(chart.best(), most);
    float sum = 0;
    for (const auto& [i, j] : best) sum += chart.score(i, j);
    EXPECT_EQ(sum, most);
    EXPECT_EQ(best.size(), static_cast<size_t>(2 * words - 1));
    for (const float gap : {0.f, 3.f, 1e9f}) {
      chart.compare(gap);
      chart.for_each([&](int i, int j) {
        const float behind = most - with.at({i, j});
        if (behind <= gap) {
          EXPECT_EQ(chart.behind(i, j), behind);
        } else {
          EXPECT_GT(chart.behind(i, j), gap);
        }
      });
    }
  }
}

TEST(SpanChart, IsBoundedForLongSentences) {
  SpanChart chart;
  chart.reset(60, 60 * 25);
  EXPECT_EQ(chart.widest(), 25);
  int spans = 0, widest = 0;
  chart.for_each([&](int i, int j) {
    EXPECT_TRUE(chart.has(i, j));
    ++spans;
    if (i > 1) widest = std::max(widest, j - i + 1);
    chart.score(i, j) = i == 1 ? 0.f : 1.f;
  });
  EXPECT_EQ(widest, 25);
  EXPECT_LT(spans, 60 * 26);
  const auto best = chart.solve();
  EXPECT_EQ(best.size(), 119u);
  for (const auto& [i, j] : best) EXPECT_TRUE(chart.has(i, j));
  chart.compare(0);
  for (const auto& [i, j] : best) EXPECT_EQ(chart.behind(i, j), 0);
}

}  // namespace
}  // namespace espalier
