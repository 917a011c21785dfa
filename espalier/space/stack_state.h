// The state of all stack-based transition systems: a stack and a buffer of immutable items in an arena, so that a state
// is three numbers, cheap to copy, and beam states share their history.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/base/hash.h"

namespace espalier {

/// A word on the stack (or at the buffer's front) with what has been attached to it so far.
struct StackItem {
  static constexpr int kNone = -1;

  int word = 0;
  int below = kNone;              ///< arena index of the item beneath it (in the buffer: behind it)
  int head = kNone;               ///< arc-eager only: words get their head while they stay on the stack
  int left[2] = {kNone, kNone};   ///< leftmost and second leftmost dependent
  int right[2] = {kNone, kNone};  ///< rightmost and second rightmost dependent
  int16_t label = kNone;          ///< of the arc from `head`
  int16_t left_label[2] = {kNone, kNone}, right_label[2] = {kNone, kNone};
  uint16_t left_count = 0, right_count = 0;
  uint64_t left_set = 0, right_set = 0;  ///< labels seen on either side, as a bit per label (modulo 64)
  uint64_t signature = 0;                ///< hash of all that features see of the item, without `below`

  /// Adds a dependent. It becomes the outermost on its side, unless SWAP has led to a farther one before.
  void attach(int dependent, int arc_label) {
    const bool is_left = dependent < word;
    int* kids = is_left ? left : right;
    int16_t* labels = is_left ? left_label : right_label;
    auto farther = [&](int other) { return other == kNone || (is_left ? dependent < other : dependent > other); };
    if (farther(kids[0])) {
      kids[1] = kids[0];
      labels[1] = labels[0];
      kids[0] = dependent;
      labels[0] = static_cast<int16_t>(arc_label);
    } else if (farther(kids[1])) {
      kids[1] = dependent;
      labels[1] = static_cast<int16_t>(arc_label);
    }
    ++(is_left ? left_count : right_count);
    (is_left ? left_set : right_set) |= uint64_t{1} << (arc_label & 63);
    sign(static_cast<uint64_t>(dependent) << 16 ^ static_cast<uint64_t>(arc_label));
  }
  void set_head(int new_head, int arc_label) {
    head = new_head;
    label = static_cast<int16_t>(arc_label);
    sign(~(static_cast<uint64_t>(new_head) << 16 ^ static_cast<uint64_t>(arc_label)));
  }

 private:
  void sign(uint64_t event) { signature = combine(signature, event); }
};

/// Memory of all items of one sentence; cleared, not freed, between sentences.
struct ItemArena {
  std::vector<StackItem> items;
  int last = 0;  ///< number of the last buffer word

  void reset(int last_word) {
    items.clear();
    last = last_word;
  }
  const StackItem& operator[](int index) const { return items[index]; }
  int add(StackItem item, int below) {
    item.below = below;
    items.push_back(item);
    return static_cast<int>(items.size()) - 1;
  }
  static StackItem fresh(int word) {
    StackItem item;
    item.word = word;
    item.signature = mix(static_cast<uint64_t>(word) + 1);
    return item;
  }
};

/// σ and β. The buffer is a chain of items (words that already have dependents, or that SWAP put back), followed by
/// the untouched words next..last.
struct StackState {
  int top = StackItem::kNone;
  int front = StackItem::kNone;
  int next = 1;

  bool buffer_empty(const ItemArena& a) const { return front == StackItem::kNone && next > a.last; }
  /// Word number of b0, b1, ...; 0 past the end.
  int b(const ItemArena& a, int ahead) const {
    for (int index = front; index != StackItem::kNone; index = a[index].below, --ahead)
      if (ahead == 0) return a[index].word;
    return next + ahead <= a.last ? next + ahead : 0;
  }
  StackItem front_item(const ItemArena& a) const {
    return front != StackItem::kNone ? a[front] : ItemArena::fresh(next);
  }

  void pop(const ItemArena& a) { top = a[top].below; }
  void pop_front(const ItemArena& a) {
    if (front != StackItem::kNone) {
      front = a[front].below;
    } else {
      ++next;
    }
  }
  void shift(ItemArena& a) {
    const StackItem item = front_item(a);
    pop_front(a);
    top = a.add(item, top);
  }
  /// Replaces b0 by a changed copy of it.
  void replace_front(ItemArena& a, const StackItem& item) {
    pop_front(a);
    front = a.add(item, front);
  }
};

}  // namespace espalier
