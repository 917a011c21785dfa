// Template tables for transition parsers: Zhang & Nivre (2011) for each system, a richer default set, a fast one.
// docs/transition.md compares the sets.
//
// Names: S0|W = form of the stack's top (see templates.h). P = UPOS, X = XPOS, T = form+UPOS, F = UPOS+FEATS,
// Z = suffix, H = shape, B = prefix. {a, b, c} is a conjunction.
#pragma once

#include "espalier/features/templates.h"

namespace espalier {

// ---- Zhang & Nivre 2011 -----------------------------------------------------------------------------------------

/// Words and the pair of words that an arc may join: A on the left of B in the stack-buffer order.
template <Slot A, Slot B>
constexpr auto zn_pair(StateValue distance) {
  return templates({{A | T, B | T},
                    {A | T, B | W},
                    {A | W, B | T},
                    {A | T, B | P},
                    {A | P, B | T},
                    {A | W, B | W},
                    {A | P, B | P},
                    {A | W, distance},
                    {A | P, distance},
                    {B | W, distance},
                    {B | P, distance},
                    {A | W, B | W, distance},
                    {A | P, B | P, distance}});
}
template <Slot A>
constexpr auto zn_word() {
  return templates({{A | T}, {A | W}, {A | P}});
}
template <Slot A, Slot Child, Slot Second>
constexpr auto zn_side(StateValue label, StateValue label2, StateValue count, StateValue set) {
  return templates({{Child | W},
                    {Child | P},
                    {label},
                    {Second | W},
                    {Second | P},
                    {label2},
                    {A | P, Child | P, Second | P},
                    {A | W, count},
                    {A | P, count},
                    {A | W, set},
                    {A | P, set}});
}
constexpr auto kSidesOfS0 = join(zn_side<S0, S0l, S0l2>(S0lLabel, S0l2Label, S0leftCount, S0leftSet),
                                 zn_side<S0, S0r, S0r2>(S0rLabel, S0r2Label, S0rightCount, S0rightSet));
constexpr auto kSidesOfS1 = join(zn_side<S1, S1l, S1l2>(S1lLabel, S1l2Label, S1leftCount, S1leftSet),
                                 zn_side<S1, S1r, S1r2>(S1rLabel, S1r2Label, S1rightCount, S1rightSet));
constexpr auto kSideOfN0 = zn_side<N0, N0l, N0l2>(N0lLabel, N0l2Label, N0leftCount, N0leftSet);

/// Spec of the arc-eager original.
struct ZhangNivreEager {
  static constexpr auto list =
      join(zn_word<S0>(), zn_word<N0>(), zn_word<N1>(), zn_word<N2>(), zn_pair<S0, N0>(DistS0N0), kSidesOfS0, kSideOfN0,
           templates({{N0 | P, N1 | P},
                      {N0 | P, N1 | P, N2 | P},
                      {S0 | P, N0 | P, N1 | P},
                      {S0h | P, S0 | P, N0 | P},
                      {S0 | P, S0l | P, N0 | P},
                      {S0 | P, S0r | P, N0 | P},
                      {S0 | P, N0 | P, N0l | P},
                      {S0h | W},
                      {S0h | P},
                      {S0Label},
                      {S0h2 | W},
                      {S0h2 | P},
                      {S0hLabel},
                      {S0 | P, S0h | P, S0h2 | P}}));
};

/// The port to arc-standard, whose arcs join S1 and S0.
struct ZhangNivreStandard {
  static constexpr auto list = join(zn_word<S0>(), zn_word<S1>(), zn_word<N0>(), zn_word<N1>(),
                                    zn_pair<S1, S0>(DistS1S0), kSidesOfS0, kSidesOfS1,
                                    templates({{S0 | P, N0 | P},
                                               {S0 | P, N0 | P, N1 | P},
                                               {S1 | P, S0 | P, N0 | P},
                                               {S0 | P, S0l | P, S1 | P},
                                               {S0 | P, S0r | P, S1 | P},
                                               {S0 | P, S1l | P, S1 | P},
                                               {S0 | P, S1r | P, S1 | P}}));
};

/// Arc-hybrid joins N0 and S0 as well as S1 and S0: the union.
struct ZhangNivreHybrid {
  static constexpr auto list =
      join(zn_word<S0>(), zn_word<S1>(), zn_word<N0>(), zn_word<N1>(), zn_word<N2>(), zn_pair<S0, N0>(DistS0N0),
           zn_pair<S1, S0>(DistS1S0), kSidesOfS0, kSidesOfS1, kSideOfN0,
           templates({{N0 | P, N1 | P},
                      {N0 | P, N1 | P, N2 | P},
                      {S0 | P, N0 | P, N1 | P},
                      {S0 | P, S0l | P, N0 | P},
                      {S0 | P, S0r | P, N0 | P},
                      {S0 | P, N0 | P, N0l | P},
                      {S1 | P, S0 | P, N0 | P},
                      {S0 | P, S0l | P, S1 | P},
                      {S0 | P, S0r | P, S1 | P},
                      {S0 | P, S1l | P, S1 | P},
                      {S0 | P, S1r | P, S1 | P}}));
};

// ---- The default: fine tags, morphology and affixes beside the coarse tags, more context --------------------------

template <Slot A>
constexpr auto rich_word() {
  return templates({{A | W}, {A | P}, {A | X}, {A | T}, {A | F}, {A | Z}, {A | H}});
}

template <Slot A, Slot B>
constexpr auto rich_pair() {
  return templates({{A | W, B | W},
                    {A | P, B | P},
                    {A | X, B | X},
                    {A | F, B | F},
                    {A | T, B | P},
                    {A | P, B | T},
                    {A | T, B | X},
                    {A | X, B | T},
                    {A | W, B | F},
                    {A | F, B | W},
                    {A | Z, B | Z},
                    {A | Z, B | X},
                    {A | X, B | Z},
                    {A | T, B | T}});
}
template <Slot A, Slot B>
constexpr auto distances(StateValue distance) {
  return templates({{A | W, distance},
                    {A | X, distance},
                    {B | W, distance},
                    {B | X, distance},
                    {A | W, B | W, distance},
                    {A | P, B | P, distance},
                    {A | X, B | X, distance}});
}
template <Slot A, Slot B>
constexpr auto context_pair() {
  return templates({{A | P, B | P}, {A | X, B | X}, {A | W, B | P}, {A | P, B | W}, {A | W, B | W}, {A | F, B | F}});
}
template <Slot A, Slot B, Slot C>
constexpr auto rich_triple() {
  return templates({{A | P, B | P, C | P},
                    {A | X, B | X, C | X},
                    {A | W, B | X, C | X},
                    {A | X, B | W, C | X},
                    {A | X, B | X, C | W}});
}
template <Slot A, Slot B, Slot C>
constexpr auto tag_triple() {
  return templates({{A | P, B | P, C | P}, {A | X, B | X, C | X}});
}

/// A dependent C of one of the two words A, B that an arc may join.
template <Slot A, Slot B, Slot C>
constexpr auto child_of_pair(StateValue label) {
  return templates({{A | P, B | P, C | P}, {A | X, B | X, C | X}, {A | P, B | P, label}, {A | P, B | P, C | W}});
}
template <Slot A, Slot C, Slot C2>
constexpr auto rich_side(StateValue label, StateValue label2, StateValue count, StateValue set) {
  return templates({{C | W},
                    {C | X, label},
                    {C2 | X, label2},
                    {A | X, C | X, C2 | X},
                    {A | P, label, label2},
                    {A | W, label},
                    {A | W, count},
                    {A | X, count},
                    {A | W, set},
                    {A | X, set}});
}
constexpr auto kRichSidesOfS0 = join(rich_side<S0, S0l, S0l2>(S0lLabel, S0l2Label, S0leftCount, S0leftSet),
                                     rich_side<S0, S0r, S0r2>(S0rLabel, S0r2Label, S0rightCount, S0rightSet));
constexpr auto kRichSidesOfS1 = join(rich_side<S1, S1l, S1l2>(S1lLabel, S1l2Label, S1leftCount, S1leftSet),
                                     rich_side<S1, S1r, S1r2>(S1rLabel, S1r2Label, S1rightCount, S1rightSet));
constexpr auto kRichSideOfN0 = rich_side<N0, N0l, N0l2>(N0lLabel, N0l2Label, N0leftCount, N0leftSet);

struct RichStandard {
  static constexpr auto list = join(
      rich_word<S0>(), rich_word<S1>(), rich_word<N0>(), rich_pair<S1, S0>(), distances<S1, S0>(DistS1S0),
      rich_pair<S0, N0>(), context_pair<S1, N0>(), rich_triple<S1, S0, N0>(), rich_triple<S0, N0, N1>(),
      rich_triple<S2, S1, S0>(), tag_triple<S2, S0, N0>(), tag_triple<N0, N1, N2>(), tag_triple<S1, S0, N1>(),
      tag_triple<S1, S0before, S0>(), tag_triple<S1, S1after, S0>(), tag_triple<S0, N0before, N0>(),
      tag_triple<S1, S0after, S0>(), kRichSidesOfS0, kRichSidesOfS1, child_of_pair<S1, S0, S0l>(S0lLabel),
      child_of_pair<S1, S0, S0r>(S0rLabel), child_of_pair<S1, S0, S1l>(S1lLabel), child_of_pair<S1, S0, S1r>(S1rLabel),
      templates({{N1 | W},
                 {N1 | X},
                 {N1 | F},
                 {N1 | T},
                 {N2 | X},
                 {N2 | W},
                 {S0 | W, DistS0N0},
                 {S0 | X, DistS0N0},
                 {N0 | W, DistS0N0},
                 {S0 | X, N0 | X, DistS0N0},
                 {S0l | P},
                 {S0r | P},
                 {S1l | P},
                 {S1r | P},
                 {S0lLabel},
                 {S0rLabel},
                 {S1lLabel},
                 {S1rLabel},
                 {S2 | X},
                 {S2 | T},
                 {S2 | P, S0 | P},
                 {S2 | W, S0 | X},
                 {S2 | X, S0 | W},
                 {S2 | X, S1 | X},
                 {N0 | W, N1 | W},
                 {N0 | X, N1 | X},
                 {N0 | W, N1 | X},
                 {S1 | P, S0 | P, S1rightSet},
                 {S1 | P, S0 | P, S0leftSet},
                 {S1 | P, S0 | P, S0rightSet},
                 {S1 | P, S0 | P, S1leftSet},
                 {S1 | P, S0 | P, S1rightCount},
                 {S1 | P, S0 | P, S0leftCount}}));
};

struct RichHybrid {
  static constexpr auto list = join(
      rich_word<S0>(), rich_word<S1>(), rich_word<N0>(), rich_pair<S0, N0>(), rich_pair<S1, S0>(),
      distances<S0, N0>(DistS0N0), distances<S1, S0>(DistS1S0), context_pair<S1, N0>(), rich_triple<S1, S0, N0>(),
      rich_triple<S0, N0, N1>(), tag_triple<S2, S1, S0>(), tag_triple<S2, S0, N0>(), tag_triple<N0, N1, N2>(),
      tag_triple<S0, S0after, N0>(), tag_triple<S0, N0before, N0>(), tag_triple<S1, S0before, S0>(), kRichSidesOfS0,
      kRichSidesOfS1, kRichSideOfN0, child_of_pair<S0, N0, S0l>(S0lLabel), child_of_pair<S0, N0, S0r>(S0rLabel),
      child_of_pair<S0, N0, N0l>(N0lLabel), child_of_pair<S1, S0, S0r>(S0rLabel), child_of_pair<S1, S0, S1r>(S1rLabel),
      child_of_pair<S1, S0, S0l>(S0lLabel),
      templates({{N1 | W},
                 {N1 | X},
                 {N1 | F},
                 {N1 | T},
                 {N2 | X},
                 {N2 | W},
                 {S2 | X},
                 {S2 | T},
                 {N0 | W, N1 | W},
                 {N0 | X, N1 | X},
                 {N0 | W, N1 | X},
                 {N0 | X, N1 | W},
                 {S2 | X, S0 | W},
                 {S0l | P},
                 {S0r | P},
                 {N0l | P},
                 {S1r | P},
                 {S0lLabel},
                 {S0rLabel},
                 {N0lLabel},
                 {S1rLabel},
                 {S0 | W, N1 | X},
                 {S0 | X, N1 | W},
                 {S0 | P, N0 | P, S0rightSet},
                 {S0 | P, N0 | P, N0leftSet},
                 {S1 | P, S0 | P, S1rightSet},
                 {S1 | P, S0 | P, S0leftSet}}));
};

struct RichEager {
  static constexpr auto list =
      join(rich_word<S0>(), rich_word<N0>(), rich_pair<S0, N0>(), distances<S0, N0>(DistS0N0), context_pair<S1, N0>(),
           context_pair<S1, S0>(), rich_triple<S1, S0, N0>(), rich_triple<S0, N0, N1>(), rich_triple<S0h, S0, N0>(),
           tag_triple<S2, S1, S0>(), tag_triple<N0, N1, N2>(), tag_triple<S0, S0after, N0>(),
           tag_triple<S0, N0before, N0>(), kRichSidesOfS0, kRichSideOfN0, child_of_pair<S0, N0, S0l>(S0lLabel),
           child_of_pair<S0, N0, S0r>(S0rLabel), child_of_pair<S0, N0, N0l>(N0lLabel),
           templates({{N1 | W},
                      {N1 | X},
                      {N1 | F},
                      {N2 | X},
                      {N2 | W},
                      {S1 | X},
                      {S1 | T},
                      {S2 | X},
                      {N0 | W, N1 | W},
                      {N0 | X, N1 | X},
                      {N0 | W, N1 | X},
                      {S0Label},
                      {S0 | X, S0Label},
                      {S0 | W, S0Label},
                      {S0 | P, N0 | P, S0Label},
                      {S0h | W},
                      {S0h | X},
                      {S0h | X, S0 | X, S0Label},
                      {S0h2 | X, S0h | X},
                      {S0hLabel, S0Label},
                      {S0 | P, N0 | P, S0rightSet},
                      {S0 | P, N0 | P, N0leftSet}}));
};

// ---- The fast set: only templates that are worth the time of their look-up -----------------------------------------

template <Slot A>
constexpr auto fast_word() {
  return templates({{A | T}, {A | X}, {A | F}});
}
template <Slot A, Slot B>
constexpr auto fast_pair(StateValue distance) {
  return templates({{A | W, B | W},
                    {A | P, B | P, distance},
                    {A | X, B | X},
                    {A | T, B | X},
                    {A | X, B | T},
                    {A | F, B | F},
                    {A | W, distance},
                    {B | W, distance}});
}
template <Slot A, Slot C, Slot C2>
constexpr auto fast_side(StateValue label, StateValue label2, StateValue count, StateValue set) {
  return templates(
      {{C | W, label}, {C | X, label}, {A | X, C | X, C2 | X}, {A | P, label, label2}, {A | W, count}, {A | X, set}});
}

struct FastStandard {
  static constexpr auto list = join(fast_word<S0>(), fast_word<S1>(), fast_word<N0>(), fast_pair<S1, S0>(DistS1S0),
                                    fast_side<S0, S0l, S0l2>(S0lLabel, S0l2Label, S0leftCount, S0leftSet),
                                    fast_side<S0, S0r, S0r2>(S0rLabel, S0r2Label, S0rightCount, S0rightSet),
                                    fast_side<S1, S1l, S1l2>(S1lLabel, S1l2Label, S1leftCount, S1leftSet),
                                    fast_side<S1, S1r, S1r2>(S1rLabel, S1r2Label, S1rightCount, S1rightSet),
                                    templates({{N1 | X},
                                               {N1 | W},
                                               {S0 | X, N0 | X},
                                               {S0 | W, N0 | X},
                                               {S0 | X, N0 | W},
                                               {S1 | X, S0 | X, N0 | X},
                                               {S1 | W, S0 | X, N0 | X},
                                               {S1 | X, S0 | W, N0 | X},
                                               {S1 | P, S0 | P, N0 | W},
                                               {S0 | X, N0 | X, N1 | X},
                                               {S2 | X, S1 | X, S0 | X},
                                               {S0 | P, S0l | P, S1 | P},
                                               {S0 | P, S0r | P, S1 | P},
                                               {S0 | P, S1l | P, S1 | P},
                                               {S0 | P, S1r | P, S1 | P}}));
};

struct FastHybrid {
  static constexpr auto list =
      join(fast_word<S0>(), fast_word<S1>(), fast_word<N0>(), fast_pair<S0, N0>(DistS0N0), fast_pair<S1, S0>(DistS1S0),
           fast_side<S0, S0l, S0l2>(S0lLabel, S0l2Label, S0leftCount, S0leftSet),
           fast_side<S0, S0r, S0r2>(S0rLabel, S0r2Label, S0rightCount, S0rightSet),
           fast_side<N0, N0l, N0l2>(N0lLabel, N0l2Label, N0leftCount, N0leftSet),
           templates({{N1 | X},
                      {N1 | W},
                      {S1 | X, S0 | X, N0 | X},
                      {S1 | X, S0 | W, N0 | X},
                      {S1 | P, S0 | P, N0 | W},
                      {S0 | X, N0 | X, N1 | X},
                      {S0 | W, N0 | X, N1 | X},
                      {S0 | P, N0 | W, N1 | P},
                      {N0 | X, N1 | X, N2 | X},
                      {S1r | X, S1rLabel},
                      {S1 | W, S1rightCount},
                      {S0 | P, S0l | P, N0 | P},
                      {S0 | P, S0r | P, N0 | P},
                      {S0 | P, N0 | P, N0l | P},
                      {S0 | P, S0r | P, S1 | P},
                      {S0 | P, S1r | P, S1 | P}}));
};

struct FastEager {
  static constexpr auto list = join(fast_word<S0>(), fast_word<S1>(), fast_word<N0>(), fast_pair<S0, N0>(DistS0N0),
                                    fast_side<S0, S0l, S0l2>(S0lLabel, S0l2Label, S0leftCount, S0leftSet),
                                    fast_side<S0, S0r, S0r2>(S0rLabel, S0r2Label, S0rightCount, S0rightSet),
                                    fast_side<N0, N0l, N0l2>(N0lLabel, N0l2Label, N0leftCount, N0leftSet),
                                    templates({{N1 | X},
                                               {N1 | W},
                                               {S1 | X, S0 | X, N0 | X},
                                               {S1 | X, N0 | X},
                                               {S0 | X, N0 | X, N1 | X},
                                               {S0 | W, N0 | X, N1 | X},
                                               {N0 | X, N1 | X, N2 | X},
                                               {S0 | P, S0l | P, N0 | P},
                                               {S0 | P, S0r | P, N0 | P},
                                               {S0 | P, N0 | P, N0l | P},
                                               {S0h | P, S0 | P, N0 | P},
                                               {S0 | X, S0Label},
                                               {S0 | W, S0Label}}));
};

// ---- classes of words (after Koo, Carreras & Collins 2008) -------------------------------------------------------

/// Long paths stand for the word, short ones for its tag.
template <Slot A>
constexpr auto cluster_word() {
  return templates({{A | K}, {A | K10}, {A | K, A | P}, {A | K6, A | X}});
}
template <Slot A, Slot B>
constexpr auto cluster_pair() {
  return templates({{A | K, B | K},
                    {A | K10, B | K10},
                    {A | K6, B | K6},
                    {A | K4, B | K4},
                    {A | K10, B | X},
                    {A | X, B | K10},
                    {A | K6, B | W},
                    {A | W, B | K6}});
}
template <Slot A, Slot B, Slot Other>
constexpr auto cluster_other() {
  return templates({{A | K6, B | K6, Other | K6}, {A | P, B | P, Other | K6}});
}

/// A table with the templates of classes for the words A and B that its system's arcs join.
template <class Table, Slot A, Slot B, Slot Other>
struct WithClusters {
  static constexpr auto list =
      join(Table::list, cluster_word<A>(), cluster_word<B>(), cluster_pair<A, B>(), cluster_other<A, B, Other>(),
           cluster_other<A, B, S0l>(), cluster_other<A, B, S0r>(), templates({{Other | K10}, {N1 | K10}}));
};

static_assert(WithClusters<RichHybrid, S0, N0, S1>::list.size() <= 256 &&
              WithClusters<RichStandard, S1, S0, N0>::list.size() <= 256 &&
              WithClusters<RichEager, S0, N0, S1>::list.size() <= 256);

}  // namespace espalier
