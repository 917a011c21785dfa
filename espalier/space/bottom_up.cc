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

bool BottomUp::add_spans(const ForestState& state, const Forest& forest, int reach, std::vector<ItemSpan>& out) const {
  const auto frontier = state.frontier(forest);
  const auto is_mark = [&](int at) {
    const Item& item = forest.items[frontier[at]];
    return item.is_terminal() && punctuation_[item.symbol];
  };
  // Spans start at first_low .. first_high and end (inclusive) at last_low .. last_high.
  int first_low = 0, first_high = state.size - 1, last_low = 0, last_high = state.size - 1;
  if (strategy_ != Strategy::kBottomUp) {
    const bool from_right = strategy_ == Strategy::kRightToLeft;
    int at = from_right ? state.size - 1 : 0;  // the item inferred last
    if (state.last >= 0) {
      at = static_cast<int>(std::ranges::find(frontier, state.last) - frontier.begin());
      (from_right ? first_high : last_low) = at;
    }
    if (from_right) {
      first_low = std::max(0, at - reach);
    } else {
      last_high = std::min(state.size - 1, at + reach);
      first_low = std::max(0, at - kMaxChildren + 1);
    }
  }
  bool joins = false;
  for (int first = first_low; first <= first_high; ++first) {
    if (is_mark(first)) continue;
    const int end = std::min(first + kMaxChildren - 1, last_high);
    for (int last = std::max(first, last_low); last <= end; ++last) {
      if (is_mark(last)) continue;
      out.push_back({first, last - first + 1});
      joins = joins || last > first || state.size == 1;
    }
  }
  return joins;
}

void BottomUp::spans(const ForestState& state, const Forest& forest, std::vector<ItemSpan>& out) const {
  out.clear();
  if (is_final(state, forest) || add_spans(state, forest, reach_, out)) return;
  if (reach_ != kLongestReach) {
    out.clear();
    if (add_spans(state, forest, kLongestReach, out)) return;
  }
  out.push_back({0, state.size});
}

bool BottomUp::allows(const ForestState& state, const Forest& forest, ItemSpan span, int label) const {
  if (label == kTop) return state.size == 1;
  if (span.count > 1) return true;
  const Item* item = &forest.items[state.frontier(forest)[span.first]];
  for (;; item = &forest.items[item->leftmost]) {
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
  const Item& left = forest.items[item.leftmost];
  item.start = left.start;
  item.end = forest.items[item.rightmost].end;
  item.head_word = forest.items[item.head].head_word;
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
  forest.frontiers.resize(next.begin + next.size);
  int* out = forest.frontiers.data() + next.begin;
  const int* in = forest.frontiers.data() + state.begin;
  out = std::copy(in, in + span.first, out);
  *out++ = next.last;
  std::copy(in + span.first + span.count, in + state.size, out);
  return next;
}

}  // namespace espalier
