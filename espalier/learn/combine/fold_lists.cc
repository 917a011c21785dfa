#include "espalier/learn/combine/fold_lists.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "espalier/learn/folds.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/parse_all.h"

namespace espalier {
namespace {

/// The available memory; unlimited if the system does not report it.
double available_bytes() {
  std::ifstream file("/proc/meminfo");
  for (std::string name, rest; file >> name && std::getline(file, rest);)
    if (name == "MemAvailable:") return 1024 * std::stod(rest);
  return 1e18;
}

/// The number of trainings that fit into memory. A beam parser, the largest, takes about 17 KB per word.
int workers_that_fit(const std::vector<Sentence>& treebank, int threads) {
  constexpr double kBytesPerWord = 17000, kShare = 0.8;
  double words = 1;
  for (const Sentence& sentence : treebank) words += sentence.size();
  return static_cast<int>(std::clamp(kShare * available_bytes() / (kBytesPerWord * words), 1.0, double(threads)));
}

}  // namespace

std::vector<CandidateList> lists_of(const Parser& parser, std::span<const Sentence> sentences, int width, size_t size,
                                    int threads) {
  std::vector<CandidateList> lists(sentences.size());
  for_each_with_workspace(parser, sentences.size(), threads, [&](size_t i, Workspace& workspace) {
    if (sentences[i].size() == 0) return;
    lists[i] = kbest(parser, sentences[i], width, workspace);
    if (lists[i].size() > size) lists[i].resize(size);
  });
  return lists;
}

std::vector<CandidateList> jackknifed_lists(const std::vector<Sentence>& treebank,
                                            const std::vector<ObjectiveData>& objectives, const Trainer& trainer,
                                            const FoldOptions& options, const TrainContext& context) {
  const std::vector<size_t> order = scattered_order(treebank.size(), options.folds);
  std::vector<Sentence> sentences;
  for (const size_t i : order) sentences.push_back(treebank[i]);
  const std::vector<Fold> blocks = contiguous_folds(sentences.size(), options.folds);

  TrainContext own = context;
  own.threads = workers_that_fit(treebank, std::max(context.threads, 1));
  const auto width = static_cast<size_t>(options.width);
  const std::string key =
      fmt::format("{} width {}", run_identity(trainer.settings, {sentences, {}, objectives}, context.seed), width);
  const auto results = run_folds(blocks.size(), options.name, key, own, [&](size_t i, const TrainContext& fold) {
    TrainData rest = outside(sentences, blocks[i]);
    rest.objectives = objectives;
    const Trained trained = trainer.train(rest, fold);
    if (trained.stopped || !trained.parser) throw stopped_without_model();
    std::string text;
    const std::vector<Sentence> held_out = inside(sentences, blocks[i]);
    const auto lists = lists_of(*trained.parser, held_out, options.width, width, fold.threads);
    for (size_t k = 0; k < held_out.size(); ++k) append_list(held_out[k], lists[k], text);
    return text;
  });

  std::vector<CandidateList> lists(treebank.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    const auto part = std::span(sentences).subspan(blocks[i].begin, blocks[i].end - blocks[i].begin);
    auto of_part = read_lists(part, options.size, results[i]);
    for (size_t k = 0; k < of_part.size(); ++k) lists[order[blocks[i].begin + k]] = std::move(of_part[k]);
  }
  return lists;
}

}  // namespace espalier
