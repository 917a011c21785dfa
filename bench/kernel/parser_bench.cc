// One sentence through each kind of search, with models trained on the spot on invented sentences: greedy steps, beam
// steps by width, the tagger, the graph parsers. Items are words. The models are tiny and stay in the caches: what is
// measured is the search and its features; `espalier bench` measures real models.
#include <benchmark/benchmark.h>

#include "espalier/learn/trained.h"
#include "espalier/learn/trainer.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

void parse(benchmark::State& state, const Settings& settings) {
  const auto parser = train(settings, {toy_treebank(200, 1), {}}, {}).parser;
  const auto workspace = parser->make_workspace();
  std::vector<Sentence> sentences = toy_treebank(100, 2);
  long words = 0;
  for (auto _ : state) {
    for (Sentence& sentence : sentences) {
      parser->parse(sentence, *workspace);
      words += sentence.size();
    }
  }
  state.SetItemsProcessed(words);
}

BENCHMARK_CAPTURE(parse, greedy, settings({"recipe=greedy", "epochs=3"}));
BENCHMARK_CAPTURE(parse, greedy_fast_features, settings({"recipe=greedy", "epochs=3", "features=fast"}));
BENCHMARK_CAPTURE(parse, beam_8, settings({"recipe=beam", "epochs=3", "beam=8"}));
BENCHMARK_CAPTURE(parse, beam_64, settings({"recipe=beam", "epochs=1", "beam=64"}));
BENCHMARK_CAPTURE(parse, tagger, settings({"recipe=tagger", "epochs=3"}));
BENCHMARK_CAPTURE(parse, mst, settings({"recipe=mst", "epochs=1"}));
BENCHMARK_CAPTURE(parse, cube, settings({"recipe=cube", "epochs=1"}));

}  // namespace
}  // namespace espalier
