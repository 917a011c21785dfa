// K-fold work over a treebank: every block of sentences is handled by a model that was trained on the others. Used for
// jackknifed tags, arc filters and rerankers, and for the labels of classify, which are trained apart. Folds run in
// parallel, each on its own, so the result does not depend on the number of threads; finished folds are kept beside the
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

/// An order of the items in which every one of `folds` blocks consists of pieces from all over: treebanks are sorted by
/// genre, and a model that has not seen a genre makes more mistakes in it than one ever will in practice. Pieces stay
/// whole, since neighbours resemble each other.
std::vector<size_t> scattered_order(size_t items, int folds);

/// The sentences outside and inside of a fold.
TrainData outside(std::span<const Sentence> sentences, const Fold& fold);
std::vector<Sentence> inside(std::span<const Sentence> sentences, const Fold& fold);

/// What a fold's job gives back, in a form that can be kept in a file. Its context has a checkpoint of its own, for
/// what it trains. If it cannot finish because it is asked to stop, it throws stopped_without_model().
using FoldJob = std::function<std::string(size_t fold, const TrainContext& context)>;

/// job(0..folds-1), results in order. `name` is the phase shown as progress and part of files' names, one of its own
/// within the context; `identity` names what the results depend on (settings, data). Throws if it is asked to stop.
/// Folds may be made elsewhere (context.make_parts), by runs that make one of them and throw OnlyPartDone.
std::vector<std::string> run_folds(size_t folds, const std::string& name, const std::string& identity,
                                   const TrainContext& context, const FoldJob& job);

}  // namespace espalier
