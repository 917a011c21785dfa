// Feature templates of graph parsers as data. A template names columns of the words that a part is made of:
//
//   "hp h+1p mp dir"    tag of the head, of the word after it, and of the modifier, with the part's coarse context
//
// Each word's share of every template is hashed once per sentence; a part's feature keys are then sums of a few rows of
// numbers. Letters of columns: graph_sentence.h. Tested by parser/graph/graph_parser_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/parser/graph/graph_sentence.h"

namespace espalier {

class TemplateSet {
 public:
  TemplateSet() = default;
  /// `text`: templates separated by ";". A template ends in `dir` (coarse context), `dist` (fine context) or neither;
  /// one that begins with "@" also has a copy for the labels of both arcs of the part. `roles`: one letter per word of
  /// the part. Templates that use columns not in `columns` are left out. Fine contexts are 0..contexts-1, and the
  /// coarse one of c is c / fine_per_coarse. Throws a usage Error if the text makes no sense.
  TemplateSet(std::string_view text, std::string_view roles, std::string_view columns, int contexts,
              int fine_per_coarse);

  int size() const { return static_cast<int>(templates_.size()); }
  int roles() const { return roles_; }
  /// "hp mp dist" of template t, with the roles' letters.
  const std::string& text(int t) const { return texts_[t]; }
  std::string_view letters() const { return letters_; }
  /// The number of templates that have copies for pairs of labels; these come first.
  int pairs() const { return pairs_; }

  /// A word's share of all templates in one role, for words 0..n+1: out[word * size() + template].
  void expand(const GraphSentence& sentence, int role, std::vector<uint64_t>& out) const;
  const uint64_t* context(int fine) const { return &contexts_[fine * size()]; }
  /// A context that is not a small number, for template t; both hashes must be well mixed.
  uint64_t context(int t, uint64_t fine, uint64_t coarse) const {
    return templates_[t].context == 2 ? fine * templates_[t].salt
                                      : (templates_[t].context == 1 ? coarse * templates_[t].salt : 0);
  }

 private:
  struct Slot {
    int template_number;
    int place;        // of the atom, relative to the word's first
    uint64_t factor;  // odd
  };
  struct Template {
    int context = 0;  // 0 none, 1 coarse, 2 fine
    uint64_t salt = 0;
  };
  int roles_ = 0, pairs_ = 0;
  std::vector<Template> templates_;
  std::vector<Slot> slots_[4];  // by role
  std::vector<uint64_t> contexts_;
  std::vector<std::string> texts_;
  std::string letters_;
};

/// Which parts a model has, and their templates.
enum PartKind : int {
  kArcPart,
  kSiblingPart,
  kGrandchildPart,
  kStopPart,
  kTriSiblingPart,
  kGrandSiblingPart,
  kExtremePart,
  kFramePart,
  kPartKinds
};
inline constexpr int kMaxRoles = 4;
/// What settings call those that can be left out, from kSiblingPart on.
inline constexpr std::string_view kPartNames[] = {"sibling",       "grandchild", "stop", "tri-sibling",
                                                  "grand-sibling", "extreme",    "frame"};
static_assert(std::size(kPartNames) == kPartKinds - kSiblingPart);
/// "sibling,frame": arcs and these, "all" or "". Throws a usage Error for a name that is none.
std::vector<PartKind> part_kinds(const std::string& names);

struct GraphTemplates {
  GraphTemplates() = default;
  /// `hall`: only the arc templates of Hall et al. (2011). `morphology`: FEATS and suffixes in siblings and
  /// grandchildren. Parts that are not among `kinds` have no templates, and score 0.
  GraphTemplates(std::string_view columns, bool hall, bool morphology, std::span<const PartKind> kinds);
  TemplateSet sets[kPartKinds];
};

/// Distances 1, 2, 3, 4, 5, 6-10, more: 0..6.
inline int arc_distance(int a, int b) {
  const int distance = a < b ? b - a : a - b;
  return distance <= 5 ? distance - 1 : (distance <= 10 ? 5 : 6);
}
inline constexpr int kDistances = 7;

}  // namespace espalier
