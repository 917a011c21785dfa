#include "espalier/learn/combine/rank_examples.h"

#include <algorithm>
#include <bit>

#include "espalier/base/parallel.h"
#include "espalier/tree/constraints.h"

namespace espalier {
namespace {

/// Approximate counts, 2^26 of them: keys that share a counter make a rare feature seem more frequent.
constexpr int kCountBits = 26;
size_t count_place(uint64_t key) { return static_cast<size_t>(key >> (64 - kCountBits)); }

}  // namespace

void put_gold(LossList& of) {
  PooledList& list = of.list;
  if (list.size() == 0 || is_partial(*of.sentence)) return;
  const auto drop_right = [&](auto& values) {
    size_t i = 0;
    std::erase_if(values, [&](const auto&) { return of.losses[i++] == 0; });
  };
  Analysis gold = analysis_of(*of.sentence);
  const Analysis& first = list.analyses.front();  // gold gets its columns
  for (auto column : {&Analysis::deprels, &Analysis::upos, &Analysis::xpos, &Analysis::feats, &Analysis::lemmas})
    if ((first.*column).empty()) (gold.*column).clear();
  if (first.heads.empty()) gold.heads.clear();
  if (first.constituents.empty()) gold.constituents = {};
  drop_right(list.analyses);
  list.analyses.push_back(std::move(gold));
  for (auto& scores : list.scores) {
    const double lowest = std::ranges::min(scores);
    drop_right(scores);
    scores.push_back(lowest);
  }
  std::erase(of.losses, 0);
  of.losses.push_back(0);
}

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

/// If counts are given, features that are frequent enough get an id at their first occurrence.
RankExample RankFeatures::number(const FeatureGroups& groups, const LossList& list, const std::vector<uint8_t>* counts,
                                 int least) {
  constexpr uint32_t kNothing = ~0u;  // a group that all trees have, or without learned features
  groups_ = trees_ = {};
  numbers_.assign(groups.groups(), kNothing);
  groups.count_uses(uses_);
  for (size_t group = 0; group < uses_.size(); ++group) {
    if (uses_[group] == groups.trees()) continue;
    index_.prefetch(groups.keys(group));
    const size_t before = groups_.numbers.size();
    for (const uint64_t key : groups.keys(group)) {
      uint32_t row = index_.find(key);
      if (row == 0 && counts && (*counts)[count_place(key)] >= least) {
        row = static_cast<uint32_t>(keys_.size() + 1);
        if (index_.insert(key, row))
          keys_.push_back(key);
        else
          row = 0;
      }
      if (row != 0) groups_.numbers.push_back(row - 1);
    }
    if (groups_.numbers.size() == before) continue;
    numbers_[group] = static_cast<uint32_t>(groups_.size());
    groups_.end_row();
  }

  const auto numbers_of = [&](size_t tree, std::vector<uint32_t>& numbers) {
    numbers.clear();
    for (const uint32_t group : groups.tree(tree))
      if (numbers_[group] != kNothing) numbers.push_back(numbers_[group]);
    std::ranges::sort(numbers);
  };
  numbers_of(0, first_);
  for (size_t i = 0; i < groups.trees(); ++i) {
    numbers_of(i, other_);
    for (const uint32_t minus : {0u, 1u}) {
      only_.clear();
      std::ranges::set_difference(minus ? first_ : other_, minus ? other_ : first_, std::back_inserter(only_));
      for (const uint32_t group : only_) trees_.numbers.push_back(2 * group + minus);
    }
    trees_.end_row();
  }
  // Copies, which have no spare capacity.
  return {groups_, trees_, {list.losses.begin(), list.losses.end()}};
}

}  // namespace espalier
