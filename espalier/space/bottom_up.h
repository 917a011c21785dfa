// The bottom-up logics for constituents (Turian 2007, §2.2 and §6.2): a state is a forest; each inference adds one item
// above neighbouring items of its frontier; TOP over the last one ends it. A state costs O(frontier) to make.
//
// Validity of an inference (span of frontier items, label):
//   * at most kMaxChildren children; neither the first nor the last is a punctuation mark;
//   * a unary item repeats no label of the unary chain below it;
//   * TOP only over a single item that spans the sentence, and nothing above it;
//   * r2l: it starts no later than the item inferred last (l2r: ends no earlier), which makes the derivation of every
//     tree unique: its post-order from the right (left). bu: no such restriction, every order is a derivation;
//   * with a reach, r2l (l2r): it starts (ends) at most so many items before (behind) the item inferred last, or the
//     end (beginning) of the sentence. Items in between can get no constituent of their own any more, so few trees need
//     a large reach; and a state has a bounded number of inferences, however long the sentence.
// If these rules forbid every inference with two or more children, the reach is ignored, and if there is still none the
// whole frontier may be joined, so that there are no dead ends.
// Tested by bottom_up_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/hash.h"

namespace espalier {

enum class Strategy { kLeftToRight, kRightToLeft, kBottomUp };
inline constexpr const char* kStrategyNames[] = {"l2r", "r2l", "bu"};

/// A terminal or an inferred constituent. Symbols 0..labels-1 are labels (0 is TOP), after them come the tags.
struct Item {
  int symbol = 0;
  int start = 0, end = 0;  ///< its words, end exclusive, from 0
  int head_word = 0;
  int leftmost = -1, head = -1, rightmost = -1;  ///< children that features see; -1 for a terminal
  int children = 0, count = 0;                   ///< all of them, a range of Forest::children
  int height = 0;                                ///< of the unary chain that it ends

  bool is_terminal() const { return count == 0; }
};

/// All items and frontiers that the search over one sentence has made. States point into it.
struct Forest {
  std::vector<Item> items;
  std::vector<int> children;   ///< item numbers
  std::vector<int> frontiers;  ///< item numbers

  void clear() { items.clear(), children.clear(), frontiers.clear(); }
};

struct ForestState {
  int begin = 0, size = 0;  ///< its frontier, a range of Forest::frontiers
  int last = -1;            ///< the item inferred last
  uint64_t signature = 0;   ///< of the set of its items; does not depend on the order of inferences

  std::span<const int> frontier(const Forest& forest) const {
    return {forest.frontiers.data() + begin, static_cast<size_t>(size)};
  }
};

/// Frontier items first .. first+count-1.
struct ItemSpan {
  int first = 0, count = 0;
  friend bool operator==(const ItemSpan&, const ItemSpan&) = default;
};

class BottomUp {
 public:
  static constexpr int kTop = 0;
  static constexpr int kMaxChildren = 5;
  static constexpr int kMostWords = 10'000;  ///< for which there is memory, since every state has its frontier
  static constexpr int kLongestReach = 1 << 20;

  /// Reach 0 = unlimited. bu ignores it.
  BottomUp(Strategy strategy, int labels, std::vector<bool> punctuation_symbols, int reach = 0)
      : strategy_(strategy),
        labels_(labels),
        reach_(strategy == Strategy::kBottomUp || reach == 0 ? kLongestReach : reach),
        punctuation_(std::move(punctuation_symbols)) {}

  Strategy strategy() const { return strategy_; }
  int labels() const { return labels_; }
  /// One derivation per tree: a search needs no chart.
  bool deterministic() const { return strategy_ != Strategy::kBottomUp; }

  /// Terminals with these symbols become the frontier; the forest is emptied first.
  ForestState initial(std::span<const int> symbols, Forest& forest) const;
  bool is_final(const ForestState& state, const Forest& forest) const {
    return state.last >= 0 && forest.items[state.last].symbol == kTop;
  }
  /// The spans over which some label may be inferred, by start, then by end.
  void spans(const ForestState& state, const Forest& forest, std::vector<ItemSpan>& out) const;
  bool allows(const ForestState& state, const Forest& forest, ItemSpan span, int label) const;
  /// `head` counts from the first child.
  ForestState apply(const ForestState& state, Forest& forest, ItemSpan span, int label, int head) const;

 private:
  /// Adds the spans within this reach; whether one of them has two children, or is the whole frontier.
  bool add_spans(const ForestState& state, const Forest& forest, int reach, std::vector<ItemSpan>& out) const;

  Strategy strategy_;
  int labels_, reach_;
  std::vector<bool> punctuation_;
};

}  // namespace espalier
