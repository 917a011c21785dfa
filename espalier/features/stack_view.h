// The view of a stack state that templates read.
#pragma once

#include <algorithm>
#include <bit>
#include <span>
#include <vector>

#include "espalier/features/templates.h"
#include "espalier/space/stack_state.h"

namespace espalier {

/// 1, 2, 3, 4, 5–10, more (Zhang & Nivre 2011 as in ZPar); 0 if a word is missing.
inline uint64_t stack_distance(int left, int right) {
  const int d = right - left;
  if (left < 0 || right <= 0) return 0;
  return static_cast<uint64_t>(d <= 4 ? d : d <= 10 ? 5 : 6);
}

class StackView {
 public:
  /// The value of label l is l, or names[l] if there are names.
  explicit StackView(std::span<const uint64_t> names = {}) {
    for (int v = 0; v < kStateValues; ++v)
      for (uint64_t i = 0; i < kSmall; ++i) small_[v][i] = value_atom(static_cast<StateValue>(v), i);
    for (int v = S0lLabel; v <= S0hLabel; ++v)
      for (size_t l = 0; l < std::min<size_t>(names.size(), kSmall - 1); ++l)
        small_[v][l + 1] = value_atom(static_cast<StateValue>(v), names[l]);
  }

  void gather(const StackState& c, const ItemArena& a, const SentenceAtoms& atoms, StateView& view) const {
    static const StackItem kNothing = [] {
      StackItem item;
      item.word = -1;
      return item;
    }();
    const StackItem& s0 = c.top == StackItem::kNone ? kNothing : a[c.top];
    const StackItem& s1 = s0.below == StackItem::kNone ? kNothing : a[s0.below];
    const int s2 = s1.below == StackItem::kNone ? -1 : a[s1.below].word;
    const StackItem& front = c.front == StackItem::kNone ? kNothing : a[c.front];
    const int n0 = past_end(c.b(a, 0)), n1 = past_end(c.b(a, 1)), n2 = past_end(c.b(a, 2));

    view.to_cluster = atoms.to_cluster();
    auto set = [&](Slot slot, int word) { view.word[slot] = atoms.word(word); };
    set(S0, s0.word);
    set(S1, s1.word);
    set(S2, s2);
    set(N0, n0);
    set(N1, n1);
    set(N2, n2);
    set(N3, n2 > 0 ? n2 + 1 : -1);  // the words from N2 on are untouched
    set(S0before, s0.word > 0 ? s0.word - 1 : -1);
    set(S0after, s0.word > 0 ? s0.word + 1 : -1);
    set(S1after, s1.word > 0 ? s1.word + 1 : -1);
    set(N0before, n0 > 0 ? n0 - 1 : -1);
    set(S0l, s0.left[0]);
    set(S0r, s0.right[0]);
    set(S0l2, s0.left[1]);
    set(S0r2, s0.right[1]);
    set(S1l, s1.left[0]);
    set(S1r, s1.right[0]);
    set(S1l2, s1.left[1]);
    set(S1r2, s1.right[1]);
    set(N0l, front.left[0]);
    set(N0l2, front.left[1]);
    set(S0h, s0.head);
    set(S0h2, s0.head == StackItem::kNone ? -1 : s1.head);

    auto small = [&](StateValue kind, uint64_t value) { view.value[kind] = small_[kind][std::min(value, kSmall - 1)]; };
    auto label = [&](StateValue kind, int16_t value) { small(kind, static_cast<uint64_t>(value + 1)); };
    small(DistS0N0, stack_distance(s0.word, n0));
    small(DistS1S0, stack_distance(s1.word, s0.word));
    label(S0lLabel, s0.left_label[0]);
    label(S0rLabel, s0.right_label[0]);
    label(S0l2Label, s0.left_label[1]);
    label(S0r2Label, s0.right_label[1]);
    label(S1lLabel, s1.left_label[0]);
    label(S1rLabel, s1.right_label[0]);
    label(S1l2Label, s1.left_label[1]);
    label(S1r2Label, s1.right_label[1]);
    label(N0lLabel, front.left_label[0]);
    label(N0l2Label, front.left_label[1]);
    label(S0Label, s0.label);
    label(S0hLabel, s0.head == StackItem::kNone ? int16_t{-1} : s1.label);
    auto count = [&](StateValue kind, uint16_t value) { small(kind, std::min<uint64_t>(value, 5)); };
    count(S0leftCount, s0.left_count);
    count(S0rightCount, s0.right_count);
    count(S1leftCount, s1.left_count);
    count(S1rightCount, s1.right_count);
    count(N0leftCount, front.left_count);
    auto labels = [&](StateValue kind, uint64_t value) { view.value[kind] = value_atom(kind, value); };
    labels(S0leftSet, s0.left_set);
    labels(S0rightSet, s0.right_set);
    labels(S1leftSet, s1.left_set);
    labels(S1rightSet, s1.right_set);
    labels(N0leftSet, front.left_set);

    const uint64_t buffer =
        combine(static_cast<uint64_t>(n0 + 1), static_cast<uint64_t>(n1 + 1) << 32 | static_cast<uint64_t>(n2 + 1));
    view.near = combine(buffer, static_cast<uint64_t>(s0.word + 1) << 32 | static_cast<uint64_t>(s1.word + 1));
    view.structure = combine(combine(buffer, s0.signature), combine(s1.signature, front.signature));
    view.deep = combine(view.near, static_cast<uint64_t>(s2 + 1));
  }

 private:
  static constexpr uint64_t kSmall = 512;
  static int past_end(int word) { return word == 0 ? -1 : word; }
  uint64_t small_[kStateValues][kSmall];
};

/// Sees labels by name, so that equal states have the same atoms in every model. Slower.
class NamedStackView {
 public:
  explicit NamedStackView(std::span<const uint64_t> names) : view_(names), names_(names.begin(), names.end()) {}

  void prepare(ItemArena&) const {}
  void gather(const StackState& c, const ItemArena& a, const SentenceAtoms& atoms, StateView& view) const {
    view_.gather(c, a, atoms, view);
    const int top = c.top, second = top == StackItem::kNone ? top : a[top].below;
    const auto sets = [&](int item, StateValue left, StateValue right) {
      view.value[left] = value_atom(left, item == StackItem::kNone ? 0 : name_of(a[item].left_set));
      view.value[right] = value_atom(right, item == StackItem::kNone ? 0 : name_of(a[item].right_set));
    };
    sets(top, S0leftSet, S0rightSet);
    sets(second, S1leftSet, S1rightSet);
    view.value[N0leftSet] = value_atom(N0leftSet, c.front == StackItem::kNone ? 0 : name_of(a[c.front].left_set));
  }

 private:
  /// A bit that several labels share has the name of the first of them, usually the most frequent one.
  uint64_t name_of(uint64_t set) const {
    uint64_t sum = 0;
    for (; set; set &= set - 1) sum += names_[std::countr_zero(set)];
    return sum;
  }

  StackView view_;
  std::vector<uint64_t> names_;
};

}  // namespace espalier
