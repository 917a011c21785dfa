#include "espalier/learn/rank/rank_examples.h"

#include <algorithm>
#include <bit>

#include "espalier/base/parallel.h"

namespace espalier {
namespace {

/// Rough counts of keys, 2^26 of them: two keys that share one only make a rare feature seem less rare.
constexpr int kCountBits = 26;
size_t count_place(uint64_t key) { return static_cast<size_t>(key >> (64 - kCountBits)); }

void sorted_tree(const FeatureGroups& groups, size_t tree, std::vector<uint32_t>& sorted) {
  sorted.assign(groups.tree(tree).begin(), groups.tree(tree).end());
  std::ranges::sort(sorted);
}

/// Appends the features of both sides, those that are on both taken away.
void append_difference(std::vector<uint32_t>& plus, std::vector<uint32_t>& minus, std::vector<uint32_t>& features) {
  std::ranges::sort(plus);
  std::ranges::sort(minus);
  size_t a = 0, b = 0;
  while (a < plus.size() || b < minus.size()) {
    if (b == minus.size() || (a < plus.size() && plus[a] < minus[b])) {
      features.push_back(plus[a++] * 2);
    } else if (a == plus.size() || minus[b] < plus[a]) {
      features.push_back(minus[b++] * 2 + 1);
    } else {
      ++a, ++b;
    }
  }
}

}  // namespace

/// use(i, groups) for every list, in order; features are extracted in parallel.
template <class Use>
void RankFeatures::extract(std::span<const LossList> lists, int threads, Use&& use) const {
  const auto workers = static_cast<size_t>(std::max(threads, 1));
  std::vector<TreeFeatures> extractors(8 * workers, TreeFeatures(columns_, head_rules_));
  std::vector<const FeatureGroups*> groups(extractors.size());
  for (size_t first = 0; first < lists.size(); first += extractors.size()) {
    const size_t count = std::min(extractors.size(), lists.size() - first);
    parallel_for(count, threads, [&](int, size_t i) {
      const LossList& list = lists[first + i];
      groups[i] = &extractors[i].extract(*list.sentence, list.list.analyses);
    });
    for (size_t i = 0; i < count; ++i) use(first + i, *groups[i]);
  }
}

std::vector<RankExample> RankFeatures::learn(std::span<LossList> lists, int least, int threads) {
  std::vector<uint8_t> counts(size_t{1} << kCountBits);
  extract(lists, threads, [&](size_t, const FeatureGroups& groups) {
    groups.count_uses(uses_);
    for (size_t group = 0; group < uses_.size(); ++group) {
      if (uses_[group] == groups.trees()) continue;
      for (const uint64_t key : groups.keys(group)) {
        uint8_t& count = counts[count_place(key)];
        count = static_cast<uint8_t>(count + (count < 255));
      }
    }
  });
  const auto wanted = static_cast<size_t>(std::ranges::count_if(counts, [&](int count) { return count >= least; }));
  index_ = FeatureIndex(std::bit_ceil(std::max<size_t>(wanted / 5, 1024)));
  keys_.clear();
  std::vector<RankExample> examples(lists.size());
  extract(lists, threads, [&](size_t i, const FeatureGroups& groups) {
    examples[i] = number(groups, lists[i], &counts, least);
    lists[i].list.analyses = {};
  });
  return examples;
}

std::vector<RankExample> RankFeatures::encode(std::span<const LossList> lists, int threads) {
  std::vector<RankExample> examples(lists.size());
  extract(lists, threads,
          [&](size_t i, const FeatureGroups& groups) { examples[i] = number(groups, lists[i], nullptr, 0); });
  return examples;
}

/// With counts, features that are frequent enough get an id the first time they are met.
RankExample RankFeatures::number(const FeatureGroups& groups, const LossList& list, const std::vector<uint8_t>* counts,
                                 int least) {
  ids_.clear();
  ends_.assign(1, 0);
  groups.count_uses(uses_);
  for (size_t group = 0; group < uses_.size(); ++group) {
    const bool differs = uses_[group] != groups.trees();
    if (differs) index_.prefetch(groups.keys(group));
    for (const uint64_t key : differs ? groups.keys(group) : std::span<const uint64_t>()) {
      uint32_t row = index_.find(key);
      if (row == 0 && counts && (*counts)[count_place(key)] >= least) {
        row = static_cast<uint32_t>(keys_.size() + 1);
        if (index_.insert(key, row))
          keys_.push_back(key);
        else
          row = 0;
      }
      if (row != 0) ids_.push_back(row - 1);
    }
    ends_.push_back(static_cast<uint32_t>(ids_.size()));
  }

  RankExample example;
  example.losses.assign(list.losses.begin(), list.losses.end());
  std::vector<uint32_t> first, other, only;
  const auto gather = [&](const std::vector<uint32_t>& some, std::vector<uint32_t>& features) {
    features.clear();
    for (const uint32_t group : some)
      features.insert(features.end(), ids_.begin() + ends_[group], ids_.begin() + ends_[group + 1]);
  };
  sorted_tree(groups, 0, first);
  for (size_t i = 0; i < groups.trees(); ++i) {
    sorted_tree(groups, i, other);
    only.clear();
    std::ranges::set_difference(other, first, std::back_inserter(only));
    gather(only, plus_);
    only.clear();
    std::ranges::set_difference(first, other, std::back_inserter(only));
    gather(only, minus_);
    append_difference(plus_, minus_, example.features);
    example.ends.push_back(static_cast<uint32_t>(example.features.size()));
  }
  example.features.shrink_to_fit();
  return example;
}

}  // namespace espalier
