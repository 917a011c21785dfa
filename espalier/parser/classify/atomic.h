// The atoms of a candidate constituent, given by (state, span of frontier items, head child), form a row.
//
// A row is a union of six parts, and each part a union over (item, role): "the item two to the left of the span" is in
// the groups "first 2, 3, 4 left context items", "left context" and "second left of the leftmost child", whatever the
// item. So only the table of roles knows the groups. A visitor gets the pairs and either lists the atoms (samples of
// training) or combines masks (parser/classify/kill_matrix.h has one per item and role). Many rows share parts: the
// left edge is common to all spans that start there, the span to all its heads.
//
// A visitor has item(p, role), far_left(p) and far_right(p) (all frontier items up to / from p, in the roles of distant
// context), terminals_near(word, anchor), length(role, n) and sequence(hash). Tested by tests/classify_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/parser/classify/atom_space.h"
#include "espalier/space/bottom_up.h"

namespace espalier {

/// Roles of an item in a row; "+ k" counts distances.
enum Role : int {
  kFirstRole = 0,       // k-th child, k = 0..3, 4 = any later
  kLastRole = 5,        // the same from the right
  kHeadLeftRole = 10,   // k + 1 to the left of the head, k = 0..3, 4 = farther
  kHeadRightRole = 15,  //
  kLeftRole = 20,       // k + 1 to the left of the span
  kRightRole = 25,
  kHeadRole = 30,
  kFrontierRole = 31,
  kLeftmostRightRole = 32,  // k + 1 to the right of the leftmost child, k = 0..2
  kRightmostLeftRole = 35,
  kNearHeadLeftRole = 38,
  kNearHeadRightRole = 41,
  kRoles = 44,
};

struct RoleGroups {
  std::vector<int> groups;  ///< of the item itself
  std::vector<int> sets;    ///< the ItemSets that contain the item; its terminals are in the sets' terminal groups
  int grandchildren = -1;   ///< the anchor of which the item's own children are grandchildren
};
const std::array<RoleGroups, kRoles>& role_groups();

/// Lengths that vary together: each group's length is the role's number plus a constant.
enum LengthRole : int {
  kFrontierLength,
  kSentenceLength,
  kLeftLength,
  kLeftTerminals,
  kRightLength,
  kRightTerminals,
  kChildrenLength,
  kChildrenTerminals,
  kNotLeftmostTerminals,
  kNotRightmostTerminals,
  kNotHeadTerminals,
  kHeadOffset,
  kHeadRest,
  kBeforeHeadTerminals,
  kUpToHeadTerminals,
  kFromHeadTerminals,
  kBehindHeadTerminals,
  kLengthRoles,
};
struct LengthShift {
  int group, shift;
};
const std::array<std::vector<LengthShift>, kLengthRoles>& length_groups();

/// A sentence and a state of it, as rows see them.
struct RowView {
  std::span<const WordValues> words;
  const Forest* forest;
  std::span<const int> frontier;
  bool sequences;  ///< with the atoms beyond the thesis, those of the head child as well

