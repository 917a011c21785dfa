#include "espalier/learn/folds.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <mutex>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/hash.h"
#include "espalier/base/parallel.h"

namespace espalier {

namespace fs = std::filesystem;

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

std::string checkpoint_folder(const TrainContext& context) {
  return context.checkpoint.empty() ? "" : context.checkpoint + ".parts";
}

std::vector<std::string> run_folds(size_t folds, const std::string& name, const std::string& key,
                                   const TrainContext& context, const FoldJob& job) {
  const std::string folder = checkpoint_folder(context);
  if (!folder.empty()) fs::create_directories(folder);
  const auto file = [&](size_t fold) {
    return fmt::format("{}/{}-{:016x}-{}-of-{}", folder, name, hash_string(key), fold + 1, folds);
  };

  // Folds share the threads; what is left over goes to each of them.
  const int workers = static_cast<int>(std::min<size_t>(folds, static_cast<size_t>(std::max(context.threads, 1))));
  TrainContext own = context;
  own.threads = std::max(1, context.threads / std::max(workers, 1));
  own.resume = false;
  own.checkpoint.clear();
  own.progress = [](const Progress&) {};
  own.note = [](const std::string&) {};

  std::vector<std::string> results(folds);
  std::mutex mutex;
  Progress progress;
  progress.phase = name;
  progress.total = folds;
  parallel_for(folds, workers, [&](int, size_t fold) {
    if (context.stopping()) return;
    if (context.resume && !folder.empty() && fs::exists(file(fold))) {
      results[fold] = read_file(file(fold));
    } else {
      results[fold] = job(fold, own);
      if (context.stopping()) return;  // perhaps cut short: not a result
      if (!folder.empty()) write_file(file(fold), results[fold]);
    }
    const std::lock_guard lock(mutex);
    ++progress.done;
    progress.epoch_end = progress.done == folds;
    context.progress(progress);
  });
  if (context.stopping()) throw run_error("stopped during '{}'; --resume goes on with the folds that are left", name);
  return results;
}

}  // namespace espalier
