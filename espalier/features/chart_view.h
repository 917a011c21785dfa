// The view of a span, of two neighbouring constituents that could be joined, and of a single one that templates of a
// chart parser read. It is filled in parts, since the templates of a table read only some of it.
#pragma once

#include <algorithm>

#include "espalier/features/constituent_atoms.h"
#include "espalier/features/templates.h"
#include "espalier/space/constituent_state.h"

namespace espalier {

/// Words. Of the span: its first two and last two, and two on either side of it. At a split: the words that meet there.
/// An item is a word or constituent: its head (head of its left or right child: l, r), first and last word, neighbours.
enum ChartSlot : uint8_t {
  First,
  Second,
  Last,
  Last2,
  Before,
  Before2,
  After,
  After2,
  // ---- at a split
  Meet1,
  Meet0,
  // ---- of the left item (1), of the right one (0)
  G1,
  G1l,
  G1r,
  G0,
  G0l,
  G0r,
  // ---- of an item by itself
  Gi,
  Gil,
  Gir,
  FirstI,
  LastI,
  BeforeI,
  AfterI,
  kChartSlots
};

/// C = label (of a word: its tag), T with the head's tag, W with the head's form; l, r, u: of the left, right, only
/// child.
enum ChartValue : uint8_t {
  Length,
  Shape,
  Edges,        ///< whether the span begins, and ends the sentence
  MarksBefore,  ///< punctuation left out before the span
  MarksAfter,
  MarksLast,  ///< at the sentence's end
  // ---- at a split
  LengthL,
  LengthR,
  MarksMeet,
  // ---- of the left item, of the right one
  CL,
  TL,
  WL,
  ChildL1,
  ChildR1,
  ChildU1,
  Children1,  ///< labels of all children of its constituent so far
  Count1,     ///< their number
  CR,
  TR,
  WR,
  ChildL0,
  ChildR0,
  ChildU0,
  Children0,
  Count0,
  CLR,
  TLR,
  // ---- of an item by itself
  Ci,
  Ti,
  Wi,
  ChildLi,
  ChildRi,
  ChildUi,
  WordLi,
  WordRi,
  Childreni,
  Counti,
  Lengthi,
  Marksi,
  kChartValues
};

constexpr Atom operator|(ChartSlot slot, WordAtoms::Field field) { return {slot, field}; }

struct ChartView {
  using Atoms = ConstituentAtoms;

  const WordAtoms* word[kChartSlots];
  uint64_t value[kChartValues];

  template <Atom kAtom>
  uint64_t get() const {
    if constexpr (kAtom.slot == Atom::kState)
      return value[kAtom.field];
    else
      return word[kAtom.slot]->field[kAtom.field];
  }
  static constexpr Group group_of(const Template&) { return kNear; }

