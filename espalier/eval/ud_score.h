// The metrics of the CoNLL 2018 shared task (Zeman et al. 2018, §3): precision, recall and F1 of segmentation, tags,
// lemmas and trees, also where system and gold split the text differently. Labels are cut at ':', features are the
// universal ones only. CLAS counts content words, MLAS also their tags, features and function words, BLEX their lemmas.
// Tested by eval/ud_score_test.cc against hand-computed cases.
#pragma once

#include <span>

#include "espalier/eval/counts.h"
#include "espalier/eval/word_alignment.h"
#include "espalier/tree/sentence.h"

namespace espalier {

struct UdScore {
  Overlap tokens, sentences, words;
  Overlap upos, xpos, ufeats, alltags, lemmas;
  Overlap uas, las, clas, mlas, blex;
  // Not of the shared task: labels with their subtypes, and without words whose UPOS is PUNCT.
  Overlap las_full, uas_nopunct, las_nopunct;
};

UdScore score_ud(const FlatTreebank& gold, const FlatTreebank& system);
UdScore score_ud(std::span<const Sentence> gold, std::span<const Sentence> system);

bool is_content_label(std::string_view universal_label);
bool is_functional_label(std::string_view universal_label);

}  // namespace espalier
