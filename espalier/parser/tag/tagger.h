// The tagger: a sequence model gives every word its class (UPOS, or UPOS with XPOS if a row can hold them all), then
// the readings of each class compete (parser/tag/reading_table.h). Both are linear models with frozen weights.
// Tested by learn/tag/tagger_trainer_test.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/features/word_clusters.h"
#include "espalier/parser/parser.h"
#include "espalier/parser/tag/reading_table.h"
#include "espalier/parser/tag/tag_dictionary.h"
#include "espalier/space/action_table.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// The model of a tagger; available through inspect.h.
struct TaggerModel {
  bool xpos = true, feats = true;    ///< which columns to fill besides UPOS
  std::vector<std::string> classes;  ///< names
  ActionTable actions;               ///< of the space Tagging: which classes have a column
  ReadingTable readings;             ///< by column
  std::shared_ptr<const TagDictionary> dictionary;
  std::shared_ptr<const WordClusters> clusters;  ///< null: none
  Linear class_weights, reading_weights;
};

std::unique_ptr<Parser> make_tagger(TaggerModel model);
std::unique_ptr<Parser> load_tagger(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
