// Exact search over dense arc scores, by sentence length: Eisner's chart (O(n^3)), its max-marginals, and the spanning
// tree of Chu-Liu-Edmonds (O(n^2)). Time is per sentence.
#include <benchmark/benchmark.h>

#include "espalier/base/rng.h"
#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/search/eisner.h"
#include "espalier/search/max_marginals.h"

namespace espalier {
namespace {

ArcMatrix random_scores(int words) {
  Rng rng(1, "eisner_bench");
  ArcMatrix scores;
  scores.reset(words);
  for (int h = 0; h <= words; ++h)
    for (int m = 1; m <= words; ++m)
      if (h != m) scores(h, m) = static_cast<float>(rng.uniform());
  return scores;
}

void eisner(benchmark::State& state) {
  const int words = static_cast<int>(state.range(0));
  const ArcMatrix scores = random_scores(words);
  EisnerChart chart;
  std::vector<int> heads(static_cast<size_t>(words) + 1);
  for (auto _ : state) {
    chart.fill(scores);
    chart.best_heads(heads);
    benchmark::DoNotOptimize(heads.data());
  }
}
BENCHMARK(eisner)->Arg(10)->Arg(25)->Arg(50)->Arg(100);

void max_marginals(benchmark::State& state) {
  const ArcMatrix scores = random_scores(static_cast<int>(state.range(0)));
  MaxMarginals search;
  ArcMatrix marginals;
  for (auto _ : state) benchmark::DoNotOptimize(search.compute(scores, marginals));
}
BENCHMARK(max_marginals)->Arg(25)->Arg(50);

void spanning_tree(benchmark::State& state) {
  const int words = static_cast<int>(state.range(0));
  const ArcMatrix scores = random_scores(words);
  ChuLiuEdmonds search;
  std::vector<int> heads(static_cast<size_t>(words) + 1);
  for (auto _ : state) {
    search.solve(scores, heads);
    benchmark::DoNotOptimize(heads.data());
  }
}
BENCHMARK(spanning_tree)->Arg(10)->Arg(25)->Arg(50)->Arg(100);

}  // namespace
}  // namespace espalier
