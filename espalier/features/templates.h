// Feature templates as compile-time tables. A template is a conjunction of up to three atoms: fields of words at named
// positions of the state, or values of the state itself. The compiler turns a table into straight-line code that mixes
// 64-bit values, without strings, branches or allocations.
//
// Templates are grouped by what they look at. Beam states that agree in what a group looks at share its sum of weights
// (parser/sequential/state_scorer.h), so that most sums of a beam are computed once.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "espalier/base/hash.h"
#include "espalier/features/word_atoms.h"

namespace espalier {

/// Positions of a state. l/r = leftmost/rightmost dependent, 2 = the second, h = head.
enum Slot : uint8_t {
  S0,
  S1,
  S2,
  N0,
  N1,
  N2,
  N3,  // stack from the top, buffer from the front
  S0before,
  S0after,
  S1after,
  N0before,  // neighbours in the sentence
  S0l,
  S0r,
  S0l2,
  S0r2,
  S1l,
  S1r,
  S1l2,
  S1r2,
  N0l,
  N0l2,
  S0h,
  S0h2,
  kSlots
};

/// Values of a state that are not words.
enum StateValue : uint8_t {
  DistS0N0,
  DistS1S0,
  S0lLabel,
  S0rLabel,
  S0l2Label,
  S0r2Label,
  S1lLabel,
  S1rLabel,
  S1l2Label,
  S1r2Label,
  N0lLabel,
  N0l2Label,
  S0Label,
  S0hLabel,
  S0leftCount,
  S0rightCount,
  S1leftCount,
  S1rightCount,
  N0leftCount,
  S0leftSet,
  S0rightSet,
  S1leftSet,
  S1rightSet,
  N0leftSet,
  kStateValues
};

/// One atom of a template: a field of the word at a slot, or a state value.
struct Atom {
  static constexpr uint8_t kState = 255;
  uint8_t slot, field;

  template <class Value>
  requires std::is_enum_v<Value>
  constexpr Atom(Value value) : slot(kState), field(value) {}
  constexpr Atom(uint8_t s, WordAtoms::Field f) : slot(s), field(f) {}
};

constexpr Atom operator|(Slot slot, WordAtoms::Field field) { return {slot, field}; }

// The fields by short names, for readable tables: S0|W is the form of the stack's top.
// K = its class of words and 10, 6 or 4 bits of its path.
constexpr auto K = WordAtoms::kCluster, K10 = WordAtoms::kClusterBits10, K6 = WordAtoms::kClusterBits6,
               K4 = WordAtoms::kClusterBits4;
constexpr auto W = WordAtoms::kForm, P = WordAtoms::kTag, X = WordAtoms::kFine, T = WordAtoms::kFormTag,
               F = WordAtoms::kMorph, Z = WordAtoms::kSuffix, H = WordAtoms::kShape, B = WordAtoms::kPrefix;

struct Template {
  Atom a, b, c;
  int atoms;

  constexpr Template(Atom x) : a(x), b(x), c(x), atoms(1) {}
  constexpr Template(Atom x, Atom y) : a(x), b(y), c(y), atoms(2) {}
  constexpr Template(Atom x, Atom y, Atom z) : a(x), b(y), c(z), atoms(3) {}

  template <class Test>
  constexpr bool any(Test test) const {
    return test(a) || (atoms > 1 && test(b)) || (atoms > 2 && test(c));
  }
};

enum Group : int {
  kNear,       ///< words at the top of the stack and the front of the buffer
  kStructure,  ///< also their dependents
  kDeep,       ///< as kNear, and the third stack word
  kGroups
};

class StackView;
class NamedStackView;

/// The words and values of a state from which atoms are read. Other kinds of state have a view with the same members.
struct StateView {
  using Gatherer = StackView;            ///< fills the view
  using NamedGatherer = NamedStackView;  ///< with values that mean the same in every model
  using Atoms = SentenceAtoms;

