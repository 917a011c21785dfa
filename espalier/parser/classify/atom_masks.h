// Bit masks of rows, computed without listing the rows' atoms. The caller assigns bits to atoms; a row's mask is the
// union of the bits of its atoms. Since a row is a union over (item, role) (parser/classify/atomic.h), each item keeps
// one mask per role, computed once; a row's mask is then the union of twenty to thirty words instead of 550 look-ups.
// The parser (kill_matrix.h) and percolation in training (learn/classify/boost/percolate.h) use such masks. `kWords` is
// the width if it is known at compile time, else 0. Tested by tests/classify_test.cc.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/parser/classify/atomic.h"

namespace espalier {

/// Which bits each atom sets, arranged by the values and roles through which a row reaches it.
class AtomBits {
 public:
  struct Bit {
    int atom, bit;
  };
  AtomBits(const AtomSpace& space, std::vector<Bit> bits, int words);

  int words() const { return words_; }
  const AtomSpace& space() const { return space_; }

  /// The places of a value: an item's in a role, a grandchild's, a terminal's in a set, a terminal's near an anchor.
  static constexpr int kGrandchildPlace = kRoles, kSetPlace = kGrandchildPlace + 9, kNearPlace = kSetPlace + kItemSets,
                       kPlaces = kNearPlace + 18;

  /// All places' masks of a label, tag or class.
  const uint64_t* dense(int value) const { return dense_.data() + static_cast<size_t>(value * kPlaces * words_); }
  struct SparseBit {
    uint16_t place;
    uint32_t bit;
  };
  /// A word's bits, sorted by place.
  std::span<const SparseBit> sparse(int word_value) const {
    const size_t word = static_cast<size_t>(word_value - space_.words_from());
    return {sparse_.data() + starts_[word], starts_[word + 1] - starts_[word]};
  }
  const uint64_t* length(int role, int n) const {
    constexpr int kSteps = AtomSpace::kLongest + 3;
    return lengths_.data() + static_cast<size_t>((role * kSteps + std::min(n, kSteps - 1)) * words_);
  }
  std::span<const uint32_t> sequence(uint64_t hash) const {
    const auto it = sequences_.find(hash);
    return it == sequences_.end() ? std::span<const uint32_t>() : std::span<const uint32_t>(it->second);
  }

 private:
  const AtomSpace& space_;
  int words_;
  std::vector<uint64_t> dense_, lengths_;
  std::vector<SparseBit> sparse_;
  std::vector<size_t> starts_;
  tsl::robin_map<uint64_t, std::vector<uint32_t>> sequences_;
};

/// The masks of one sentence's items and of the parts of one state's rows; memory is reused.
template <int kWords>
class RowMasks {
 public:
  explicit RowMasks(const AtomBits& bits) : bits_(bits), words_(kWords ? kWords : bits.words()) {}

  void start_sentence(std::span<const WordValues> words) {
    items_.clear();
    word_sets_.assign(words.size() * kItemSets * width(), 0);
    word_near_.assign(words.size() * 3 * width(), 0);
    const int n = static_cast<int>(words.size());
    for (int w = 0; w < n; ++w) {
      for (int set = 0; set < kItemSets; ++set) {
        add_word(words[w], AtomBits::kSetPlace + set, word_set(w, set));
      }
      for (int anchor = 0; anchor < 3; ++anchor) {
        for (int k = 1; k <= 3; ++k) {
          const int place = AtomBits::kNearPlace + anchor * 6 + k - 1;
          if (w - k >= 0) add_word(words[w - k], place, near(w, anchor));
          if (w + k < n) add_word(words[w + k], place + 3, near(w, anchor));
        }
      }
    }
  }

  /// The memory of the masks of the sentence's items, in bytes.
  size_t memory() const { return items_.size() * sizeof(uint64_t); }

  /// Computes the masks of new items and discards the parts of the previous state.
  void start_state(const RowView& row) {
    row_ = &row;
    while (items_made() < row.forest->items.size()) make_item(row.forest->items[items_made()]);
    const size_t m = static_cast<size_t>(row.size());
    left_.resize(m * width()), right_.resize(m * width()), head_.resize(m * width());
    left_ready_.assign(m, 0), right_ready_.assign(m, 0), head_ready_.assign(m, 0);
    far_left_.resize(m * width()), far_right_.resize(m * width());
    for (size_t p = 0; p < m; ++p) {
      copy(at(far_left_, p), item_mask(static_cast<int>(p), kLeftRole + 4));
      if (p > 0) merge(at(far_left_, p), at(far_left_, p - 1));
    }
    for (size_t p = m; p-- > 0;) {
      copy(at(far_right_, p), item_mask(static_cast<int>(p), kRightRole + 4));
      if (p + 1 < m) merge(at(far_right_, p), at(far_right_, p + 1));
    }
    state_.assign(width(), 0);
    target_ = state_.data();
    visit_state(row, *this);
    span_.resize(width());
    row_mask_.resize(width());
  }

  // Masks only grow as parts are added, so callers may stop at a part that already excludes the row.
  /// The part of the rows that the whole state shares.
  const uint64_t* state() const { return state_.data(); }
  /// The part that all heads of the span share; valid until the next call.
  const uint64_t* start_span(ItemSpan span) {
    start_edges(span);
    return finish_span();
  }
  /// The same in two steps: first the part of the span's edges, then all of it.
  const uint64_t* start_edges(ItemSpan span) {
    current_ = span;
    const size_t first = static_cast<size_t>(span.first), last = first + static_cast<size_t>(span.count) - 1;
    if (!left_ready_[first]) {
      left_ready_[first] = 1;
      target_ = at(left_, first);
      copy(target_, state_.data());
      visit_left_edge(*row_, span.first, *this);
    }
    if (!right_ready_[last]) {
      right_ready_[last] = 1;
      target_ = at(right_, last);
      clear(target_);
      visit_right_edge(*row_, static_cast<int>(last), *this);
    }
    target_ = span_.data();
    copy(target_, at(left_, first));
    merge(target_, at(right_, last));
    return target_;
  }

