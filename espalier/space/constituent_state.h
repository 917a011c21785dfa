// The state of a shift-reduce constituent parser: a stack of immutable constituents in an arena, so that a state is
// three numbers and beam states share their history.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/tree/binarise.h"

namespace espalier {

/// A word, or a constituent with its two children, or with its one child.
struct ConstituentItem {
  static constexpr int kNone = -1;

  int below = kNone;                  ///< arena index of the item beneath it
  int left = kNone, right = kNone;    ///< arena indices of its children; a unary one has `left` alone
  int first = 0, last = 0, head = 0;  ///< words
  int16_t label = kNone;              ///< of its top node; kNone for words
  int16_t step_label = kNone;         ///< label of the step that made it; a unary step may make a chain of nodes
  BinaryTree::Kind kind = BinaryTree::kWord;
  bool part = false;         ///< more children of this constituent follow
  bool grows_right = false;  ///< a part that has a child to the right of its head: none will follow on the left
  uint8_t children = 0;      ///< of the constituent, so far
  uint64_t production = 0;   ///< labels of its children, from the head outwards
  /// Hashes of what features see of the item: [0] of itself, [1] with its children; without `below`.
  uint64_t look[2] = {0, 0};
};

/// Memory of all items of one sentence; cleared, not freed, between sentences.
struct ConstituentArena {
  std::vector<ConstituentItem> items;
  std::vector<uint64_t> tags;  ///< hashes of the tags of word 0..n; filled by callers that want them in `production`
  std::span<const uint64_t> names;  ///< hashes of the labels' names, if `production` should not depend on label numbers
  int last = 0;                     ///< number of the last word

  void reset(int words) {
    items.clear();
    tags.resize(words + 1);
    last = words;
  }
  const ConstituentItem& operator[](int index) const { return items[index]; }
  int add(const ConstituentItem& item) {
    items.push_back(item);
    return static_cast<int>(items.size()) - 1;
  }
  uint64_t id(int label) const { return names.empty() ? static_cast<uint64_t>(label) : names[label]; }
  /// A label, or a word's tag, as a hash; different for parts and complete constituents.
  uint64_t symbol(const ConstituentItem& item) const {
    if (item.label == ConstituentItem::kNone) return tags[item.first];
    return mix(id(item.label) * 2 + item.part + 1);
  }
};

struct ConstituentState {
  int top = ConstituentItem::kNone;
  int next = 1;            ///< the first word of the buffer
  bool unary_due = false;  ///< the top is new: a unary step comes next
};

}  // namespace espalier
