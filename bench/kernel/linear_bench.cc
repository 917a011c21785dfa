// The inner loops of transition parsing: hashing the templates, finding rows, adding them up. Time is per state.
#include <benchmark/benchmark.h>

#include "espalier/base/rng.h"
#include "espalier/features/stack_view.h"
#include "espalier/features/zhang_nivre.h"
#include "espalier/weights/linear.h"

namespace espalier {
namespace {

/// A model of `rows` features; half of the probes find one, as in parsing.
struct Model {
  explicit Model(size_t rows) {
    OnlineLinear online(64);
    const std::vector<float> change(64, 0.5f);
    for (size_t i = 0; i < rows; i += 100) {
      std::vector<uint64_t> keys;
      for (size_t k = i; k < i + 100; ++k) keys.push_back(mix(k + 1));
      std::vector<uint32_t> found(keys.size());
      online.locate(keys, found.data());
      online.change(found, change);
    }
    online.tick();
    linear = online.freeze({.least_updates = 1});
    Rng rng(1, "probe");
    for (int i = 0; i < 100000; ++i) probes.push_back(mix(rng.below(2 * rows) + 1));
  }
  std::span<const uint64_t> next(size_t count) {
    if ((at += count) + count > probes.size()) at = 0;
    return std::span(probes).subspan(at, count);
  }
  Linear linear;
  std::vector<uint64_t> probes;
  size_t at = 0;
};

void find_and_sum(benchmark::State& state) {
  Model model(static_cast<size_t>(state.range(0)));
  int16_t row[64] = {};
  for (auto _ : state) {
    model.linear.add(model.next(180), row);
    benchmark::DoNotOptimize(row);
  }
}
BENCHMARK(find_and_sum)->Arg(10000)->Arg(200000)->Arg(1000000);

void find_only(benchmark::State& state) {
  Model model(static_cast<size_t>(state.range(0)));
  const FindRows find = state.range(1) ? find_rows() : find_rows_portable;
  ScaledRow rows[kMostFeatures];
  for (auto _ : state) {
    find(model.linear.index(), model.next(180), rows);
    benchmark::DoNotOptimize(rows);
  }
}
BENCHMARK(find_only)->ArgNames({"rows", "best"})->Args({1000000, 0})->Args({1000000, 1});

template <class Table>
void gather_and_hash(benchmark::State& state) {
  Sentence sentence;
  for (int i = 0; i < 30; ++i) {
    Token token;
    token.form = "word" + std::to_string(i);
    token.upos = "X";
    sentence.tokens.push_back(token);
  }
  SentenceAtoms atoms;
  atoms.encode(sentence, {});
  ItemArena arena;
  arena.reset(30);
  StackState stack;
  for (int i = 0; i < 5; ++i) stack.shift(arena);
  const StackView view;
  StateView seen;
  uint64_t keys[kMostFeatures];
  for (auto _ : state) {
    view.gather(stack, arena, atoms, seen);
    benchmark::DoNotOptimize(TemplateFeatures<Table>::all_keys(seen, keys));
    benchmark::DoNotOptimize(keys);
  }
  state.SetLabel(std::to_string(Table::list.size()) + " templates");
}
BENCHMARK(gather_and_hash<RichStandard>);
BENCHMARK(gather_and_hash<RichHybrid>);
BENCHMARK(gather_and_hash<FastHybrid>);

}  // namespace
}  // namespace espalier
