// Tokens per second of readers and writers, on invented sentences with the columns of a Universal Dependencies
// treebank, from memory to memory.
#include <benchmark/benchmark.h>

#include <sstream>

#include "espalier/base/rng.h"
#include "espalier/format/format.h"

namespace espalier {
namespace {

std::vector<Sentence> invented_sentences(int count) {
  Rng rng(1, "reader_bench");
  std::vector<Sentence> sentences(static_cast<size_t>(count));
  for (Sentence& sentence : sentences) {
    sentence.comments = {"# sent_id = weblog-example_0001", "# text = an invented sentence of some length"};
    const int words = 5 + static_cast<int>(rng.below(25));
    for (int i = 1; i <= words; ++i) {
      Token& token = sentence.tokens.emplace_back();
      token.form = std::string(1 + rng.below(10), static_cast<char>('a' + rng.below(26)));
      token.lemma = token.form;
      token.upos = "NOUN";
      token.xpos = "NNS";
      token.feats = rng.below(2) ? "_" : "Mood=Ind|Number=Sing|Person=3|Tense=Past";
      token.head = i - 1;
      token.deprel = "nsubj";
      token.deps = std::to_string(i - 1) + ":nsubj";
      if (rng.below(5) == 0) token.misc = "SpaceAfter=No";
    }
    ConstituentTree& tree = sentence.constituents;
    tree.nodes.resize(static_cast<size_t>(words) + 1);
    tree.nodes[0].label = "ROOT";
    for (int i = 1; i <= words; ++i) {
      tree.nodes[0].children.push_back(i);
      tree.nodes[static_cast<size_t>(i)].label = "NNS";
      tree.nodes[static_cast<size_t>(i)].word = i;
    }
  }
  return sentences;
}

long words_of(const std::vector<Sentence>& sentences) {
  long words = 0;
  for (const Sentence& sentence : sentences) words += sentence.size();
  return words;
}

void read(benchmark::State& state, const char* format) {
  const std::vector<Sentence> sentences = invented_sentences(2000);
  std::ostringstream text;
  const auto writer = make_writer(format, text);
  for (const Sentence& sentence : sentences) writer->write(sentence);
  for (auto _ : state) {
    std::istringstream input(text.str());
    const auto reader = make_reader(format, input, {});
    for (Sentence sentence; reader->next(sentence);) benchmark::DoNotOptimize(sentence.tokens.data());
  }
  state.SetItemsProcessed(state.iterations() * words_of(sentences));
}

void write(benchmark::State& state, const char* format) {
  const std::vector<Sentence> sentences = invented_sentences(2000);
  for (auto _ : state) {
    std::ostringstream output;
    const auto writer = make_writer(format, output);
    for (const Sentence& sentence : sentences) writer->write(sentence);
    benchmark::DoNotOptimize(output);
  }
  state.SetItemsProcessed(state.iterations() * words_of(sentences));
}

BENCHMARK_CAPTURE(read, conllu, "conllu");
BENCHMARK_CAPTURE(read, conllx, "conllx");
BENCHMARK_CAPTURE(read, ptb, "ptb");
BENCHMARK_CAPTURE(read, json, "json");
BENCHMARK_CAPTURE(write, conllu, "conllu");
BENCHMARK_CAPTURE(write, conllx, "conllx");
BENCHMARK_CAPTURE(write, ptb, "ptb");
BENCHMARK_CAPTURE(write, json, "json");

}  // namespace
}  // namespace espalier
