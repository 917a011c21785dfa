// Feature keys of whole-tree features: atoms (64-bit hashes of texts, small numbers) folded into one key. Keys depend
// on texts alone, so that lists of any parsers can be ranked together. Part of the model format.
#pragma once

#include <cstdint>
#include <vector>

namespace espalier {

constexpr uint64_t extended(uint64_t key, uint64_t atom) {
  key = (key ^ atom) * 0x9fb21c651e98df25u;
  return key ^ (key >> 32);
}

template <class... Atoms>
constexpr uint64_t feature_key(uint64_t name, Atoms... atoms) {
  uint64_t key = (name + 1) * 0x9e3779b97f4a7c15u;
  ((key = extended(key, static_cast<uint64_t>(atoms))), ...);
  return key;
}

/// Writes the features of one group. Templates are numbered in the order in which they are asked for.
class GroupWriter {
 public:
  GroupWriter(int group, std::vector<uint64_t>& keys) : next_(static_cast<uint64_t>(group) << 8), keys_(keys) {}

  template <class... Atoms>
  uint64_t operator()(Atoms... atoms) {
    const uint64_t key = feature_key(next_++, atoms...);
    keys_.push_back(key);
    return key;
  }
  /// The conjunction of these atoms alone, and with each of the variants.
  template <class... Variants>
  void also(uint64_t key, Variants... variants) {
    uint64_t variant = 0;
    (keys_.push_back(extended(key, static_cast<uint64_t>(variants) + ++variant * 0xd6e8feb86659fd93u)), ...);
  }

 private:
  uint64_t next_;
  std::vector<uint64_t>& keys_;
};

}  // namespace espalier
