// The templates of recipe `greedy` (features/zhang_nivre.h) over states of the learning-to-search parser: so that ways
// of learning can be compared on equal features. Tested by tests/l2s_parser_test.cc.
#pragma once

#include "espalier/features/feature_bag.h"
#include "espalier/features/stack_view.h"
#include "espalier/features/zhang_nivre.h"

namespace espalier {

/// `State`: L2sParser's.
template <class State>
void rich_features(const State& c, const SentenceAtoms& atoms, FeatureBag& bag) {
  StateView view{};
  const auto value = [&](StateValue kind, uint64_t x) { view.value[kind] = value_atom(kind, x); };
  const auto place = [&](Slot slot, int word) {
    view.word[slot] = atoms.word(word);
    return word;
  };
  const auto beside = [](int word, int offset) { return word > 0 ? word + offset : -1; };

  const int s0 = place(S0, c.s(0)), s1 = place(S1, c.s(1)), n0 = place(N0, c.b(0));
  place(S2, c.s(2));
  place(N1, c.b(1));
  place(N2, c.b(2));
  place(N3, c.b(3));
  place(S0before, beside(s0, -1));
  place(S0after, beside(s0, 1));
  place(S1after, beside(s1, 1));
  place(N0before, beside(n0, -1));
  // A word on the stack has no head yet.
  place(S0h, -1);
  place(S0h2, -1);
  value(S0Label, 0);
  value(S0hLabel, 0);

  const auto child = [&](Slot slot, StateValue label, int parent, size_t which) {
    const int word = place(slot, parent < 0 ? -1 : c.nodes[parent].child[which]);
    value(label, word < 0 ? 0 : c.nodes[word].label_atom);
  };
  const auto side = [&](int parent, bool left, StateValue count, StateValue set) {
    const auto lefts = parent < 0 ? 0 : c.nodes[parent].lefts, rights = parent < 0 ? 0 : c.nodes[parent].rights;
    value(count, static_cast<uint64_t>(std::min(left ? lefts : rights, 5)));
    value(set, parent < 0 ? 0 : left ? c.nodes[parent].left_set : c.nodes[parent].right_set);
  };
  child(S0l, S0lLabel, s0, 0);
  child(S0l2, S0l2Label, s0, 1);
  child(S0r, S0rLabel, s0, 2);
  child(S0r2, S0r2Label, s0, 3);
  child(S1l, S1lLabel, s1, 0);
  child(S1l2, S1l2Label, s1, 1);
  child(S1r, S1rLabel, s1, 2);
  child(S1r2, S1r2Label, s1, 3);
  child(N0l, N0lLabel, n0, 0);
  child(N0l2, N0l2Label, n0, 1);
  side(s0, true, S0leftCount, S0leftSet);
  side(s0, false, S0rightCount, S0rightSet);
  side(s1, true, S1leftCount, S1leftSet);
  side(s1, false, S1rightCount, S1rightSet);
  side(n0, true, N0leftCount, N0leftSet);
  value(DistS0N0, stack_distance(s0, n0));
  value(DistS1S0, stack_distance(s1, s0));

  using Features = TemplateFeatures<RichHybrid>;
  bag.clear();
  Features::all_keys(view, bag.extend(Features::kCount));
}

}  // namespace espalier
