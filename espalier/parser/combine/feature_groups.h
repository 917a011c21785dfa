// The features of the trees of one k-best list. Trees of a list have most parts in common, so features come in groups:
// a group belongs to one place of the tree and depends on a few arcs or brackets around it, which its signature
// identifies. Features and the sum of weights of a group are computed once for all trees that have it. Tested by
// rank_test.cc.
#pragma once

#include <tsl/robin_map.h>

#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

class FeatureGroups {
 public:
  void clear() {
    ids_.clear();
    keys_.clear();
    ends_.assign(1, 0);
    groups_.clear();
    trees_.assign(1, 0);
  }
  /// Adds the group with this signature to the current tree; extract(keys) appends its features if it is
  /// new.
  template <class Extract>
  void add(uint64_t signature, Extract&& extract) {
    const auto [place, fresh] = ids_.try_emplace(signature, static_cast<uint32_t>(ends_.size() - 1));
    if (fresh) {
      extract(keys_);
      ends_.push_back(keys_.size());
    }
    groups_.push_back(place->second);
  }
  void end_tree() { trees_.push_back(groups_.size()); }
  /// Counts how often each group occurs in the trees; groups in all of them do not distinguish trees.
  void count_uses(std::vector<uint32_t>& uses) const {
    uses.assign(groups(), 0);
    for (const uint32_t group : groups_) ++uses[group];
  }

  size_t trees() const { return trees_.size() - 1; }
  /// The groups of a tree, in the order in which they were added.
  std::span<const uint32_t> tree(size_t i) const { return span(groups_, trees_[i], trees_[i + 1]); }
  size_t groups() const { return ends_.size() - 1; }
  std::span<const uint64_t> keys(size_t group) const { return span(keys_, ends_[group], ends_[group + 1]); }

 private:
  struct Same {
    size_t operator()(uint64_t signature) const { return signature; }
  };
  template <class T>
  static std::span<const T> span(const std::vector<T>& all, size_t begin, size_t end) {
    return std::span(all).subspan(begin, end - begin);
  }

  tsl::robin_map<uint64_t, uint32_t, Same> ids_;
  std::vector<uint64_t> keys_;
  std::vector<size_t> ends_{0};  // of each group's keys; the first entry is where they begin
  std::vector<uint32_t> groups_;
  std::vector<size_t> trees_{0};  // likewise of each tree's groups
};

}  // namespace espalier
