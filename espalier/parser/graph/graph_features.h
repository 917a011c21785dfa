// Makes the parts of one sentence's trees and the keys of their features: every word's share of every template is
// hashed once, so that a part's keys are sums of a few rows of numbers. Tested by parser/graph/graph_parser_test.cc.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/parser/graph/graph_model.h"
#include "espalier/parser/graph/graph_part.h"
#include "espalier/parser/graph/graph_sentence.h"
#include "espalier/space/arc_set.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// The hashed names of tags (by number) and labels; with them keys are the same in every model.
struct PartNames {
  std::vector<uint64_t> tags, labels, frame_bits;
};
PartNames part_names(const GraphModel& model);

class GraphFeatures {
 public:
  static constexpr int kMaxKeys = 192;     ///< of any part: templates plus tags between
  static constexpr int kMaxPartKeys = 32;  ///< of parts that are not arcs

  explicit GraphFeatures(const GraphModel& model, PartNames names = {}) : model_(&model), names_(std::move(names)) {}
  const PartNames& names() const { return names_; }

  /// First the sentence, then the arcs, numbered; then `expand`.
  void encode(const Sentence& sentence) {
    sentence_.encode(sentence, model_->tags, model_->filled);
    arcs_.reset(sentence.size());
  }
  ArcSet& mutable_arcs() { return arcs_; }
  void expand();

  const GraphModel& model() const { return *model_; }
  const GraphSentence& sentence() const { return sentence_; }
  const ArcSet& arcs() const { return arcs_; }

  // Parts without labels; arcs are numbers of arcs(), ArcSet::kNone stands for "no such modifier".
  GraphPart arc(int a) const;
  GraphPart sibling(int a, int s) const;
  GraphPart grandchild(int a, int g) const;
  GraphPart stop(int head, Side side, int last, int count) const;
  GraphPart tri_sibling(int a, int s, int t) const;
  GraphPart grand_sibling(int a, int g, int s) const;
  GraphPart extreme(int a, int inner, int outer) const;
  GraphPart frame(int a, uint64_t inner, uint64_t outer) const;

  /// Writes the keys of a part's features and returns their number. If the part has two arcs, the first `pairs` of them
  /// have copies for the labels of both.
  int keys(const GraphPart& part, uint64_t* out) const;
  int pairs(const GraphPart& part) const { return model_->templates.sets[part.kind].pairs(); }
  /// Calls visit(is_arc_table, key, column) for every feature of a labelled part.
  template <class Visit>
  void for_each_feature(const GraphPart& part, Visit&& visit) const;

 private:
  int word(int a) const { return a == ArcSet::kNone ? sentence_.no_word() : arcs_.modifier(a); }
  int between_keys(int head, int modifier, uint64_t* out) const;
  /// A set as a number: its bits, or the sum of its members' names.
  static uint64_t set_of(uint64_t bits, const std::vector<uint64_t>& names);

  const GraphModel* model_;
  PartNames names_;
  GraphSentence sentence_;
  ArcSet arcs_;
  std::vector<uint64_t> shares_[kPartKinds][kMaxRoles];
};

template <class Visit>
void GraphFeatures::for_each_feature(const GraphPart& part, Visit&& visit) const {
  uint64_t all[kMaxKeys];
  const int count = keys(part, all), paired = part.outer_label < 0 ? 0 : pairs(part);
  for (int t = 0; t < count; ++t) {
    if (part.kind == kArcPart) {
      visit(true, all[t], 0u);
      visit(true, all[t], static_cast<uint32_t>(1 + part.label));
      continue;
    }
    visit(false, all[t], hashed_column(all[t], kUnlabelled));
    if (part.label >= 0) visit(false, all[t], hashed_column(all[t], label_hash(part.label)));
    if (t < paired) visit(false, all[t], hashed_column(all[t], label_pair_hash(part.outer_label, part.label)));
  }
}

}  // namespace espalier
