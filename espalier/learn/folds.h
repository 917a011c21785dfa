// K-fold work over a treebank: every block of sentences is processed by a model trained on the others. Used for
// jackknifed tags, arc filters and rerankers, and for the labels of classify, which are trained independently. Folds
// run in parallel, so that the result does not depend on the number of threads; finished folds are kept beside the
// checkpoint for --resume. Tested by folds_test.cc.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "espalier/learn/trainer.h"

namespace espalier {

/// Sentences begin..end-1 are held out.
struct Fold {
  size_t begin = 0, end = 0;
  friend bool operator==(const Fold&, const Fold&) = default;
};

/// Blocks of equal size (±1) that cover 0..items-1 in order; never more blocks than items.
std::vector<Fold> contiguous_folds(size_t items, int folds);

/// An order of the items in which each of `folds` blocks has pieces from the whole treebank: treebanks are sorted by
/// genre, and a model that has not seen a genre makes more mistakes in it than the final model will. Pieces are runs of
/// sentences, since neighbours are similar.
std::vector<size_t> scattered_order(size_t items, int folds);

/// The sentences outside and inside of a fold.
TrainData outside(std::span<const Sentence> sentences, const Fold& fold);
std::vector<Sentence> inside(std::span<const Sentence> sentences, const Fold& fold);

/// The job of a fold, which returns its result as bytes for a file. Its context has a checkpoint of its own. If it is
/// asked to stop before it has a result, it throws stopped_without_model().
using FoldJob = std::function<std::string(size_t fold, const TrainContext& context)>;

/// Runs job(0..folds-1) and returns the results in order. `name` is shown as progress and part of file names, unique
/// within the context; `identity` names what the results depend on (settings, data). Throws if it is asked to stop.
/// Folds may run elsewhere (context.make_parts), in processes that run one of them and throw OnlyPartDone.
std::vector<std::string> run_folds(size_t folds, const std::string& name, const std::string& identity,
                                   const TrainContext& context, const FoldJob& job);

}  // namespace espalier
