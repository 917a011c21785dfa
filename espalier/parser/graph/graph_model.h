// What a graph parser knows beside its weights: labels, tags and templates of parts, the arc filter, and how to search.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/parser/graph/arc_filter.h"
#include "espalier/parser/graph/graph_templates.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

struct GraphModel {
  static constexpr int kMaxCandidates = 8;
  static constexpr float kLargestGap = 1e6f;

  bool projective = true;          ///< Eisner or cube; else spanning trees
  bool pseudo_projective = false;  ///< labels encode lifted arcs
  ArcFilter filter;
  float arc_gap = 0;    ///< of the arcs that the filter left, which to drop when they are scored; 0 = none
  float label_gap = 0;  ///< of an arc's labels, which to drop before parts are scored; 0 = none

  std::string columns;           ///< letters of the columns that templates may use
  AtomColumns filled;            ///< which columns the training data filled
  bool hall = false;             ///< of arcs only what Hall et al. (2011) look at
  bool part_morphology = false;  ///< FEATS and suffixes in siblings and grandchildren, too
  int order = 3;                 ///< 1, 2 or 3
  int candidates = 2;            ///< labels tried per arc, at most
  bool coarse = false;           ///< arcs have a score of their own by which they are dropped before parts are scored
  Vocabulary labels, tags;
  GraphTemplates templates;

  std::vector<uint32_t> label_hashes;  ///< by label
  std::vector<uint64_t> frame_bits;    ///< by label: its bit in a frame; 0 = not part of frames
  /// The labels seen with (direction, tag of head, tag of modifier): allowed[begin[i]..begin[i+1]), all if none.
  std::vector<uint16_t> allowed;
  std::vector<uint32_t> allowed_begin;

  std::span<const uint16_t> allowed_labels(bool right, int head_tag, int modifier_tag) const {
    const size_t at = (static_cast<size_t>(right) * kTags + head_tag) * kTags + modifier_tag;
    const uint32_t from = allowed_begin[at], to = allowed_begin[at + 1];
    return from == to ? std::span<const uint16_t>(all_labels_)
                      : std::span<const uint16_t>(allowed).subspan(from, to - from);
  }
  uint32_t pair_hash(int outer, int label) const { return pair_hashes_[outer * labels.size() + label]; }
  /// Tag numbers in use: the root, those of the vocabulary, and the one for all others.
  static constexpr int kTags = GraphSentence::kMaxTags + 1;
  /// Columns of an arc's row: one without label, one per label, the coarse one, which is the last; a multiple of 16.
  int arc_columns() const { return (labels.size() + 1 + coarse + 15) / 16 * 16; }
  int coarse_column() const { return arc_columns() - 1; }
  /// Its features count so much. A score that has no parts beside it needs larger weights than the others, and would
  /// cost these their precision, since a row's bytes have one scale.
  static constexpr float kCoarseValue = 16;

  /// Derives what follows from labels and columns.
  void finish();

 private:
  std::vector<uint16_t> all_labels_;
  std::vector<uint32_t> pair_hashes_;
};

}  // namespace espalier
