// Derivations of a cube search: the derivation of a given tree, which is unique if the tree is projective and is built
// after the search, since the search may have lost it; and the arcs and parts below any hypothesis. The second half of
// cube.h, which includes it; tested by cube_test.cc.
#pragma once

#include "espalier/search/cube.h"

namespace espalier {

template <class Parts>
auto CubeSearch<Parts>::derive(std::span<const int> heads, std::span<const int> labels)
    -> const std::vector<DerivedItem>& {
  derived_.clear();
  derived_in_beam_.clear();
  int end, item;
  const int goal = derive_side(0, kRightSide, heads, labels, end, item);
  at(goal).score += at(goal).finish;
  return derived_;
}

/// The derivation of one side of a head: its hypothesis, its outermost word, and its derived item (kNone: bare word).
template <class Parts>
int CubeSearch<Parts>::derive_side(int head, Side side, std::span<const int> heads, std::span<const int> labels,
                                   int& end, int& item) {
  const int step = side == kRightSide ? 1 : -1;
  const Side inner_side = side == kRightSide ? kLeftSide : kRightSide;
  int here = complete(head, head, side).begin;
  end = head;
  item = kNone;
  for (int m = head + step; m >= 1 && m <= words_; m += step) {
    if (heads[m] != head) continue;
    int inner_end, inner_item, outer_end, outer_item;
    const int inner = derive_side(m, inner_side, heads, labels, inner_end, inner_item);
    const int outer = derive_side(m, side, heads, labels, outer_end, outer_item);
    const int arc = arcs_->find(head, m), label = labels[m];
    const int link = static_cast<int>(hypotheses_.size());
    hypotheses_.push_back(make_link(here, inner, arc, label, link_score(at(here), at(inner), arc, label)));
    const int low = std::min(head, m), high = std::max(head, m);
    add_derived(link, incomplete(low, high, side), low, high - low, item, inner_item);
    const int link_item = static_cast<int>(derived_.size()) - 1;
    here = static_cast<int>(hypotheses_.size());
    hypotheses_.push_back(make_completion(link, outer, completion_score(at(link), at(outer))));
    const int from = std::min(head, outer_end), to = std::max(head, outer_end);
    add_derived(here, complete(from, to, side), from, to - from, link_item, outer_item);
    item = static_cast<int>(derived_.size()) - 1;
    end = outer_end;
  }
  return here;
}

template <class Parts>
void CubeSearch<Parts>::add_derived(int hypothesis, const Beam& beam, int start, int width, int left, int right) {
  const Hypothesis& own = at(hypothesis);
  // Bare words are the same in all derivations; any other item of the tree may have a hypothesis in the beam, too.
  const auto equal = [&](int id, int own_id, int item) {
    return item == kNone ? id == own_id : id == derived_in_beam_[item];
  };
  int found = kNone;
  for (int id = beam.begin; id < beam.begin + beam.count; ++id) {
    const Hypothesis& h = at(id);
    if (h.arc == own.arc && h.label == own.label && equal(h.left, own.left, left) && equal(h.right, own.right, right))
      found = id;
  }
  derived_in_beam_.push_back(found);
  const int best = beam.count ? beam.begin : kNone;
  derived_.push_back({hypothesis, best, best != kNone && best == found, start, width, left, right});
}

template <class Parts>
template <class Attach>
void CubeSearch<Parts>::for_each_arc(int id, Attach&& attach) const {
  const Hypothesis& h = at(id);
  if (h.arc == kNone) return;
  if (h.link) attach(h.arc, static_cast<int>(h.label));
  for_each_arc(h.left, attach);
  for_each_arc(h.right, attach);
}

template <class Parts>
template <class Visitor>
void CubeSearch<Parts>::for_each_part(int id, Visitor&& visitor) const {
  const Hypothesis& h = at(id);
  if (h.arc == kNone) return;
  for_each_part(h.left, visitor);
  for_each_part(h.right, visitor);
  const Hypothesis &left = at(h.left), &right = at(h.right);
  // Both events attach a finished side of the modifier (`right`) below the arc.
  const int m = arcs_->modifier(h.arc);
  const ModifierList& last = list(right.list);
  if (h.link) {
    visitor.arc(h.arc, h.label);
    if (order_ >= 2) visitor.sibling(h.arc, h.label, list(left.list).arc, list(left.list).label);
    if (order_ >= 3 && left.list != 0)
      visitor.tri_sibling(h.arc, h.label, list(left.list).arc, list(list(left.list).previous).arc);
  } else if (order_ >= 3) {
    const ModifierList& inner = list(at(left.right).list);
    visitor.extreme(h.arc, h.label, inner.arc, last.arc);
    visitor.frame(h.arc, h.label, inner.labels, last.labels);
  }
  if (order_ < 2) return;
  for (int node = right.list; node != 0; node = list(node).previous) {
    visitor.grandchild(list(node).arc, list(node).label, h.arc, h.label);
    if (order_ >= 3) visitor.grand_sibling(list(node).arc, list(node).label, h.arc, list(list(node).previous).arc);
  }
  const Side outer = arcs_->side(h.arc), inner = outer == kRightSide ? kLeftSide : kRightSide;
  visitor.stop(m, h.link ? inner : outer, last.arc, last.label, last.count);
  if (!h.link && arcs_->head(h.arc) == 0 && last_word(id) == words_)
    visitor.stop(0, kRightSide, list(h.list).arc, list(h.list).label, list(h.list).count);
}

}  // namespace espalier