  int size() const { return static_cast<int>(frontier.size()); }
  const Item& item(int p) const { return forest->items[frontier[p]]; }
  int symbol(int p) const { return p < 0 || p >= size() ? -1 : item(p).symbol; }
};

inline uint64_t sequence_start(int kind) { return mix(static_cast<uint64_t>(kind) + 0x5eed); }
inline uint64_t sequence_add(uint64_t hash, int symbol) { return combine(hash, static_cast<uint64_t>(symbol + 2)); }

template <class Visitor>
void visit_state(const RowView& row, Visitor& visit) {
  for (int p = 0; p < row.size(); ++p) visit.item(p, kFrontierRole);
  visit.length(kFrontierLength, row.size());
  visit.length(kSentenceLength, static_cast<int>(row.words.size()));
}

template <class Visitor>
void visit_left_edge(const RowView& row, int first, Visitor& visit) {
  for (int k = 1; k <= 4 && first - k >= 0; ++k) visit.item(first - k, kLeftRole + k - 1);
  visit.far_left(first - 5);
  for (int k = 1; k <= 3 && first + k < row.size(); ++k) visit.item(first + k, kLeftmostRightRole + k - 1);
  const int start = row.item(first).start;
  visit.terminals_near(start, kLeftmostChild);
  visit.length(kLeftLength, first);
  visit.length(kLeftTerminals, start);
  if (!row.sequences) return;
  const uint64_t pair = sequence_add(sequence_add(sequence_start(0), row.symbol(first - 1)), row.symbol(first));
  visit.sequence(pair);
  visit.sequence(sequence_add(combine(pair, 1), row.symbol(first - 2)));
}

template <class Visitor>
void visit_right_edge(const RowView& row, int last, Visitor& visit) {
  for (int k = 1; k <= 4 && last + k < row.size(); ++k) visit.item(last + k, kRightRole + k - 1);
  visit.far_right(last + 5);
  for (int k = 1; k <= 3 && last - k >= 0; ++k) visit.item(last - k, kRightmostLeftRole + k - 1);
  const int end = row.item(last).end;
  visit.terminals_near(end - 1, kRightmostChild);
  visit.length(kRightLength, row.size() - 1 - last);
  visit.length(kRightTerminals, static_cast<int>(row.words.size()) - end);
  if (!row.sequences) return;
  const uint64_t pair = sequence_add(sequence_add(sequence_start(1), row.symbol(last)), row.symbol(last + 1));
  visit.sequence(pair);
  visit.sequence(sequence_add(combine(pair, 1), row.symbol(last + 2)));
}

template <class Visitor>
void visit_head(const RowView& row, int head, Visitor& visit) {
  visit.item(head, kHeadRole);
  for (int k = 1; k <= 3 && head - k >= 0; ++k) visit.item(head - k, kNearHeadLeftRole + k - 1);
  for (int k = 1; k <= 3 && head + k < row.size(); ++k) visit.item(head + k, kNearHeadRightRole + k - 1);
  visit.terminals_near(row.item(head).head_word, kHead);
}

template <class Visitor>
void visit_span(const RowView& row, ItemSpan span, Visitor& visit) {
  for (int k = 0; k < span.count; ++k) {
    visit.item(span.first + k, kFirstRole + std::min(k, 4));
    visit.item(span.first + k, kLastRole + std::min(span.count - 1 - k, 4));
  }
  const Item &left = row.item(span.first), &right = row.item(span.first + span.count - 1);
  const int terminals = right.end - left.start;
  visit.length(kChildrenLength, span.count);
  visit.length(kChildrenTerminals, terminals);
  visit.length(kNotLeftmostTerminals, terminals - (left.end - left.start));
  visit.length(kNotRightmostTerminals, terminals - (right.end - right.start));
  if (!row.sequences) return;
  uint64_t rule = sequence_start(2);
  for (int k = 0; k < span.count; ++k) rule = sequence_add(rule, row.symbol(span.first + k));
  const int before = row.symbol(span.first - 1), behind = row.symbol(span.first + span.count);
  visit.sequence(rule);
  visit.sequence(sequence_add(combine(rule, 1), behind));
  visit.sequence(sequence_add(combine(rule, 2), before));
  visit.sequence(sequence_add(sequence_add(combine(rule, 3), before), behind));
}

template <class Visitor>
void visit_headed_span(const RowView& row, ItemSpan span, int head, Visitor& visit) {
  for (int p = span.first; p < head; ++p) visit.item(p, kHeadLeftRole + std::min(head - 1 - p, 4));
  for (int p = head + 1; p < span.first + span.count; ++p) visit.item(p, kHeadRightRole + std::min(p - head - 1, 4));
  const Item& h = row.item(head);
  const int start = row.item(span.first).start, end = row.item(span.first + span.count - 1).end;
  visit.length(kNotHeadTerminals, (end - start) - (h.end - h.start));
  visit.length(kHeadOffset, head - span.first);
  visit.length(kHeadRest, span.first + span.count - 1 - head);
  visit.length(kBeforeHeadTerminals, h.start - start);
  visit.length(kUpToHeadTerminals, h.end - start);
  visit.length(kFromHeadTerminals, end - h.start);
  visit.length(kBehindHeadTerminals, end - h.end);
}

/// The whole row. `head` is a position in the frontier.
template <class Visitor>
void visit_row(const RowView& row, ItemSpan span, int head, Visitor& visit) {
  visit_state(row, visit);
  visit_left_edge(row, span.first, visit);
  visit_right_edge(row, span.first + span.count - 1, visit);
  visit_head(row, head, visit);
  visit_span(row, span, visit);
  visit_headed_span(row, span, head, visit);
}

/// Collects a row's atoms, each once, in no particular order.
class RowAtoms {
 public:
  explicit RowAtoms(const AtomSpace& space) : space_(space), seen_(space.size(), 0) {}

  const std::vector<int>& collect(const RowView& row, ItemSpan span, int head) {
    row_ = &row;
    atoms_.clear();
    if (++stamp_ == 0) std::ranges::fill(seen_, 0), stamp_ = 1;
    visit_row(row, span, head, *this);
    return atoms_;
  }
  /// Whether the row collected last has the atom.
  bool has(int atom) const { return seen_[atom] == stamp_; }

  void item(int p, int role);
  void far_left(int p) {
    for (; p >= 0; --p) item(p, kLeftRole + 4);
  }
  void far_right(int p) {
    for (; p < row_->size(); ++p) item(p, kRightRole + 4);
  }
  void terminals_near(int word, int anchor);
  void length(int role, int n);
  void sequence(uint64_t hash) {
    if (const int atom = space_.sequence(hash); atom >= 0) add(atom);
  }

 private:
  void add(int atom) {
    if (seen_[atom] == stamp_) return;
    seen_[atom] = stamp_;
    atoms_.push_back(atom);
  }
  void add_word(int group, const WordValues& word) {
    add(space_.atom(group, word.tag));
    if (word.tag_class >= 0) add(space_.atom(group, word.tag_class));
    if (word.word >= 0) add(space_.atom(group, word.word));
  }
  void add_item(int group, const Item& item) {
    add(space_.atom(group, item.symbol));
    add_word(group, row_->words[item.head_word]);
  }

  const AtomSpace& space_;
  const RowView* row_ = nullptr;
  std::vector<int> atoms_;
  std::vector<uint32_t> seen_;
  uint32_t stamp_ = 0;
};

}  // namespace espalier