  void see_span(const ConstituentAtoms& atoms, int i, int j) {
    const int n = atoms.size();
    word[First] = atoms.word(i), word[Second] = atoms.word(i < j ? i + 1 : -1);
    word[Last] = atoms.word(j), word[Last2] = atoms.word(i < j ? j - 1 : -1);
    word[Before] = at_or_none(atoms, i - 1), word[Before2] = at_or_none(atoms, i - 2);
    word[After] = atoms.word(j + 1), word[After2] = atoms.word(j + 2);
    set(Length, length(i, j));
    set(Shape, j - i >= 12 ? 0 : atoms.shape(i, j));
    set(Edges, static_cast<uint64_t>(i == 1) * 2 + (j == n));
    set(MarksBefore, atoms.marks_after(i - 1)), set(MarksAfter, atoms.marks_after(j));
    set(MarksLast, atoms.end_marks());
  }
  void see_split(const ConstituentAtoms& atoms, int i, int k, int j) {
    word[Meet1] = atoms.word(k), word[Meet0] = atoms.word(k + 1);
    set(LengthL, length(i, k)), set(LengthR, length(k + 1, j));
    set(MarksMeet, atoms.marks_after(k));
  }
  void see_pair(const ConstituentAtoms& atoms, const ConstituentArena& arena, int left, int right) {
    see_item<G1, CL>(atoms, arena, arena[left]);
    see_item<G0, CR>(atoms, arena, arena[right]);
    set(CLR, combine(symbol(arena, arena[left]), symbol(arena, arena[right])));
    set(TLR, combine(with_tag(atoms, arena, arena[left]), with_tag(atoms, arena, arena[right])));
  }
  void see_one(const ConstituentAtoms& atoms, const ConstituentArena& arena, int index) {
    const ConstituentItem& item = arena[index];
    see_item<Gi, Ci>(atoms, arena, item);
    set(WordLi, has_children(item) ? with_form(atoms, arena, arena[item.left]) : 0);
    set(WordRi, has_children(item) ? with_form(atoms, arena, arena[item.right]) : 0);
    set(Childreni, item.production), set(Counti, std::min<uint64_t>(item.children, 6));
    word[FirstI] = atoms.word(item.first), word[LastI] = atoms.word(item.last);
    word[BeforeI] = at_or_none(atoms, item.first - 1), word[AfterI] = atoms.word(item.last + 1);
    set(Lengthi, length(item.first, item.last));
    set(Marksi, atoms.marks_after(item.last));
  }

 private:
  void set(ChartValue kind, uint64_t number) { value[kind] = mix(number ^ (uint64_t{kind} + 1) << 56); }
  static const WordAtoms* at_or_none(const ConstituentAtoms& atoms, int i) { return atoms.word(i < 1 ? -1 : i); }
  static bool has_children(const ConstituentItem& item) { return item.right != ConstituentItem::kNone; }
  static uint64_t symbol(const ConstituentArena& arena, const ConstituentItem& item) { return arena.symbol(item); }
  static uint64_t with_tag(const ConstituentAtoms& atoms, const ConstituentArena& arena, const ConstituentItem& item) {
    return combine(arena.symbol(item), atoms.word(item.head)->field[WordAtoms::kTag]);
  }
  static uint64_t with_form(const ConstituentAtoms& atoms, const ConstituentArena& arena, const ConstituentItem& item) {
    return combine(arena.symbol(item), atoms.word(item.head)->field[WordAtoms::kForm]);
  }
  /// Head, label and children, in slots from kHead on and values from kLabel on.
  template <ChartSlot kHead, ChartValue kLabel>
  void see_item(const ConstituentAtoms& atoms, const ConstituentArena& arena, const ConstituentItem& item) {
    const auto value_at = [](int offset) { return static_cast<ChartValue>(kLabel + offset); };
    const bool binary = has_children(item), unary = item.kind == BinaryTree::kUnary;
    word[kHead] = atoms.word(item.head);
    word[kHead + 1] = atoms.word(binary ? arena[item.left].head : -1);
    word[kHead + 2] = atoms.word(binary ? arena[item.right].head : -1);
    set(kLabel, arena.symbol(item));
    set(value_at(1), with_tag(atoms, arena, item));
    set(value_at(2), with_form(atoms, arena, item));
    set(value_at(3), binary ? arena.symbol(arena[item.left]) : 0);
    set(value_at(4), binary ? arena.symbol(arena[item.right]) : 0);
    set(value_at(5), unary ? arena.symbol(arena[item.left]) : 0);
    if constexpr (kLabel == Ci) return;
    set(value_at(6), item.production);
    set(value_at(7), std::min<uint64_t>(item.children, 6));
  }
  static uint64_t length(int first, int last) {
    const int words = last - first + 1;
    return static_cast<uint64_t>(words <= 5    ? words
                                 : words <= 7  ? 6
                                 : words <= 10 ? 7
                                 : words <= 15 ? 8
                                 : words <= 20 ? 9
                                               : 10);
  }
};

}  // namespace espalier
