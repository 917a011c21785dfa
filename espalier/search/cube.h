// Cube pruning over Eisner's hypergraph with second- and third-order parts (Zhang & McDonald 2012; Zhang, Huang, Zhao &
// McDonald 2013). Every item (complete or incomplete, as in eisner.h) keeps its best few hypotheses. A hypothesis knows
// its head's modifiers on its side, so that parts which span two items are scored when the items are joined, each
// exactly once. With unlimited beams and full signatures the search is exact.
//
// What is scored when (h head, m modifier, l label; s, t: h's modifiers before m):
//   link h -> m       arc, sibling (h,s,m), tri-sibling (h,t,s,m); for all children of m between h and m:
//                     grandchild and grand-sibling; the end of m's inner side
//   completion of m   for all children of m outside: grandchild and grand-sibling; the end of m's outer side; extreme
//                     children; the frame, i.e. which labels m's children have
//   goal              the end of the root's side
// Sums of grandchild and grand-sibling scores are kept per list of modifiers and possible head ("cumulated"), so that a
// combination adds one number. Tested by cube_test.cc against enumeration of all trees.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "espalier/base/stop_point.h"
#include "espalier/search/coarse_chart.h"
#include "espalier/search/modifier_lists.h"
#include "espalier/space/arc_set.h"

namespace espalier {

struct CubeOptions {
  static constexpr float kNoGap = 1e9f;
  int beam = 6;             ///< hypotheses per item
  int slack = 6;            ///< combinations tried beyond the beam, since the best are not always tried first
  float seed_gap = kNoGap;  ///< a pair of items is tried only if its sum of scores is within this of the best pair's
  float beam_gap = kNoGap;  ///< hypotheses this far below their item's best are dropped
  /// Of the hypotheses of an item whose signatures differ in labels alone at most so many stay; 0 = any number.
  int labelings = 0;
  bool full_signature = false;
  bool single_root = true;  ///< exactly one word hangs on the root
  bool recombine = true;    ///< keeps the best of hypotheses with equal signatures; false keeps all, for k-best lists
};

/// `Parts` scores one sentence. Arcs are numbers of arcs(); labels are ranks 0..labels(arc)-1 among the arc's
/// candidates; ArcSet::kNone stands for "no such modifier". All functions return floats:
///   arc(a, l)                                   order 1
///   sibling(a, l, s, s_label)                   order 2; s is the arc of the modifier before
///   grandchild(a, l, g, g_label)                g: the arc that enters a's head
///   stop(head, side, last, last_label, count)   the side has `count` modifiers, `last` the outermost
///   tri_sibling(a, l, s, t), grand_sibling(a, l, g, s)                         order 3
///   extreme(a, l, inner, outer)                 the outermost children of a's modifier
///   frame(a, l, inner_labels, outer_labels)     the union of label_bit of all its children on either side
/// Each but arc and stop has a twin ask_...(), without labels, by which the search announces the parts it will need;
/// answer() then looks all of them up together. And: const ArcSet& arcs(), int labels(a), uint64_t label_bit(a, l), int
/// order().
template <class Parts>
class CubeSearch {
 public:
  struct Hypothesis {
    float score;
    float finish;     // complete items: the end of this side, to be added when its head gets its own head
    int left, right;  // link: head's side, modifier's inner side; completion: the link, modifier's outer side
    int list;         // the head's modifiers on this side
    int arc;          // the arc linked or completed; kNone for a bare word
    int16_t label;
    bool link;
  };
  /// An item of a given tree's derivation; children come before parents.
  struct DerivedItem {
    int hypothesis;  // of the given tree, made of the tree's own hypotheses
    int best;        // in the beam of the same item; kNone if the beam is empty
    bool same;       // the best hypothesis has the same derivation
    int start, width;
    int left, right;  // the derived items it is made of; kNone for bare words
  };

  /// Fills the beams; false if the arcs allow no projective tree. What `coarse` has pruned is not built.
  bool run(Parts& parts, const CubeOptions& options, const CoarseChart* coarse = nullptr);
  /// The goal's hypotheses, best first.
  int results() const { return goal_.count; }
  int result(int rank) const { return goal_.begin + rank; }
  const Hypothesis& hypothesis(int id) const { return hypotheses_[id]; }

  /// After `run`: builds the derivation of a tree whose arcs are all kept; heads[1..n], labels are ranks.
  /// The last item is the goal.
  const std::vector<DerivedItem>& derive(std::span<const int> heads, std::span<const int> labels);

