// The view of a shift-reduce state that templates read.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "espalier/features/constituent_atoms.h"
#include "espalier/features/templates.h"
#include "espalier/space/constituent_state.h"

namespace espalier {

/// Words of a state. H0 = head of the stack's top, A0 and Z0 = its first and last word, H0l/H0r = heads of its
/// children; 1, 2, 3 = further down. Ordered by group (group_of).
enum ConstituentSlot : uint8_t {
  cN0,
  cN1,
  cN2,
  cN3,
  H0,
  A0,
  Z0,
  H0l,
  H0r,
  // ---- with the second item
  H1,
  A1,
  Z1,
  H1l,
  H1r,
  Before1,  ///< the word to the left of the second item
  // ---- with what is below
  H2,
  H3,
  kConstituentSlots
};

/// C0 = label of the stack's top (of a word: its tag), T0 with the head's tag, W0 with the head's form.
enum ConstituentValue : uint8_t {
  C0,
  T0,
  W0,
  C0l,
  C0r,
  C0u,
  W0l,
  W0r,
  Production0,  ///< labels of all its children so far
  Length0,
  Kids0,
  Shape0,
  Marks0,    ///< left out behind it
  MarksEnd,  ///< left out at the sentence's end
  Left,      ///< words left in the buffer
  // ---- with the second item
  C1,
  T1,
  W1,
  C1l,
  C1r,
  C1u,
  W1l,
  W1r,
  Production1,
  Length1,
  Kids1,
  Marks1,  ///< left out behind it
  C10,     ///< labels of the two
  T10,
  Length10,
  Shape10,
  Marks10,  ///< left out before it
  // ---- with what is below
  C2,
  T2,
  W2,
  C3,
  W3,
  C210,
  kConstituentValues
};

constexpr Atom operator|(ConstituentSlot slot, WordAtoms::Field field) { return {slot, field}; }

class ConstituentGatherer;
class NamedConstituentGatherer;

struct ConstituentView {
  using Gatherer = ConstituentGatherer;
  using NamedGatherer = NamedConstituentGatherer;
  using Atoms = ConstituentAtoms;

  const WordAtoms* word[kConstituentSlots];
  uint64_t value[kConstituentValues];
  uint64_t near, structure, deep;  ///< the top and the buffer; also the second item; also what is below

  template <Atom kAtom>
  uint64_t get() const {
    if constexpr (kAtom.slot == Atom::kState)
      return value[kAtom.field];
    else
      return word[kAtom.slot]->field[kAtom.field];
  }

