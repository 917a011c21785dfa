// Derivations of a cube search: that of the gold tree, built after the search from gold hypotheses (for a projective
// tree it is unique; the search may have lost it), and the arcs and parts below any hypothesis. The second half of
// cube.h, which includes it; tested by cube_test.cc.
#pragma once

#include "espalier/search/cube.h"

namespace espalier {

template <class Parts>
auto CubeSearch<Parts>::add_gold(std::span<const int> heads, std::span<const int> labels)
    -> const std::vector<GoldNode>& {
  gold_nodes_.clear();
  gold_in_beam_.clear();
  int end, node;
  const int goal = gold_side(0, kRightSide, heads, labels, end, node);
  at(goal).score += at(goal).finish;
  return gold_nodes_;
}

/// The gold derivation of one side of a head: its hypothesis, how far it reaches, and its gold node (kNone: bare).
template <class Parts>
int CubeSearch<Parts>::gold_side(int head, Side side, std::span<const int> heads, std::span<const int> labels, int& end,
                                 int& node) {
  const int step = side == kRightSide ? 1 : -1;
  const Side inner_side = side == kRightSide ? kLeftSide : kRightSide;
  int here = complete(head, head, side).begin;
  end = head;
  node = kNone;
  for (int m = head + step; m >= 1 && m <= words_; m += step) {
    if (heads[m] != head) continue;
    int inner_end, inner_node, outer_end, outer_node;
    const int inner = gold_side(m, inner_side, heads, labels, inner_end, inner_node);
    const int outer = gold_side(m, side, heads, labels, outer_end, outer_node);
    const int arc = arcs_->find(head, m), label = labels[m];
    const int link = static_cast<int>(hypotheses_.size());
    hypotheses_.push_back(make_link(here, inner, arc, label, link_score(at(here), at(inner), arc, label)));
    const int low = std::min(head, m), high = std::max(head, m);
    add_gold_node(link, incomplete(low, high, side), low, high - low, node, inner_node);
    const int link_node = static_cast<int>(gold_nodes_.size()) - 1;
    here = static_cast<int>(hypotheses_.size());
    hypotheses_.push_back(make_completion(link, outer, completion_score(at(link), at(outer))));
    const int from = std::min(head, outer_end), to = std::max(head, outer_end);
    add_gold_node(here, complete(from, to, side), from, to - from, link_node, outer_node);
    node = static_cast<int>(gold_nodes_.size()) - 1;
    end = outer_end;
  }
  return here;
}

template <class Parts>
void CubeSearch<Parts>::add_gold_node(int gold, const Beam& beam, int start, int width, int left, int right) {
  const Hypothesis& truth = at(gold);
  // Bare words are shared by all derivations; other parts are the gold ones if the beam's own gold hypotheses are.
  const auto equal = [&](int id, int gold_id, int node) {
    return node == kNone ? id == gold_id : id == gold_in_beam_[node];
  };
  int found = kNone;
  for (int id = beam.begin; id < beam.begin + beam.count; ++id) {
    const Hypothesis& h = at(id);
    if (h.arc == truth.arc && h.label == truth.label && equal(h.left, truth.left, left) &&
        equal(h.right, truth.right, right))
      found = id;
  }
  gold_in_beam_.push_back(found);
  const int best = beam.count ? beam.begin : kNone;
  gold_nodes_.push_back({gold, best, best != kNone && best == found, start, width, left, right});
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
  if (!h.link && arcs_->head(h.arc) == 0)
    visitor.stop(0, kRightSide, list(h.list).arc, list(h.list).label, list(h.list).count);
}

}  // namespace espalier
