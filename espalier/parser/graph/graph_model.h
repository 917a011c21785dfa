// The model of a graph parser without its weights: labels, tags, templates of parts, the arc filter, options of search.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "espalier/parser/graph/arc_filter.h"
#include "espalier/parser/graph/graph_templates.h"
#include "espalier/tree/sentence.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

struct GraphModel {
  static constexpr int kMaxCandidates = 8;
  static constexpr float kLargestGap = 1e6f;

  bool projective = true;          ///< Eisner or cube; else spanning trees
  bool single_root = true;         ///< one word hangs on the root; else any number
  bool pseudo_projective = false;  ///< labels encode lifted arcs
  ArcFilter filter;
  float arc_gap = 0;  ///< arcs whose best tree is this far below the best are dropped before parts are scored; 0 = none
  float label_gap = 0;  ///< labels this far below their arc's best are dropped before parts are scored; 0 = none

  std::string columns;           ///< letters of the columns that templates may use
  AtomColumns filled;            ///< which columns the training data filled
  bool hall = false;             ///< only the arc templates of Hall et al. (2011)
  bool part_morphology = false;  ///< FEATS and suffixes in siblings and grandchildren, too
  int order = 3;                 ///< 1, 2 or 3
  int candidates = 2;            ///< labels tried per arc, at most
  bool coarse = false;           ///< arcs have a separate coarse score, by which arc_gap drops them
  Vocabulary labels, tags;
  std::string parts = "all";  ///< which are scored (part_kinds)
  GraphTemplates templates;

  std::vector<uint32_t> label_hashes;  ///< by label
  std::vector<uint64_t> frame_bits;    ///< by label: its bit in a frame; 0 = not part of frames
  /// The labels seen with (direction, tag of head, tag of modifier): allowed[begin[i]..begin[i+1]), all if none.
  std::vector<uint16_t> allowed;
  std::vector<uint32_t> allowed_begin;

  Roots roots() const { return single_root ? Roots::kOne : Roots::kAny; }
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
  /// The value of features in the coarse score. Without parts beside it, that score needs larger weights than the
  /// others, which would lose precision, since the bytes of a row have one scale.
  static constexpr float kCoarseValue = 16;

  /// Computes the members that are derived from labels and columns.
  void finish();

 private:
  std::vector<uint16_t> all_labels_;
  std::vector<uint32_t> pair_hashes_;
};

}  // namespace espalier
