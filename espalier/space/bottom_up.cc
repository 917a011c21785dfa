#include "espalier/space/bottom_up.h"

#include <algorithm>

namespace espalier {
namespace {

uint64_t item_hash(const Item& item) {
  return combine(combine(mix(static_cast<uint64_t>(item.start)), static_cast<uint64_t>(item.end)),
                 static_cast<uint64_t>(item.symbol) * 1024 + static_cast<uint64_t>(item.height));
}

}  // namespace

ForestState BottomUp::initial(std::span<const int> symbols, Forest& forest) const {
  forest.clear();
  for (size_t i = 0; i < symbols.size(); ++i) {
    const int at = static_cast<int>(i);
    Item item;
    item.symbol = symbols[i];
    item.start = item.head_word = at;
    item.end = at + 1;
    forest.items.push_back(item);
    forest.frontiers.push_back(at);
  }
  return {0, static_cast<int>(symbols.size()), -1, 0};
}

bool BottomUp::in_order(const ForestState& state, const Forest& forest, ItemSpan span) const {
  if (strategy_ == Strategy::kBottomUp || state.last < 0) return true;
  const auto frontier = state.frontier(forest);
  const Item& last = forest.items[static_cast<size_t>(state.last)];
  if (strategy_ == Strategy::kRightToLeft) {
    return forest.items[static_cast<size_t>(frontier[static_cast<size_t>(span.first)])].start <= last.start;
  }
  return forest.items[static_cast<size_t>(frontier[static_cast<size_t>(span.first + span.count - 1)])].end >= last.end;
}

void BottomUp::spans(const ForestState& state, const Forest& forest, std::vector<ItemSpan>& out) const {
  out.clear();
  if (is_final(state, forest)) return;
  const auto frontier = state.frontier(forest);
  const auto is_mark = [&](int at) {
    const Item& item = forest.items[static_cast<size_t>(frontier[static_cast<size_t>(at)])];
    return item.is_terminal() && punctuation_[static_cast<size_t>(item.symbol)];
  };
  bool joins = false;
  for (int first = 0; first < state.size; ++first) {
    if (is_mark(first)) continue;
    for (int count = 1; count <= std::min(kMaxChildren, state.size - first); ++count) {
      if (is_mark(first + count - 1) || !in_order(state, forest, {first, count})) continue;
      out.push_back({first, count});
      joins = joins || count > 1 || state.size == 1;
    }
  }
  if (!joins) out.push_back({0, state.size});
}

bool BottomUp::allows(const ForestState& state, const Forest& forest, ItemSpan span, int label) const {
  if (label == kTop) return state.size == 1;
  if (span.count > 1) return true;
  const Item* item = &forest.items[static_cast<size_t>(state.frontier(forest)[static_cast<size_t>(span.first)])];
  for (;; item = &forest.items[static_cast<size_t>(item->leftmost)]) {
    if (item->is_terminal()) return true;
    if (item->symbol == label) return false;
    if (item->count > 1) return true;
  }
}

ForestState BottomUp::apply(const ForestState& state, Forest& forest, ItemSpan span, int label, int head) const {
  const size_t first = static_cast<size_t>(state.begin + span.first);
  const auto child = [&](int i) { return forest.frontiers[first + static_cast<size_t>(i)]; };
  Item item;
  item.symbol = label;
  item.leftmost = child(0);
  item.rightmost = child(span.count - 1);
  item.head = child(head);
  const Item& left = forest.items[static_cast<size_t>(item.leftmost)];
  item.start = left.start;
  item.end = forest.items[static_cast<size_t>(item.rightmost)].end;
  item.head_word = forest.items[static_cast<size_t>(item.head)].head_word;
  item.height = span.count == 1 && !left.is_terminal() ? left.height + 1 : 0;
  item.children = static_cast<int>(forest.children.size());
  item.count = span.count;
  for (int i = 0; i < span.count; ++i) forest.children.push_back(child(i));

  ForestState next;
  next.begin = static_cast<int>(forest.frontiers.size());
  next.size = state.size - span.count + 1;
  next.last = static_cast<int>(forest.items.size());
  next.signature = state.signature + item_hash(item);
  forest.items.push_back(item);
  forest.frontiers.resize(static_cast<size_t>(next.begin + next.size));
  int* out = forest.frontiers.data() + next.begin;
  const int* in = forest.frontiers.data() + state.begin;
  out = std::copy(in, in + span.first, out);
  *out++ = next.last;
  std::copy(in + span.first + span.count, in + state.size, out);
  return next;
}

}  // namespace espalier