  /// Calls attach(arc, label) for every arc below a hypothesis.
  template <class Attach>
  void for_each_arc(int id, Attach&& attach) const;
  /// Calls the visitor's functions, with names and types as in `Parts`, for every part scored below a hypothesis.
  template <class Visitor>
  void for_each_part(int id, Visitor&& visitor) const;

 private:
  static constexpr int kNone = ArcSet::kNone;
  struct Beam {
    int begin = 0, count = 0;
  };
  struct Edge {
    Beam left, right;
  };
  struct Combination {
    float score;
    int edge;
    int16_t left, right, label;
  };
  struct Worse {
    bool operator()(const Combination& a, const Combination& b) const {
      if (a.score != b.score) return a.score < b.score;
      if (a.edge != b.edge) return a.edge > b.edge;
      if (a.left != b.left) return a.left > b.left;
      if (a.right != b.right) return a.right > b.right;
      return a.label > b.label;
    }
  };
  struct Chosen {
    Combination combination;
    uint64_t signature, skeleton;
  };

  Beam& complete(int i, int j, Side side) { return complete_[cell(i, j, side)]; }
  Beam& incomplete(int i, int j, Side side) { return incomplete_[cell(i, j, side)]; }
  size_t cell(int i, int j, Side side) const {
    return (static_cast<size_t>(i) * static_cast<size_t>(words_ + 1) + static_cast<size_t>(j)) * 2 +
           static_cast<size_t>(side);
  }
  const ModifierList& list(int id) const { return lists_[id]; }
  Hypothesis& at(int id) { return hypotheses_[id]; }
  const Hypothesis& at(int id) const { return hypotheses_[id]; }

  Hypothesis bare_word(int word, Side side) {
    return {0, order_ >= 2 ? parts_->stop(word, side, kNone, 0, 0) : 0, kNone, kNone, 0, kNone, 0, false};
  }
  void ask_cumulated(int list, int incoming_rank);
  void ask_link(const Hypothesis& head, const Hypothesis& modifier, int arc);
  void ask_completion(const Hypothesis& link, const Hypothesis& outer);
  float cumulated(int list, int incoming_rank, int label);
  float link_score(const Hypothesis& head, const Hypothesis& modifier, int arc, int label);
  float completion_score(const Hypothesis& link, const Hypothesis& outer);
  Hypothesis make_link(int head, int modifier, int arc, int label, float score);
  Hypothesis make_completion(int link, int outer, float score);

  void fill_link(int i, int j, Side side, int arc);
  void fill_completion(int i, int j, Side side);
  template <class Ask, class Score, class Signature, class Skeleton, class Make>
  Beam fill(int labels, Ask&& ask, Score&& score, Signature&& signature, Skeleton&& skeleton, Make&& make);
  /// The last word of a complete item of a right side.
  int last_word(int id) const {
    while (at(id).arc != kNone) id = at(id).right;
    return id / 2;  // of every word a left and a right side come first
  }
  int derive_side(int head, Side side, std::span<const int> heads, std::span<const int> labels, int& end, int& item);
  void add_derived(int hypothesis, const Beam& beam, int start, int width, int left, int right);

