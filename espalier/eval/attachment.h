// Attachment scores of dependency trees over the same words: UAS, LAS and relatives (CoNLL-X, Buchholz & Marsi 2006),
// arc-length score and root F1 (Hall et al. 2011), tagging accuracies. One pass per sentence; the counts of sentences
// add up, so that trainers, reports and significance tests share them. Tested by eval/attachment_test.cc.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "espalier/eval/counts.h"
#include "espalier/eval/punctuation.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// Counts of one sentence or of many. Words without a gold head are not scored for attachment; a head that the system
/// does not give is wrong. Tags, features and lemmas are compared on every word that is annotated in gold.
struct AttachmentScore {
  long sentences = 0, words = 0;
  Share uas, las, las_universal, label;  ///< head; head and label; the same with labels cut at ':'; label alone
  Share uem, lem;                        ///< sentences with all scored heads (and labels) right
  Share upos, xpos, feats, lemma;
  Share arc_length, arc_length_labelled;    ///< words weighted by the length of their gold arc: ALS
  Share root_length, root_length_labelled;  ///< the share of arc_length that is due to root arcs
  double arc_length_sum = 0;                ///< sum of the sentences' ALS, for its mean
  Overlap root;                             ///< words with head 0
  /// Where gold has the order of another language (Order= in MISC): the sentences' reorder_score, in millionths; the
  /// number of exact orders.
  Share reorder, reorder_exact;

  AttachmentScore& operator+=(const AttachmentScore& other);
};

AttachmentScore score_attachment(const Sentence& gold, const Sentence& system,
                                 Punctuation punctuation = Punctuation::kInclude);
/// Both treebanks hold the same sentences in the same order; a sentence missing at the end is all wrong.
AttachmentScore score_attachment(std::span<const Sentence> gold, std::span<const Sentence> system,
                                 Punctuation punctuation = Punctuation::kInclude);

/// Counts of scored words by relation, by distance to the head and by length of the sentence.
struct AttachmentBreakdown {
  struct Group {
    Overlap label;  ///< words with this relation, wherever they are attached
    Overlap arc;    ///< ... with this relation and the right head
  };
  std::map<std::string, Group, std::less<>> relations;

  static constexpr int kDistances = 5;
  static const char* const kDistanceNames[kDistances];  ///< root 1 2 3-6 7+
  Overlap head_by_distance[kDistances], arc_by_distance[kDistances];

  static constexpr int kLengths = 6;
  static const char* const kLengthNames[kLengths];  ///< 1-10 11-20 ... 51+
  Share uas_by_length[kLengths], las_by_length[kLengths];

  void add(const Sentence& gold, const Sentence& system, Punctuation punctuation = Punctuation::kInclude);
};

}  // namespace espalier
