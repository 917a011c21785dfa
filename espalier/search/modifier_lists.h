// The modifiers of a hypothesis's head on one side, for cube pruning: a list from the inside out, immutable and shared
// between hypotheses. A list has signatures, which distinguish hypotheses, the set of its labels, and a cache of sums
// over its arcs: one for each possible arc into the head and each label of that arc, filled when the search first needs
// it. Tested through cube_test.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/space/arc_set.h"

namespace espalier {

/// A list is the list `previous` and one modifier more.
struct ModifierList {
  int arc = ArcSet::kNone, previous = 0;
  int16_t label = 0, count = 0;
  int sums = 0;         ///< where its sums begin
  uint64_t labels = 0;  ///< union of label bits
  uint64_t signature = 0, full_signature = 0;
};

class ModifierLists {
 public:
  static constexpr int kEmpty = 0;
  /// A sum that has not been computed yet.
  static constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

  void clear() {
    lists_.assign(1, {});
    sums_.clear();
  }
  const ModifierList& operator[](int id) const { return lists_[id]; }
  float& sum(size_t place) { return sums_[place]; }

  /// A new list: `previous` and one more arc, with room for `sums` sums.
  int extend(int previous, int arc, int label, uint64_t label_bit, int sums) {
    const ModifierList before = lists_[previous];
    const auto count = static_cast<int16_t>(before.count + 1);
    const int first = static_cast<int>(sums_.size());
    sums_.resize(sums_.size() + static_cast<size_t>(sums), kUnknown);
    lists_.push_back({arc, previous, static_cast<int16_t>(label), count, first, before.labels | label_bit,
                      combine(pair_signature(arc, label, before), clipped(count)),
                      combine(name(arc, label), before.full_signature)});
    return static_cast<int>(lists_.size()) - 1;
  }

  /// The signature of a link before it is made: of the list that it would have and of the modifier's inner side.
  /// Short: the two outermost modifiers, their number, the outermost child on the inner side. Full: everything.
  static uint64_t link_signature(const ModifierList& before, const ModifierList& inner, int arc, int label, bool full) {
    if (full) return combine(combine(name(arc, label), before.full_signature), inner.full_signature);
    return combine(pair_signature(arc, label, before),
                   clipped(before.count + 1) * 1000003 + static_cast<uint64_t>(inner.arc + 1));
  }

  /// The short signature without labels: of a list, and of a link before it is made.
  uint64_t skeleton(const ModifierList& list) const { return skeleton(list.arc, lists_[list.previous], list.count); }
  static uint64_t link_skeleton(const ModifierList& before, const ModifierList& inner, int arc) {
    return combine(skeleton(arc, before, before.count + 1), static_cast<uint64_t>(inner.arc + 1));
  }

 private:
  static uint64_t skeleton(int arc, const ModifierList& before, int count) {
    return combine(combine(static_cast<uint64_t>(arc + 1), static_cast<uint64_t>(before.arc + 1)), clipped(count));
  }
  static uint64_t name(int arc, int label) {
    return static_cast<uint64_t>(arc) * 64 + static_cast<uint64_t>(label) + 1;
  }
  static uint64_t pair_signature(int arc, int label, const ModifierList& before) {
    return combine(name(arc, label), before.count == 0 ? 0 : name(before.arc, before.label));
  }
  static uint64_t clipped(int count) { return static_cast<uint64_t>(std::min(count, 5)); }

  std::vector<ModifierList> lists_ = std::vector<ModifierList>(1);
  std::vector<float> sums_;
};

}  // namespace espalier
