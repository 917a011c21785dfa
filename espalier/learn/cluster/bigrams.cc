#include "espalier/learn/cluster/bigrams.h"

#include <algorithm>
#include <tuple>

#include "espalier/base/hash.h"

namespace espalier {
namespace {

uint64_t pair_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }
uint32_t left_of(uint64_t pair) { return static_cast<uint32_t>(pair >> 32); }
uint32_t right_of(uint64_t pair) { return static_cast<uint32_t>(pair); }

}  // namespace

size_t BigramCounter::Mixed::operator()(uint64_t pair) const { return static_cast<size_t>(mix(pair)); }

uint32_t BigramCounter::id_of(const std::string& word) {
  const auto [place, is_new] = ids_.try_emplace(word, static_cast<uint32_t>(counts_.size()));
  if (is_new) counts_.push_back(0);
  return place->second;
}

void BigramCounter::add(std::span<const std::string> sentence) {
  if (sentence.empty()) return;
  uint32_t left = kBoundary;
  ++counts_[kBoundary];
  for (const std::string& word : sentence) {
    const uint32_t id = id_of(word);
    ++counts_[id];
    ++pairs_[pair_of(left, id)];
    left = id;
  }
  ++pairs_[pair_of(left, kBoundary)];
  tokens_ += static_cast<int64_t>(sentence.size());
  if (pairs_.size() <= most_pairs_) return;
  for (int64_t most = 1; pairs_.size() > most_pairs_ / 2 && !ids_.empty(); most *= 2) forget(most);
}

/// A word that comes back later is counted from there on.
void BigramCounter::forget(int64_t most) {
  std::vector<uint32_t> to(counts_.size(), kRare);
  std::vector<int64_t> counts = {counts_[kRare], counts_[kBoundary]};
  to[kBoundary] = kBoundary;
  for (uint32_t id = kBoundary + 1; id < counts_.size(); ++id) {
    if (counts_[id] <= most) {
      counts[kRare] += counts_[id];
    } else {
      to[id] = static_cast<uint32_t>(counts.size());
      counts.push_back(counts_[id]);
    }
  }
  Pairs pairs;
  for (const auto& [pair, count] : pairs_) pairs[pair_of(to[left_of(pair)], to[right_of(pair)])] += count;
  tsl::robin_map<std::string, uint32_t> ids;
  for (const auto& [word, id] : ids_)
    if (to[id] != kRare) ids[word] = to[id];
  counts_ = std::move(counts);
  pairs_ = std::move(pairs);
  ids_ = std::move(ids);
}

Bigrams BigramCounter::finish(int64_t least, int most_words) const {
  std::vector<std::tuple<int64_t, std::string, uint32_t>> ranked;  // negative counts
  for (const auto& [word, id] : ids_)
    if (counts_[id] >= least) ranked.emplace_back(-counts_[id], word, id);
  std::ranges::sort(ranked);
  if (ranked.size() > static_cast<size_t>(most_words)) ranked.resize(static_cast<size_t>(most_words));
  Bigrams result;
  std::vector<int> to(counts_.size(), static_cast<int>(ranked.size()));
  to[kBoundary] = static_cast<int>(ranked.size()) + 1;
  for (auto& [negative, word, id] : ranked) {
    to[id] = static_cast<int>(result.words.size());
    result.words.push_back(std::move(word));
  }
  result.counts.assign(result.words.size() + 2, 0);
  for (size_t id = 0; id < counts_.size(); ++id) result.counts[static_cast<size_t>(to[id])] += counts_[id];
  for (const auto& [pair, count] : pairs_) result.pairs.push_back({to[left_of(pair)], to[right_of(pair)], count});
  const auto place = [](const Bigrams::Pair& pair) { return std::pair(pair.left, pair.right); };
  std::ranges::sort(result.pairs, {}, place);
  size_t kept = 0;
  for (size_t i = 0; i < result.pairs.size(); ++i) {
    if (kept > 0 && place(result.pairs[kept - 1]) == place(result.pairs[i]))
      result.pairs[kept - 1].count += result.pairs[i].count;
    else
      result.pairs[kept++] = result.pairs[i];
  }
  result.pairs.resize(kept);
  return result;
}

}  // namespace espalier
