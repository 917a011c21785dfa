// Scores a state: gathers atoms, hashes features, looks up rows, sums them. Sums are cached per group of templates
// during a sentence, because most states of a beam agree in what a group looks at.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

#include "espalier/features/stack_view.h"
#include "espalier/weights/linear.h"

namespace espalier {

/// A cache of sums of weight rows by group signature, cleared by `reset` in constant time.
template <class Sum>
class RowMemo {
 public:
  void reset(int columns) {
    columns_ = static_cast<size_t>(columns);
    used_ = 0;
    if (++stamp_ == 0) {  // the counter wrapped: old entries could look new
      std::ranges::fill(slots_, Slot{});
      stamp_ = 1;
    }
  }
  /// The sum for `key`; `fresh` tells that it is new and all zeros, to be filled by the caller.
  /// Valid until the next call.
  Sum* find(uint64_t key, bool& fresh) {
    if (2 * used_ >= slots_.size()) grow();
    size_t i = key & (slots_.size() - 1);
    while (slots_[i].stamp == stamp_ && slots_[i].key != key) i = (i + 1) & (slots_.size() - 1);
    fresh = slots_[i].stamp != stamp_;
    if (fresh) {
      slots_[i] = {key, stamp_, static_cast<uint32_t>(used_++)};
      if (sums_.size() < used_ * columns_) sums_.resize(2 * used_ * columns_);
      std::fill_n(&sums_[slots_[i].row * columns_], columns_, Sum{0});
    }
    return &sums_[slots_[i].row * columns_];
  }

 private:
  struct Slot {
    uint64_t key = 0;
    uint32_t stamp = 0, row = 0;
  };
  void grow() {
    std::vector<Slot> old = std::move(slots_);
    slots_.assign(std::max<size_t>(2 * old.size(), 256), Slot{});
    for (const Slot& slot : old) {
      if (slot.stamp != stamp_) continue;
      size_t i = slot.key & (slots_.size() - 1);
      while (slots_[i].stamp == stamp_) i = (i + 1) & (slots_.size() - 1);
      slots_[i] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<Sum> sums_;
  size_t columns_ = 0, used_ = 0;
  uint32_t stamp_ = 1;
};

/// `Features` is a TemplateFeatures or StackTemplates, `Scorer` a Linear or OnlineLinear.
template <class Features, class Scorer>
class StateScorer {
 public:
  using Sum = typename Scorer::Sum;
  using View = typename Features::View;
  using Atoms = typename View::Atoms;

  explicit StateScorer(Features features = {}) : features_(features) { assert(features.count() <= kMostFeatures); }

  /// Begins a sentence. Weights must not change until the next call if rows are remembered.
  void reset(const Scorer& scorer, const Atoms& atoms) {
    scorer_ = &scorer;
    atoms_ = &atoms;
    row_.resize(scorer.columns());
    for (auto& memo : memos_) memo.reset(scorer.columns());
  }

  /// The scores of all columns in a state; valid until the next call.
  const Sum* row(const auto& state, const auto& arena) {
    gatherer_.gather(state, arena, *atoms_, seen_);
    count_ = features_.all_keys(seen_, keys_);
    std::ranges::fill(row_, Sum{0});
    scorer_->add({keys_, static_cast<size_t>(count_)}, row_.data());
    return row_.data();
  }

  /// The same with cached sums, for beams.
  const Sum* remembered_row(const auto& state, const auto& arena) {
    gatherer_.gather(state, arena, *atoms_, seen_);
    std::ranges::fill(row_, Sum{0});
    add_group<kNear>(seen_.near);
    add_group<kStructure>(seen_.structure);
    add_group<kDeep>(seen_.deep);
    return row_.data();
  }

  /// The keys of a state's features, for learning.
  std::span<const uint64_t> keys(const auto& state, const auto& arena) {
    gatherer_.gather(state, arena, *atoms_, seen_);
    return {keys_, static_cast<size_t>(features_.all_keys(seen_, keys_))};
  }
  /// The keys that the last call of `row` used.
  std::span<const uint64_t> last_keys() const { return {keys_, static_cast<size_t>(count_)}; }

 private:
  template <Group kGroup>
  void add_group(uint64_t signature) {
    bool fresh;
    Sum* sum = memos_[kGroup].find(signature, fresh);
    if (fresh) {
      const int n = features_.template keys<kGroup>(seen_, keys_);
      scorer_->add({keys_, static_cast<size_t>(n)}, sum);
    }
    for (size_t c = 0; c < row_.size(); ++c) row_[c] = static_cast<Sum>(row_[c] + sum[c]);
  }

  [[no_unique_address]] Features features_;
  typename View::Gatherer gatherer_;
  View seen_;
  const Scorer* scorer_ = nullptr;
  const Atoms* atoms_ = nullptr;
  uint64_t keys_[kMostFeatures];
  int count_ = 0;
  std::vector<Sum> row_;
  RowMemo<Sum> memos_[kGroups];
};

}  // namespace espalier
