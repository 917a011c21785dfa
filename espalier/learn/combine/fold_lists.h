// K-best lists for sentences that the parser has not learned from: every block of the training data is parsed by a
// model trained on the other blocks (jackknifing), other data by a model trained on all of it. Tested by
// hc_trainer_test.cc.
#pragma once

#include <vector>

#include "espalier/learn/combine/list_text.h"
#include "espalier/learn/trainer.h"

namespace espalier {

struct FoldOptions {
  int folds = 10;
  int width = 32;    ///< k of the parser's list, and so the width of its search
  size_t size = 16;  ///< of the lists: the best of these k
  std::string name;  ///< shown as progress; part of the files' names
};

/// One list per training sentence, in the order of the treebank. Blocks are scattered; as many are trained at a time as
/// threads and memory allow. All folds learn from the objectives, as the parser of all
/// data does.
std::vector<CandidateList> jackknifed_lists(const std::vector<Sentence>& treebank,
                                            const std::vector<ObjectiveData>& objectives, const Trainer& trainer,
                                            const FoldOptions& options, const TrainContext& context);

/// The same with a trained parser.
std::vector<CandidateList> lists_of(const Parser& parser, std::span<const Sentence> sentences, int width, size_t size,
                                    int threads);

}  // namespace espalier
