// The ambiguity class of a word (Daelemans et al. 1996): the set of its tags in the training data, without very rare
// ones. For words to the right, whose tags are not decided yet, features use this class instead of a tag. Words that
// occurred once are left out, so that training has unknown words, too.
// Tested by learn/tag/tagger_trainer_test.cc.
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace espalier {

class TagDictionary {
 public:
  /// As it stands in a model file.
  struct Entry {
    uint64_t word;       ///< hash of its form
    uint64_t ambiguity;  ///< a value for its ambiguity class
  };
  static constexpr uint64_t kUnknown = 0;

  TagDictionary() = default;
  explicit TagDictionary(std::span<const Entry> entries) {
    map_.reserve(entries.size());
    for (const Entry& entry : entries) map_[entry.word] = entry.ambiguity;
  }

  uint64_t find(uint64_t word) const {
    const auto it = map_.find(word, static_cast<size_t>(word));  // a hash is its own hash
    return it == map_.end() ? kUnknown : it->second;
  }
  /// Sorted, for saving.
  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    for (const auto& [word, ambiguity] : map_) all.push_back({word, ambiguity});
    std::ranges::sort(all, {}, &Entry::word);
    return all;
  }

 private:
  struct Identity {
    size_t operator()(uint64_t word) const { return static_cast<size_t>(word); }
  };
  tsl::robin_map<uint64_t, uint64_t, Identity> map_;
};

}  // namespace espalier
