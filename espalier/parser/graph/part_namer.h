// Turns the arcs and label ranks of CubeSearch::for_each_part into labelled parts.
#pragma once

#include "espalier/parser/graph/graph_scores.h"

namespace espalier {

/// A visitor for CubeSearch::for_each_part that hands each part, with its labels, to `emit`.
template <class Table, class Emit>
struct PartNamer {
  const GraphScores<Table>& scores;
  Emit emit;

  void arc(int a, int l) { labelled(features().arc(a), a, l); }
  void sibling(int a, int l, int s, int s_label) {
    labelled(features().sibling(a, s), a, l, s == ArcSet::kNone ? -1 : scores.label(s, s_label));
  }
  void grandchild(int a, int l, int g, int g_label) {
    labelled(features().grandchild(a, g), a, l, scores.label(g, g_label));
  }
  void stop(int head, Side side, int last, int last_label, int count) {
    labelled(features().stop(head, side, last, count), last, last_label);
  }
  void tri_sibling(int a, int l, int s, int t) { labelled(features().tri_sibling(a, s, t), a, l); }
  void grand_sibling(int a, int l, int g, int s) { labelled(features().grand_sibling(a, g, s), a, l); }
  void extreme(int a, int l, int inner, int outer) { labelled(features().extreme(a, inner, outer), a, l); }
  void frame(int a, int l, uint64_t inner, uint64_t outer) { labelled(features().frame(a, inner, outer), a, l); }

 private:
  const GraphFeatures& features() const { return scores.features(); }
  void labelled(GraphPart part, int a, int l, int outer_label = -1) {
    part.label = a == ArcSet::kNone ? -1 : scores.label(a, l);
    part.outer_label = outer_label;
    emit(part);
  }
};
template <class Table, class Emit>
PartNamer(const GraphScores<Table>&, Emit) -> PartNamer<Table, Emit>;

}  // namespace espalier