  const uint64_t* finish_span() {
    visit_span(*row_, current_, *this);
    return span_.data();
  }

  /// The whole mask of the current span with this head, a position in the frontier.
  const uint64_t* row(int head) {
    const size_t h = static_cast<size_t>(head);
    if (!head_ready_[h]) {
      head_ready_[h] = 1;
      target_ = at(head_, h);
      clear(target_);
      visit_head(*row_, head, *this);
    }
    target_ = row_mask_.data();
    copy(target_, span_.data());
    merge(target_, at(head_, h));
    visit_headed_span(*row_, current_, head, *this);
    return target_;
  }

  // The functions of a visitor (atomic.h).
  void item(int p, int role) { merge(target_, item_mask(p, role)); }
  void far_left(int p) {
    if (p >= 0) merge(target_, at(far_left_, static_cast<size_t>(p)));
  }
  void far_right(int p) {
    if (p < row_->size()) merge(target_, at(far_right_, static_cast<size_t>(p)));
  }
  void terminals_near(int word, int anchor) { merge(target_, near(word, anchor)); }
  void length(int role, int n) { merge(target_, bits_.length(role, n)); }
  void sequence(uint64_t hash) {
    for (const uint32_t bit : bits_.sequence(hash)) set(target_, bit);
  }

 private:
  size_t width() const { return static_cast<size_t>(kWords ? kWords : words_); }
  uint64_t* at(std::vector<uint64_t>& masks, size_t i) { return masks.data() + i * width(); }
  uint64_t* word_set(int w, int set) { return at(word_sets_, static_cast<size_t>(w * kItemSets + set)); }
  uint64_t* near(int w, int anchor) { return at(word_near_, static_cast<size_t>(w * 3 + anchor)); }
  size_t items_made() const { return items_.size() / (kRoles * width()); }
  const uint64_t* item_mask(int p, int role) {
    const size_t item = static_cast<size_t>(row_->frontier[p]);
    return at(items_, item * kRoles + static_cast<size_t>(role));
  }

  void merge(uint64_t* to, const uint64_t* from) const {
    for (size_t i = 0; i < width(); ++i) to[i] |= from[i];
  }
  void copy(uint64_t* to, const uint64_t* from) const {
    for (size_t i = 0; i < width(); ++i) to[i] = from[i];
  }
  void clear(uint64_t* to) const {
    for (size_t i = 0; i < width(); ++i) to[i] = 0;
  }
  static void set(uint64_t* mask, unsigned bit) { mask[bit / 64] |= uint64_t{1} << (bit % 64); }

  /// Adds the bits that a word's tag, class and form have in one place.
  void add_word(const WordValues& word, int place, uint64_t* to) const {
    merge(to, bits_.dense(word.tag) + static_cast<size_t>(place) * width());
    if (word.tag_class >= 0) merge(to, bits_.dense(word.tag_class) + static_cast<size_t>(place) * width());
    if (word.word < 0) return;
    const auto entries = bits_.sparse(word.word);
    auto it = std::ranges::lower_bound(entries, place, {}, &AtomBits::SparseBit::place);
    for (; it != entries.end() && it->place == place; ++it) set(to, it->bit);
  }

  void make_item(const Item& item) {
    const size_t before = items_.size();
    items_.resize(before + kRoles * width(), 0);
    uint64_t* masks = items_.data() + before;
    const WordValues& word = row_->words[item.head_word];
    const size_t all = kRoles * width();
    const auto add_dense = [&](int value) {
      const uint64_t* from = bits_.dense(value);
      for (size_t i = 0; i < all; ++i) masks[i] |= from[i];
    };
    add_dense(item.symbol);
    add_dense(word.tag);
    if (word.tag_class >= 0) add_dense(word.tag_class);
    if (word.word >= 0) {
      for (const auto& [place, bit] : bits_.sparse(word.word)) {
        if (place < kRoles) set(masks + place * width(), bit);
      }
    }
    sets_.assign(kItemSets * width(), 0);
    for (int w = item.start; w < item.end; ++w) {
      const uint64_t* from = word_set(w, 0);
      for (size_t i = 0; i < sets_.size(); ++i) sets_[i] |= from[i];
    }
    static const auto& roles = role_groups();
    for (size_t role = 0; role < kRoles; ++role) {
      for (const int set : roles[role].sets) merge(masks + role * width(), at(sets_, static_cast<size_t>(set)));
      if (roles[role].grandchildren < 0 || item.is_terminal()) continue;
      const int children[3] = {item.leftmost, item.head, item.rightmost};
      for (int which = 0; which < 3; ++which) {
        const Item& child = row_->forest->items[children[which]];
        const int place = AtomBits::kGrandchildPlace + roles[role].grandchildren * 3 + which;
        merge(masks + role * width(), bits_.dense(child.symbol) + static_cast<size_t>(place) * width());
        add_word(row_->words[child.head_word], place, masks + role * width());
      }
    }
  }

  const AtomBits& bits_;
  const int words_;
  const RowView* row_ = nullptr;
  ItemSpan current_;
  uint64_t* target_ = nullptr;
  std::vector<uint64_t> items_, word_sets_, word_near_, sets_;
  std::vector<uint64_t> state_, span_, row_mask_, left_, right_, head_, far_left_, far_right_;
  std::vector<uint8_t> left_ready_, right_ready_, head_ready_;
};

}  // namespace espalier
