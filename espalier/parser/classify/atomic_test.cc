#include "espalier/parser/classify/atomic.h"

#include <gtest/gtest.h>

#include <set>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

/// Table 6.1 of the thesis as it is printed: all groups of items, each listed anew, and of terminals.
class TableOfGroups {
 public:
  TableOfGroups(const AtomSpace& space, const RowView& row, ItemSpan span, int head)
      : space_(space), row_(row), first_(span.first), last_(span.first + span.count - 1), head_(head) {
    for (int k = 1; k <= 4; ++k) {
      items(kFirst + k - 1, range(first_, std::min(first_ + k - 1, last_)));
      items(kLast + k - 1, range(std::max(last_ - k + 1, first_), last_));
      items(kLeftContext + k - 1, range(first_ - k, first_ - 1));
      items(kRightContext + k - 1, range(last_ + 1, last_ + k));
      items(kLeftOfHead + k - 1, range(std::max(head_ - k, first_), head_ - 1));
      items(kRightOfHead + k - 1, range(head_ + 1, std::min(head_ + k, last_)));
    }
    const int children[] = {first_, head_, last_};
    const int words[] = {row.item(first_).start, row.item(head_).head_word, row.item(last_).end - 1};
    for (int anchor = 0; anchor < 3; ++anchor) {
      for (int k = 1; k <= 3; ++k) {
        items(kItemNear + anchor * 6 + k - 1, range(children[anchor] - k, children[anchor] - k));
        items(kItemNear + anchor * 6 + 3 + k - 1, range(children[anchor] + k, children[anchor] + k));
        terminals(kTerminalNear + anchor * 6 + k - 1, words[anchor] - k, words[anchor] - k);
        terminals(kTerminalNear + anchor * 6 + 3 + k - 1, words[anchor] + k, words[anchor] + k);
      }
      const Item& child = row.item(children[anchor]);
      if (child.is_terminal()) continue;
      const int below[] = {child.leftmost, child.head, child.rightmost};
      for (int i = 0; i < 3; ++i) item(kGrandchild + anchor * 3 + i, row.forest->items[static_cast<size_t>(below[i])]);
    }
    set(kFrontier, range(0, row.size() - 1));
    set(kChildren, range(first_, last_));
    set(kLeftItems, range(0, first_ - 1));
    set(kRightItems, range(last_ + 1, row.size() - 1));
    set(kNotLeftmost, range(first_ + 1, last_));
    set(kNotRightmost, range(first_, last_ - 1));
    auto others = range(first_, head_ - 1);
    for (const int p : range(head_ + 1, last_)) others.push_back(p);
    set(kNotHead, others);
    set(kUpToHead, range(first_, head_));
    set(kBeforeHead, range(first_, head_ - 1));
    set(kFromHead, range(head_, last_));
    set(kBehindHead, range(head_ + 1, last_));
  }
  std::set<int> atoms;

 private:
  std::vector<int> range(int from, int to) const {
    std::vector<int> places;
    for (int p = std::max(from, 0); p <= std::min(to, row_.size() - 1); ++p) places.push_back(p);
    return places;
  }
  void word(int group, int w) {
    const WordValues& values = row_.words[static_cast<size_t>(w)];
    for (const int value : {values.tag, values.tag_class, values.word}) atoms.insert(space_.atom(group, value));
  }
  void item(int group, const Item& item) {
    atoms.insert(space_.atom(group, item.symbol));
    word(group, item.head_word);
  }
  void items(int group, const std::vector<int>& places) {
    for (const int p : places) item(group, row_.item(p));
  }
  void terminals(int group, int from, int to) {
    for (int w = std::max(from, 0); w <= std::min(to, static_cast<int>(row_.words.size()) - 1); ++w) word(group, w);
  }
  void length(int group, int n) {
    for (int k = 0; k <= AtomSpace::kLongest; ++k) {
      if (n == k) atoms.insert(space_.length_equals(group, k));
      if (n > k) atoms.insert(space_.length_exceeds(group, k));
    }
  }
  void set(int which, const std::vector<int>& places) {
    items(kSet + which, places);
    int words = 0;
    for (const int p : places) {
      terminals(kTerminalSet + which, row_.item(p).start, row_.item(p).end - 1);
      words += row_.item(p).end - row_.item(p).start;
    }
    length(which, static_cast<int>(places.size()));
    length(kItemSets + which, words);
  }

  const AtomSpace& space_;
  const RowView& row_;
  int first_, last_, head_;
};

TEST(Atomic, WithoutExtensionsARowIsTable61) {
  const AtomSpace space({"TOP", "S", "NP"}, {"NN", "VB", "DT"}, {{"a", 1}, {"b", 1}, {"c", 1}}, 1);
  const BottomUp logic(Strategy::kBottomUp, 3, std::vector<bool>(space.symbols().size(), false));
  const char* tags[] = {"NN", "VB", "DT"};
  const char* forms[] = {"a", "b", "c"};
  Rng rng(1, "rows");
  RowAtoms atoms(space);
  for (int trial = 0; trial < 100; ++trial) {
    std::vector<int> symbols;
    std::vector<WordValues> words;
    for (size_t n = 1 + rng.below(24); n > 0; --n) {
      const char* tag = tags[rng.below(3)];
      symbols.push_back(space.tag_symbol(tag));
      words.push_back(space.word_values(forms[rng.below(3)], tag));
    }
    Forest forest;
    ForestState state = logic.initial(symbols, forest);
    while (true) {
      const RowView row{words, &forest, state.frontier(forest), false};
      std::vector<ItemSpan> spans;
      logic.spans(state, forest, spans);
      const ItemSpan span = spans[rng.below(spans.size())];
      const int head = span.first + static_cast<int>(rng.below(static_cast<size_t>(span.count)));
      const auto& row_atoms = atoms.collect(row, span, head);
      ASSERT_EQ(std::set<int>(row_atoms.begin(), row_atoms.end()), TableOfGroups(space, row, span, head).atoms);
      if (span.count == 1) break;
      state = logic.apply(state, forest, span, 1 + static_cast<int>(rng.below(2)), head - span.first);
    }
  }
}

}  // namespace
}  // namespace espalier