  static constexpr Group group_of(const Template& t) {
    const auto uses = [&](ConstituentSlot slot, ConstituentValue value) {
      return t.any([=](Atom a) { return a.slot == Atom::kState ? a.field >= value : a.slot >= slot; });
    };
    return uses(H2, C2) ? kDeep : uses(H1, C1) ? kStructure : kNear;
  }
};

class ConstituentGatherer {
 public:
  void gather(const ConstituentState& c, const ConstituentArena& a, const ConstituentAtoms& atoms,
              ConstituentView& view) const {
    static const ConstituentItem kNothing = [] {
      ConstituentItem item;
      item.first = item.last = item.head = -1;
      return item;
    }();
    const auto at = [&](int index) -> const ConstituentItem& { return index < 0 ? kNothing : a[index]; };
    const ConstituentItem &s0 = at(c.top), &s1 = at(s0.below), &s2 = at(s1.below), &s3 = at(s2.below);
    const ConstituentItem &s0l = at(s0.left), &s0r = at(s0.right), &s1l = at(s1.left), &s1r = at(s1.right);

    const auto word = [&](ConstituentSlot slot, int number) { view.word[slot] = atoms.word(number); };
    word(cN0, c.next), word(cN1, c.next + 1), word(cN2, c.next + 2), word(cN3, c.next + 3);
    word(H0, s0.head), word(A0, s0.first), word(Z0, s0.last), word(H0l, s0l.head), word(H0r, s0r.head);
    word(H1, s1.head), word(A1, s1.first), word(Z1, s1.last), word(H1l, s1l.head), word(H1r, s1r.head);
    word(Before1, s1.first > 1 ? s1.first - 1 : -1);
    word(H2, s2.head), word(H3, s3.head);

    const auto set = [&](ConstituentValue kind, uint64_t value) {
      view.value[kind] = mix(value ^ (uint64_t{kind} + 1) << 56);
    };
    const auto symbol = [&](const ConstituentItem& item) { return item.first < 0 ? 0 : a.symbol(item); };
    const auto item = [&](const ConstituentItem& s, ConstituentValue label, ConstituentValue with_form) {
      const uint64_t id = symbol(s);
      set(label, id);
      set(with_form, combine(id, atoms.word(s.head)->field[WordAtoms::kForm]));
    };
    const auto with_tag = [&](const ConstituentItem& s) {
      return combine(symbol(s), atoms.word(s.head)->field[WordAtoms::kTag]);
    };
    const bool unary0 = s0.kind == BinaryTree::kUnary, unary1 = s1.kind == BinaryTree::kUnary;
    item(s0, C0, W0), item(s1, C1, W1), item(s2, C2, W2), item(s3, C3, W3);
    set(T0, with_tag(s0)), set(T1, with_tag(s1)), set(T2, with_tag(s2));
    set(T10, combine(with_tag(s1), with_tag(s0)));
    item(unary0 ? kNothing : s0l, C0l, W0l), item(s0r, C0r, W0r);
    item(unary1 ? kNothing : s1l, C1l, W1l), item(s1r, C1r, W1r);
    set(C0u, unary0 ? symbol(s0l) : 0), set(C1u, unary1 ? symbol(s1l) : 0);
    set(Production0, s0.production), set(Production1, s1.production);
    const uint64_t pair = combine(symbol(s1), symbol(s0));
    set(C10, pair), set(C210, combine(symbol(s2), pair));

    set(Length0, length(s0.first, s0.last)), set(Length1, length(s1.first, s1.last));
    set(Length10, length(s1.first, s0.last));
    set(Kids0, std::min<uint64_t>(s0.children, 6)), set(Kids1, std::min<uint64_t>(s1.children, 6));
    set(Shape0, shape(atoms, s0.first, s0.last)), set(Shape10, shape(atoms, s1.first, s0.last));
    const auto marks = [&](const ConstituentItem& s) { return s.last < 0 ? 0 : atoms.marks_after(s.last); };
    set(Marks0, marks(s0)), set(Marks1, marks(s1)), set(Marks10, s1.first < 0 ? 0 : atoms.marks_after(s1.first - 1));
    set(MarksEnd, atoms.end_marks());
    set(Left, static_cast<uint64_t>(std::min(a.last - c.next + 1, 4)));

    view.near = combine(s0.look[1], static_cast<uint64_t>(c.next));
    view.structure = combine(view.near, s1.look[1]);
    view.deep = combine(view.structure, combine(s2.look[0], s3.look[0]));
  }

 private:
  static uint64_t length(int first, int last) {
    if (first < 0) return 0;
    const int words = last - first + 1;
    return static_cast<uint64_t>(words <= 5    ? words
                                 : words <= 7  ? 6
                                 : words <= 10 ? 7
                                 : words <= 15 ? 8
                                 : words <= 20 ? 9
                                               : 10);
  }
  static uint64_t shape(const ConstituentAtoms& atoms, int first, int last) {
    return first < 0 || last - first >= 12 ? 0 : atoms.shape(first, last);
  }
};

/// Sees labels by name, so that equal states have the same atoms in every model.
class NamedConstituentGatherer : public ConstituentGatherer {
 public:
  explicit NamedConstituentGatherer(std::span<const uint64_t> names) : names_(names.begin(), names.end()) {}
  void prepare(ConstituentArena& arena) const { arena.names = names_; }

 private:
  std::vector<uint64_t> names_;
};

}  // namespace espalier
