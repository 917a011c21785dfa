// Tags as a parser will see them: every sentence is tagged by a tagger that was trained on the other blocks. A parser
// trained on these learns what to make of a tagger's mistakes. Tested by jackknife_test.cc.
#pragma once

#include <vector>

#include "espalier/learn/trainer.h"

namespace espalier {

/// `treebank` with UPOS, XPOS and FEATS predicted by `folds` taggers that `tagger` (a recipe's settings) trains.
std::vector<Sentence> jackknife_tags(const std::vector<Sentence>& treebank, int folds, const Settings& tagger,
                                     const TrainContext& context);

/// Setting `tags`: 0 for "input", K for "jackknife:K".
int jackknife_folds(const Settings& settings);

/// Settings of the tagger that goes with a recipe: those of recipe `tagger.recipe`, changed by the keys "tagger.".
Settings tagger_settings(const Settings& settings);

/// Tags what the tagger has not learned from: dev, and the data of further objectives.
void tag_unseen(const Parser& tagger, TrainData& data, int threads);

/// The data with tags as setting `tags` asks for: what is not train is tagged by a tagger trained on all of train.
TrainData with_predicted_tags(const TrainData& data, int folds, const Settings& tagger, const TrainContext& context);

}  // namespace espalier
