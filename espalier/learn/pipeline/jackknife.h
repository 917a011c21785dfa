// Jackknifed tags: every sentence is tagged by a tagger that was trained on the other blocks. A parser trained on such
// tags learns to cope with a tagger's mistakes. Tested by jackknife_test.cc.
#pragma once

#include <vector>

#include "espalier/learn/trainer.h"

namespace espalier {

/// `treebank` with UPOS, XPOS and FEATS predicted by `folds` taggers.
std::vector<Sentence> jackknife_tags(const std::vector<Sentence>& treebank, int folds, const Trainer& tagger,
                                     const TrainContext& context);

/// Setting `tags`: 0 for "input", K for "jackknife:K".
int jackknife_folds(SettingsReader& settings);

/// Tags what the tagger has not learned from: dev, and the data of further objectives.
void tag_unseen(const Parser& tagger, TrainData& data, int threads);

/// Wraps `train`: it gets the tags of setting `tags`. Those of the training data are jackknifed, other data is tagged
/// by a tagger trained on all training data. The tagger is that of recipe `tagger.recipe`, changed by the keys
/// "tagger.".
TrainFunction with_tags_as_set(SettingsReader& settings, TrainFunction train);

}  // namespace espalier
