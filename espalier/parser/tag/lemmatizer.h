// The lemmatizer: takes the lemma from the user's lexicon, else from the dictionary, else makes it by an edit and a
// casing (lemma_edit.h) chosen by a linear model; one row of scores has columns for both. It reads tags, so in a
// pipeline it follows the tagger. Tested by learn/tag/lemmatizer_trainer_test.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/parser/tag/lemma_dictionary.h"
#include "espalier/parser/tag/lemma_edit.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// The model of a lemmatizer.
struct LemmatizerModel {
  LemmaDictionary dictionary;
  std::vector<LemmaEdit> edits;  ///< at least one, the frequent ones first
  Linear weights;                ///< columns: casings, then edits
};
inline int lemma_columns(size_t edits) { return kCasings + static_cast<int>(edits); }

std::unique_ptr<Parser> make_lemmatizer(LemmatizerModel model);
/// Setting `lexicon`: a file of lemmas that take precedence.
std::unique_ptr<Parser> load_lemmatizer(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
