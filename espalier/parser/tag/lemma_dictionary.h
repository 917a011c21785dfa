// The unambiguous lemmas of a treebank, by form and tags; if the tags are new for the form, by form and UPOS. Forms and
// tags are hashes, lemmas are in one text. Tested by learn/tag/lemmatizer_trainer_test.cc.
#pragma once

#include <tsl/robin_map.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/parser/tag/lemma_features.h"

namespace espalier {

class LemmaDictionary {
 public:
  /// An entry in the model file.
  struct Entry {
    uint64_t key;
    uint32_t begin, size;  ///< of the lemma in the text
  };

  static uint64_t exact_key(uint64_t form, const TagHashes& tags) {
    return combine(form, combine(tags.morph, tags.xpos));
  }
  static uint64_t coarse_key(uint64_t form, const TagHashes& tags) { return combine(form, tags.upos); }

  LemmaDictionary() = default;
  LemmaDictionary(std::span<const Entry> entries, std::string text) : text_(std::move(text)) {
    map_.reserve(entries.size());
    for (const Entry& entry : entries) map_[entry.key] = {entry.begin, entry.size};
  }

  std::optional<std::string_view> find(const std::string& form, const TagHashes& tags) const {
    const uint64_t word = hash_string(form);
    auto it = find(exact_key(word, tags));
    if (it == map_.end()) it = find(coarse_key(word, tags));
    if (it == map_.end()) return std::nullopt;
    return std::string_view(text_).substr(it->second.begin, it->second.size);
  }

  /// Sorted, for saving.
  std::vector<Entry> entries() const {
    std::vector<Entry> all;
    for (const auto& [key, place] : map_) all.push_back({key, place.begin, place.size});
    std::ranges::sort(all, {}, &Entry::key);
    return all;
  }
  const std::string& text() const { return text_; }

 private:
  struct Place {
    uint32_t begin, size;
  };
  struct Identity {
    size_t operator()(uint64_t key) const { return static_cast<size_t>(key); }
  };
  using Map = tsl::robin_map<uint64_t, Place, Identity>;
  Map::const_iterator find(uint64_t key) const { return map_.find(key, static_cast<size_t>(key)); }

  Map map_;
  std::string text_;
};

}  // namespace espalier
