#include "espalier/parser/combine/pooled_list.h"

#include <algorithm>

#include "espalier/base/hash.h"

namespace espalier {

uint64_t tree_hash(const Analysis& analysis) {
  uint64_t hash = analysis.heads.size();
  for (size_t i = 1; i < analysis.heads.size(); ++i)
    hash = combine(combine(hash, static_cast<uint64_t>(analysis.heads[i])), hash_string(analysis.deprels[i]));
  const auto& nodes = analysis.constituents.nodes;
  std::vector<int> pending;
  if (!nodes.empty()) pending.push_back(0);
  while (!pending.empty()) {
    const auto& node = nodes[pending.back()];
    pending.pop_back();
    hash = combine(combine(hash, hash_string(node.label)), node.children.size());
    pending.insert(pending.end(), node.children.rbegin(), node.children.rend());
  }
  return hash;
}

PooledList pool(std::vector<std::vector<Candidate>> lists) {
  PooledList pooled;
  std::vector<uint64_t> hashes;
  std::vector<std::vector<std::pair<size_t, double>>> given(lists.size());
  for (size_t parser = 0; parser < lists.size(); ++parser) {
    for (Candidate& candidate : lists[parser]) {
      const uint64_t hash = tree_hash(candidate.analysis);
      const auto place = static_cast<size_t>(std::ranges::find(hashes, hash) - hashes.begin());
      if (place == hashes.size()) {
        hashes.push_back(hash);
        pooled.analyses.push_back(std::move(candidate.analysis));
      }
      given[parser].emplace_back(place, candidate.score);
    }
  }
  for (const auto& one : given) {
    double lowest = 0;
    if (!one.empty()) lowest = std::ranges::min(one, {}, &std::pair<size_t, double>::second).second;
    auto& scores = pooled.scores.emplace_back(pooled.size(), lowest);
    for (const auto& [place, score] : one) scores[place] = std::max(scores[place], score);
  }
  return pooled;
}

}  // namespace espalier