  const WordAtoms* word[kSlots];
  std::ptrdiff_t to_cluster;
  uint64_t value[kStateValues];
  uint64_t near, structure, deep;  ///< for each group, a hash of all that its templates look at

  template <Atom kAtom>
  uint64_t get() const {
    if constexpr (kAtom.slot == Atom::kState)
      return value[kAtom.field];
    else if constexpr (kAtom.field >= WordAtoms::kFields)
      return word[kAtom.slot][to_cluster].field[kAtom.field - WordAtoms::kFields];
    else
      return word[kAtom.slot]->field[kAtom.field];
  }

  static constexpr Group group_of(const Template& t) {
    if (t.any([](Atom a) { return a.slot == S2; })) return kDeep;
    const bool built = t.any([](Atom a) { return a.slot == Atom::kState ? a.field >= S0lLabel : a.slot >= S0l; });
    return built ? kStructure : kNear;
  }
};

// ---- building tables ----

template <size_t... kSizes>
constexpr auto join(const std::array<Template, kSizes>&... parts) {
  constexpr size_t kTotal = (kSizes + ...);
  return [&]<size_t... kIndex>(std::index_sequence<kIndex...>) {
    const Template* begins[] = {parts.data()...};
    constexpr size_t sizes[] = {kSizes...};
    auto at = [&](size_t i) {
      size_t part = 0;
      while (i >= sizes[part]) i -= sizes[part++];
      return begins[part][i];
    };
    return std::array<Template, kTotal>{at(kIndex)...};
  }
  (std::make_index_sequence<kTotal>());
}

template <size_t kSize>
constexpr std::array<Template, kSize> templates(const Template (&list)[kSize]) {
  return std::to_array(list);
}

/// Wraps a constexpr array of templates as a feature extractor. `Table::list` is the array.
template <class Table, class StateViewOfTable = StateView>
class TemplateFeatures {
 public:
  using View = StateViewOfTable;
  static constexpr int kCount = static_cast<int>(Table::list.size());
  static constexpr int count() { return kCount; }

  /// Keys of one group, written to `keys`; returns their number.
  template <Group kGroup>
  static int keys(const View& view, uint64_t* keys) {
    return fill<kGroup>(view, keys, std::make_index_sequence<Table::list.size()>());
  }
  static int all_keys(const View& view, uint64_t* out) {
    int n = keys<kNear>(view, out);
    n += keys<kStructure>(view, out + n);
    return n + keys<kDeep>(view, out + n);
  }
  /// The templates in the order of `all_keys`.
  static std::array<Template, Table::list.size()> in_order() {
    std::array<Template, Table::list.size()> sorted = Table::list;
    size_t n = 0;
    for (const Group group : {kNear, kStructure, kDeep})
      for (const Template& t : Table::list)
        if (View::group_of(t) == group) sorted[n++] = t;
    return sorted;
  }

 private:
  template <Group kGroup, size_t... kIndex>
  static int fill(const View& view, uint64_t* out, std::index_sequence<kIndex...>) {
    int n = 0;
    ((View::group_of(Table::list[kIndex]) == kGroup ? void(out[n++] = key<kIndex>(view)) : void()), ...);
    return n;
  }

  template <size_t kIndex>
  static uint64_t key(const View& view) {
    constexpr Template t = Table::list[kIndex];
    uint64_t x = mix(kIndex + 1) ^ view.template get<t.a>();
    if constexpr (t.atoms > 1) x ^= std::rotl(view.template get<t.b>(), 23);
    if constexpr (t.atoms > 2) x ^= std::rotl(view.template get<t.c>(), 46);
    x *= 0x9fb21c651e98df25u;
    return x ^ (x >> 32);
  }
};

/// A random-looking value for a small number of a given kind (a label, a count, a distance).
constexpr uint64_t value_atom(StateValue kind, uint64_t value) { return mix((uint64_t{kind} + 1) << 48 ^ value); }

}  // namespace espalier
