// The arcs of a sentence that a filter has kept, from which Eisner's hypergraph is built. Arcs have consecutive
// numbers, grouped by head and side, from the inside out, so that "the modifiers of h between h and m" is a range.
// Tested through search/cube_test.cc.
#pragma once

#include <cstddef>
#include <vector>

namespace espalier {

enum Side : int { kLeftSide = 0, kRightSide = 1 };

class ArcSet {
 public:
  static constexpr int kNone = -1;

  /// Starts a sentence of n words, without arcs.
  void reset(int words) {
    words_ = words;
    kept_.assign(static_cast<size_t>(words + 1) * static_cast<size_t>(words + 1), kNone);
  }
  /// Keeps h -> m, 0 <= h <= n, 1 <= m <= n, h != m; may be repeated. Call `number` afterwards, and again after `drop`.
  void keep(int head, int modifier) { kept_[cell(head, modifier)] = 0; }
  void drop(int head, int modifier) { kept_[cell(head, modifier)] = kNone; }
  bool kept(int head, int modifier) const { return kept_[cell(head, modifier)] != kNone; }
  void number();

  int words() const { return words_; }
  int size() const { return static_cast<int>(head_.size()); }
  /// The number of h -> m, or kNone. This and all that follows is valid after `number` only.
  int find(int head, int modifier) const { return kept_[cell(head, modifier)]; }
  int head(int arc) const { return head_[arc]; }
  int modifier(int arc) const { return modifier_[arc]; }
  Side side(int arc) const { return modifier(arc) < head(arc) ? kLeftSide : kRightSide; }

  /// Arcs of h on one side are numbered begin..end-1, the innermost first.
  int begin(int head, Side side) const { return begin_[2 * head + side]; }
  int end(int head, Side side) const { return begin_[2 * head + side + 1]; }
  /// How many kept modifiers stand between head and modifier.
  int rank(int arc) const { return rank_[arc]; }

  /// Arcs into m, by head; `incoming_rank` is an arc's place among those of its modifier.
  int incoming(int modifier) const { return incoming_begin_[modifier + 1] - incoming_begin_[modifier]; }
  int incoming(int modifier, int place) const { return incoming_[incoming_begin_[modifier] + place]; }
  int incoming_rank(int arc) const { return incoming_rank_[arc]; }

 private:
  size_t cell(int head, int modifier) const {
    return static_cast<size_t>(head) * static_cast<size_t>(words_ + 1) + static_cast<size_t>(modifier);
  }
  int words_ = 0;
  std::vector<int> kept_;  // by (head, modifier): kNone or, once numbered, the arc
  std::vector<int> head_, modifier_, rank_, begin_;
  std::vector<int> incoming_, incoming_begin_, incoming_rank_, scratch_;
};

}  // namespace espalier
