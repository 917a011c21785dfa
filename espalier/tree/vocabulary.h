// Strings to small consecutive ids and back; ids follow the order of first appearance.
#pragma once

#include <tsl/robin_map.h>

#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/hash.h"

namespace espalier {

class Vocabulary {
 public:
  static constexpr int kUnknown = -1;

  int add(std::string_view text) {
    if (const int id = find(text); id != kUnknown) return id;
    texts_.emplace_back(text);
    ids_.emplace(texts_.back(), size() - 1);
    return size() - 1;
  }
  int find(std::string_view text) const {
    const auto it = ids_.find(text);
    return it == ids_.end() ? kUnknown : it->second;
  }
  const std::string& text(int id) const { return texts_[id]; }
  int size() const { return static_cast<int>(texts_.size()); }
  const std::vector<std::string>& texts() const { return texts_; }

 private:
  struct Hash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return hash_string(text); }
  };
  std::vector<std::string> texts_;
  tsl::robin_map<std::string, int, Hash, std::equal_to<>> ids_;
};

}  // namespace espalier
