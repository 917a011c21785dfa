// What a cube-pruning hypothesis knows of its head's modifiers on one side: a list from the inside out, shared between
// hypotheses and never changed. A list carries signatures, by which hypotheses are told apart, the labels it holds, and
// room for sums over its arcs, one per possible arc above the head and label of that, which the search fills when it
// first needs them. Tested through cube_test.cc.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/space/arc_set.h"

namespace espalier {

/// One modifier more than `previous`.
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
  /// A sum that has not been asked for yet.
  static constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

  void clear() {
    lists_.assign(1, {});
    sums_.clear();
  }
  const ModifierList& operator[](int id) const { return lists_[id]; }
  float& sum(size_t place) { return sums_[place]; }

  /// A new list: `previous` and an arc more, with room for so many sums.
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

  /// The signature of a link not made yet: the list it would make and what it shows of the modifier's inner side.
  /// Short: the two outermost modifiers, how many there are, the outermost child inside. Full: everything.
  static uint64_t link_signature(const ModifierList& before, const ModifierList& inner, int arc, int label, bool full) {
    if (full) return combine(combine(name(arc, label), before.full_signature), inner.full_signature);
    return combine(pair_signature(arc, label, before),
                   clipped(before.count + 1) * 1000003 + static_cast<uint64_t>(inner.arc + 1));
  }

 private:
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