  Parts* parts_ = nullptr;
  const ArcSet* arcs_ = nullptr;
  const CoarseChart* coarse_ = nullptr;
  CubeOptions options_;
  int words_ = 0, order_ = 1, max_labels_ = 1;
  Beam goal_;
  std::vector<Beam> complete_, incomplete_;
  std::vector<Hypothesis> hypotheses_, made_;
  ModifierLists lists_;
  std::vector<Edge> edges_;
  std::vector<Combination> heap_;
  std::vector<Chosen> chosen_;
  std::vector<DerivedItem> derived_;
  std::vector<int> derived_in_beam_;  // by derived item: the beam's hypothesis of the same derivation, or kNone
};

template <class Parts>
bool CubeSearch<Parts>::run(Parts& parts, const CubeOptions& options, const CoarseChart* coarse) {
  parts_ = &parts;
  coarse_ = coarse;
  arcs_ = &parts.arcs();
  options_ = options;
  order_ = parts.order();
  words_ = arcs_->words();
  max_labels_ = 1;
  for (int a = 0; a < arcs_->size(); ++a) max_labels_ = std::max(max_labels_, parts.labels(a));
  complete_.assign(2 * static_cast<size_t>(words_ + 1) * static_cast<size_t>(words_ + 1), {});
  incomplete_.assign(complete_.size(), {});
  hypotheses_.clear();
  lists_.clear();
  goal_ = {};
  if (words_ == 0) return false;

  for (int word = 0; word <= words_; ++word)
    for (const Side side : {kLeftSide, kRightSide}) {
      complete(word, word, side) = {static_cast<int>(hypotheses_.size()), 1};
      hypotheses_.push_back(bare_word(word, side));
    }
  for (int j = 1; j <= words_; ++j) {
    stop_point();
    for (int i = j - 1; i >= 1; --i) {
      if (const int a = arcs_->find(i, j); a != kNone) fill_link(i, j, kRightSide, a);
      if (const int a = arcs_->find(j, i); a != kNone) fill_link(i, j, kLeftSide, a);
      fill_completion(i, j, kRightSide);
      fill_completion(i, j, kLeftSide);
    }
    if (const int a = arcs_->find(0, j); a != kNone) fill_link(0, j, kRightSide, a);
    if (!options_.single_root || j == words_) fill_completion(0, j, kRightSide);
  }
  goal_ = complete(0, words_, kRightSide);
  for (int r = 0; r < goal_.count; ++r) at(goal_.begin + r).score += at(goal_.begin + r).finish;
  std::sort(hypotheses_.begin() + goal_.begin, hypotheses_.begin() + goal_.begin + goal_.count,
            [](const Hypothesis& a, const Hypothesis& b) { return a.score > b.score; });
  return goal_.count > 0;
}

template <class Parts>
void CubeSearch<Parts>::ask_cumulated(int id, int rank) {
  for (; id != ModifierLists::kEmpty; id = list(id).previous) {
    const ModifierList& node = list(id);
    if (!std::isnan(lists_.sum(static_cast<size_t>(node.sums + rank * max_labels_)))) return;
    const int g = arcs_->incoming(arcs_->head(node.arc), rank);
    parts_->ask_grandchild(node.arc, g);
    if (order_ >= 3) parts_->ask_grand_sibling(node.arc, g, list(node.previous).arc);
  }
}

template <class Parts>
void CubeSearch<Parts>::ask_link(const Hypothesis& head, const Hypothesis& modifier, int arc) {
  if (order_ < 2) return;
  const ModifierList& before = list(head.list);
  parts_->ask_sibling(arc, before.arc);
  if (order_ >= 3 && before.count > 0) parts_->ask_tri_sibling(arc, before.arc, list(before.previous).arc);
  ask_cumulated(modifier.list, arcs_->incoming_rank(arc));
}

template <class Parts>
void CubeSearch<Parts>::ask_completion(const Hypothesis& link, const Hypothesis& outer) {
  if (order_ < 2) return;
  ask_cumulated(outer.list, arcs_->incoming_rank(link.arc));
  if (order_ < 3) return;
  const ModifierList &in = list(at(link.right).list), &out = list(outer.list);
  parts_->ask_extreme(link.arc, in.arc, out.arc);
  parts_->ask_frame(link.arc, in.labels, out.labels);
}

template <class Parts>
float CubeSearch<Parts>::cumulated(int id, int rank, int label) {
  if (id == ModifierLists::kEmpty || order_ < 2) return 0;
  const ModifierList& node = list(id);
  const size_t place = static_cast<size_t>(node.sums + rank * max_labels_);
  if (std::isnan(lists_.sum(place))) {
    const int g = arcs_->incoming(arcs_->head(node.arc), rank);
    const float third = order_ >= 3 ? parts_->grand_sibling(node.arc, node.label, g, list(node.previous).arc) : 0;
    for (int l = 0; l < parts_->labels(g); ++l)
      lists_.sum(place + static_cast<size_t>(l)) =
          cumulated(node.previous, rank, l) + parts_->grandchild(node.arc, node.label, g, l) + third;
  }
  return lists_.sum(place + static_cast<size_t>(label));
}

template <class Parts>
float CubeSearch<Parts>::link_score(const Hypothesis& head, const Hypothesis& modifier, int arc, int label) {
  float score = head.score + modifier.score + modifier.finish + parts_->arc(arc, label);
  if (order_ >= 2) {
    const ModifierList& before = list(head.list);
    score += parts_->sibling(arc, label, before.arc, before.label);
    score += cumulated(modifier.list, arcs_->incoming_rank(arc), label);
    if (order_ >= 3 && head.list != 0)
      score += parts_->tri_sibling(arc, label, list(head.list).arc, list(list(head.list).previous).arc);
  }
  return score;
}

template <class Parts>
float CubeSearch<Parts>::completion_score(const Hypothesis& link, const Hypothesis& outer) {
  float score = link.score + outer.score + outer.finish;
  if (order_ >= 2) score += cumulated(outer.list, arcs_->incoming_rank(link.arc), link.label);
  if (order_ >= 3) {
    const ModifierList &in = list(at(link.right).list), &out = list(outer.list);
    score += parts_->extreme(link.arc, link.label, in.arc, out.arc);
    score += parts_->frame(link.arc, link.label, in.labels, out.labels);
  }
  return score;
}

template <class Parts>
auto CubeSearch<Parts>::make_link(int head, int modifier, int arc, int label, float score) -> Hypothesis {
  const int made = lists_.extend(at(head).list, arc, label, parts_->label_bit(arc, label),
                                 arcs_->incoming(arcs_->head(arc)) * max_labels_);
  return {score, 0, head, modifier, made, arc, static_cast<int16_t>(label), true};
}

template <class Parts>
auto CubeSearch<Parts>::make_completion(int link, int outer, float score) -> Hypothesis {
  const Hypothesis& joined = at(link);
  const ModifierList& all = list(joined.list);
  const float finish =
      order_ >= 2 ? parts_->stop(arcs_->head(joined.arc), arcs_->side(joined.arc), all.arc, all.label, all.count) : 0;
  return {score, finish, link, outer, joined.list, joined.arc, joined.label, false};
}

/// Pops combinations of the edges' beams, nearly best first, and keeps the best distinct ones. From (a, b, l) come
/// (a, b, l+1), if l = 0 (a, b+1, 0), if also b = 0 (a+1, 0, 0): every triple has one parent, so none comes twice.
template <class Parts>
template <class Ask, class Score, class Signature, class Skeleton, class Make>
auto CubeSearch<Parts>::fill(int labels, Ask&& ask, Score&& score, Signature&& signature, Skeleton&& skeleton,
                             Make&& make) -> Beam {
  if (edges_.empty()) return {};
  heap_.clear();
  chosen_.clear();
  const auto exists = [&](int edge, int a, int b) {
    return a < edges_[edge].left.count && b < edges_[edge].right.count;
  };
  const auto announce = [&](int edge, int a, int b) {
    if (exists(edge, a, b)) ask(edges_[edge].left.begin + a, edges_[edge].right.begin + b);
  };
  const auto push = [&](int edge, int a, int b, int l) {
    if (!exists(edge, a, b) || l >= labels) return;
    heap_.push_back({score(edges_[edge].left.begin + a, edges_[edge].right.begin + b, l), edge, static_cast<int16_t>(a),
                     static_cast<int16_t>(b), static_cast<int16_t>(l)});
    std::push_heap(heap_.begin(), heap_.end(), Worse{});
  };
  const auto plain = [&](const Edge& edge) { return at(edge.left.begin).score + at(edge.right.begin).score; };
  float least = -std::numeric_limits<float>::infinity();
  for (const Edge& edge : edges_) least = std::max(least, plain(edge) - options_.seed_gap);
  const int edges = static_cast<int>(edges_.size());
  for (int e = 0; e < edges; ++e)
    if (plain(edges_[e]) >= least) announce(e, 0, 0);
  parts_->answer();
  for (int e = 0; e < edges; ++e)
    if (plain(edges_[e]) >= least) push(e, 0, 0, 0);
  const auto same_skeleton = [&](auto end, uint64_t of) {
    return std::count_if(chosen_.begin(), end, [&](const Chosen& item) { return item.skeleton == of; });
  };
  const bool limited = options_.labelings > 0 && options_.recombine;
  long pops = static_cast<long>(options_.beam) + options_.slack;
  long spare = limited ? 3 * pops : 0;  // pops that do not count because there are enough of their skeleton
  for (; !heap_.empty() && pops > 0; --pops) {
    std::pop_heap(heap_.begin(), heap_.end(), Worse{});
    const Combination top = heap_.back();
    heap_.pop_back();
    push(top.edge, top.left, top.right, top.label + 1);
    if (top.label == 0) {
      announce(top.edge, top.left, top.right + 1);
      if (top.right == 0) announce(top.edge, top.left + 1, 0);
      parts_->answer();
      push(top.edge, top.left, top.right + 1, 0);
      if (top.right == 0) push(top.edge, top.left + 1, 0, 0);
    }
    const Edge& edge = edges_[top.edge];
    const uint64_t sign = signature(edge.left.begin + top.left, edge.right.begin + top.right, top.label);
    auto twin = chosen_.end();
    if (options_.recombine) twin = std::ranges::find(chosen_, sign, &Chosen::signature);
    if (twin == chosen_.end()) {
      const uint64_t bare = limited ? skeleton(edge.left.begin + top.left, edge.right.begin + top.right) : 0;
      if (spare > 0 && same_skeleton(chosen_.end(), bare) >= options_.labelings) --spare, ++pops;
      chosen_.push_back({top, sign, bare});
    } else if (Worse{}(twin->combination, top)) {
      twin->combination = top;
    }
  }
  std::sort(chosen_.begin(), chosen_.end(),
            [](const Chosen& a, const Chosen& b) { return Worse{}(b.combination, a.combination); });
  if (limited) {
    auto kept = chosen_.begin();
    for (const Chosen& item : chosen_)
      if (same_skeleton(kept, item.skeleton) < options_.labelings) *kept++ = item;
    chosen_.erase(kept, chosen_.end());
  }
  Beam beam{static_cast<int>(hypotheses_.size()), 0};
  for (const Chosen& item : chosen_) {
    const Combination& c = item.combination;
    if (beam.count == options_.beam || c.score < chosen_.front().combination.score - options_.beam_gap) break;
    const Edge& edge = edges_[c.edge];
    hypotheses_.push_back(make(edge.left.begin + c.left, edge.right.begin + c.right, c.label, c.score));
    ++beam.count;
  }
  return beam;
}

template <class Parts>
void CubeSearch<Parts>::fill_link(int i, int j, Side side, int arc) {
  edges_.clear();
  // Right: head i with its right side up to k, modifier j with its left side from k + 1. Left: the other way round.
  const bool only_root = i == 0 && options_.single_root;  // nothing may stand between
  for (int k = i; k < (only_root ? 1 : j); ++k) {
    const Beam &near = complete(i, k, kRightSide), &far = complete(k + 1, j, kLeftSide);
    if (near.count && far.count && (!coarse_ || coarse_->keeps_join(i, k, j, side)))
      edges_.push_back(side == kRightSide ? Edge{near, far} : Edge{far, near});
  }
  incomplete(i, j, side) = fill(
      parts_->labels(arc), [&](int head, int modifier) { ask_link(at(head), at(modifier), arc); },
      [&](int head, int modifier, int label) { return link_score(at(head), at(modifier), arc, label); },
      [&](int head, int modifier, int label) {
        return ModifierLists::link_signature(list(at(head).list), list(at(modifier).list), arc, label,
                                             options_.full_signature);
      },
      [&](int head, int modifier) {
        return ModifierLists::link_skeleton(list(at(head).list), list(at(modifier).list), arc);
      },
      [&](int head, int modifier, int label, float score) { return make_link(head, modifier, arc, label, score); });
}

template <class Parts>
void CubeSearch<Parts>::fill_completion(int i, int j, Side side) {
  if (coarse_ && !coarse_->keeps_complete(i, j, side)) return;
  edges_.clear();
  const int head = side == kRightSide ? i : j;
  for (int a = arcs_->begin(head, side); a < arcs_->end(head, side); ++a) {
    const int m = arcs_->modifier(a);
    if (side == kRightSide ? m > j : m < i) break;
    const Beam& link = side == kRightSide ? incomplete(i, m, side) : incomplete(m, j, side);
    const Beam& outer = side == kRightSide ? complete(m, j, side) : complete(i, m, side);
    if (link.count && outer.count && (!coarse_ || coarse_->keeps_completion(i, m, j, side)))
      edges_.push_back({link, outer});
  }
  complete(i, j, side) = fill(
      1, [&](int link, int outer) { ask_completion(at(link), at(outer)); },
      [&](int link, int outer, int) { return completion_score(at(link), at(outer)); },
      [&](int link, int, int) {
        const ModifierList& all = list(at(link).list);
        return options_.full_signature ? all.full_signature : all.signature;
      },
      [&](int link, int) { return lists_.skeleton(list(at(link).list)); },
      [&](int link, int outer, int, float score) { return make_completion(link, outer, score); });
}

}  // namespace espalier

#include "espalier/search/cube_derivations.h"
