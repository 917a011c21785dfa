#include "espalier/learn/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>

#include "espalier/base/parallel.h"
#include "espalier/learn/checkpoint.h"
#include "espalier/learn/progress.h"
#include "espalier/parser/model_file.h"

namespace espalier {

std::vector<Fold> contiguous_folds(size_t items, int folds) {
  const size_t count = std::clamp<size_t>(items, 1, static_cast<size_t>(std::max(folds, 1)));
  std::vector<Fold> blocks;
  for (size_t i = 0; i < count; ++i) blocks.push_back({items * i / count, items * (i + 1) / count});
  return blocks;
}

std::vector<size_t> scattered_order(size_t items, int folds) {
  constexpr int kPiecesPerFold = 8;
  const auto stride = static_cast<size_t>(std::max(folds, 1));
  const std::vector<Fold> pieces = contiguous_folds(items, kPiecesPerFold * static_cast<int>(stride));
  std::vector<size_t> order;
  for (size_t fold = 0; fold < stride; ++fold)
    for (size_t piece = fold; piece < pieces.size(); piece += stride)
      for (size_t i = pieces[piece].begin; i < pieces[piece].end; ++i) order.push_back(i);
  return order;
}

TrainData outside(std::span<const Sentence> sentences, const Fold& fold) {
  TrainData data;
  data.train.reserve(sentences.size() - (fold.end - fold.begin));
  std::ranges::copy(sentences.first(fold.begin), std::back_inserter(data.train));
  std::ranges::copy(sentences.subspan(fold.end), std::back_inserter(data.train));
  return data;
}

std::vector<Sentence> inside(std::span<const Sentence> sentences, const Fold& fold) {
  const auto part = sentences.subspan(fold.begin, fold.end - fold.begin);
  return {part.begin(), part.end()};
}

std::vector<std::string> run_folds(size_t folds, const std::string& name, const std::string& identity,
                                   const TrainContext& context, const FoldJob& job) {
  const auto name_of = [&](size_t fold) { return fmt::format("{}-{}-of-{}", name, fold + 1, folds); };
  const auto checkpoints = [&](bool resume) {
    std::vector<Checkpoint> all;
    for (size_t fold = 0; fold < folds; ++fold) all.emplace_back(part_file(context, name_of(fold)), identity, resume);
    return all;
  };
  std::vector<Checkpoint> finished = checkpoints(context.resume);
  if (context.make_parts) {
    std::vector<std::string> missing;
    for (const Checkpoint& fold : finished)
      if (!fold.open()) missing.push_back(fold.file());
    if (!missing.empty()) context.make_parts(missing);
    finished = checkpoints(true);
  }
  // All folds, or the only one that is wanted.
  const auto only =
      context.only_part.empty() ? finished.end() : std::ranges::find(finished, context.only_part, &Checkpoint::file);
  const bool all = only == finished.end();
  const size_t first = all ? 0 : static_cast<size_t>(only - finished.begin()), count = all ? folds : 1;
  // Folds share the threads; if there are more threads than folds, each fold gets several.
  const int workers = static_cast<int>(std::min<size_t>(folds, static_cast<size_t>(std::max(context.threads, 1))));
  std::vector<std::string> results(folds);
  std::mutex mutex;
  Progress progress;
  progress.phase = name;
  progress.total = count;
  parallel_for(count, workers, [&](int, size_t i) {
    const size_t fold = first + i;
    if (const auto kept = finished[fold].open()) {
      const auto bytes = kept->array<char>("result");
      results[fold].assign(bytes.begin(), bytes.end());
    } else {
      if (context.stopping()) throw stopped_without_model();
      TrainContext own = part_context(context, name_of(fold));
      own.threads = std::max(1, context.threads / std::max(workers, 1));
      own.progress = [](const Progress&) {};
      own.note = [](const std::string&) {};
      own.make_parts = {};
      own.only_part = "";
      results[fold] = job(fold, own);
      ModelWriter writer;
      writer.add("result", results[fold]);
      finished[fold].write(std::move(writer));
      remove_checkpoint(own);
    }
    const std::lock_guard lock(mutex);
    ++progress.done;
    progress.epoch_end = progress.done == progress.total;
    context.progress(progress);
  });
  if (!all) throw OnlyPartDone();
  return results;
}

}  // namespace espalier
