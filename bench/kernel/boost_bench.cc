// Boosted trees: growing one tree on a sample (the split search), and scoring a state's rows by the conjunctions that
// the ensemble is compiled into, as best-first search does.
#include <benchmark/benchmark.h>

#include <algorithm>

#include "espalier/base/hash.h"
#include "espalier/base/rng.h"
#include "espalier/learn/classify/boost/tree_builder.h"
#include "espalier/parser/classify/kill_matrix.h"

namespace espalier {
namespace {

/// Rows of about 100 atoms, of all frequencies.
BoostSample random_sample(size_t rows, size_t atoms) {
  Rng rng(1, "boost_bench");
  BoostSample sample;
  sample.row_starts = {0};
  std::vector<uint32_t> row;
  for (size_t r = 0; r < rows; ++r) {
    row.clear();
    for (int i = 0; i < 100; ++i) row.push_back(static_cast<uint32_t>(rng.below(1 + rng.below(atoms))));
    std::ranges::sort(row);
    row.erase(std::unique(row.begin(), row.end()), row.end());
    sample.row_atoms.insert(sample.row_atoms.end(), row.begin(), row.end());
    sample.row_starts.push_back(static_cast<uint32_t>(sample.row_atoms.size()));
    sample.gradient.push_back(static_cast<float>((rng.uniform() + 0.01) * (rng.below(2) ? 1 : -1)));
  }
  sample.transpose(atoms);
  return sample;
}

void grow_tree(benchmark::State& state) {
  constexpr size_t kAtoms = 100000;
  const BoostSample sample = random_sample(10000, kAtoms);
  TreeBuilder builder(kAtoms);
  const Parameters parameters;
  size_t leaves = 0;
  for (auto _ : state) {
    const double most = builder.start(sample);
    leaves += builder.grow({.lambda = most * 0.5, .leaf_lambda = most * 0.5}, parameters).leaves.size();
  }
  state.counters["leaves"] = benchmark::Counter(static_cast<double>(leaves), benchmark::Counter::kAvgIterations);
}
BENCHMARK(grow_tree)->Unit(benchmark::kMillisecond);

/// The margins of all labels for one row, whose mask leaves few conjunctions alive.
void kill_matrix(benchmark::State& state) {
  constexpr int kLabels = 30;
  std::vector<std::string> labels = {"TOP"};
  for (int i = 1; i < kLabels; ++i) labels.push_back("L" + std::to_string(i));
  const AtomSpace space(labels, {"NN", "VB", "DT"}, {{"the", 10}, {"tree", 10}}, 1);
  Rng rng(1, "kill_matrix");
  std::vector<Conjunction> conjunctions;
  for (int i = 0; i < state.range(0); ++i) {
    Conjunction& conjunction = conjunctions.emplace_back();
    conjunction.label = static_cast<int>(i * kLabels / state.range(0));
    conjunction.weight = 1;
    for (int k = 0; k < 20; ++k) {
      const int atom = static_cast<int>(rng.below(static_cast<uint64_t>(space.size())));
      conjunction.literals.push_back(atom * 2 + (k == 0));
    }
    std::ranges::sort(conjunction.literals);
  }
  const KillMatrix matrix(space, conjunctions, std::vector<float>(kLabels, 0));
  std::vector<uint64_t> mask(static_cast<size_t>(matrix.bits().words()));
  for (uint64_t& word : mask) {
    for (int i = 0; i < 4; ++i) word |= mix(rng.below(uint64_t{1} << 62));  // 15 of 16 bits
  }
  for (auto _ : state) {
    float sum = 0;
    for (int label = 0; label < kLabels; ++label) sum += matrix.margin(label, mask.data());
    benchmark::DoNotOptimize(sum);
  }
}
BENCHMARK(kill_matrix)->Arg(1000)->Arg(4000)->Arg(8000);

}  // namespace
}  // namespace espalier
