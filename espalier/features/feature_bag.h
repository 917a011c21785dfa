// The features of one decision: hashed keys, each with a value (1 by default). Also the usual way to make them:
// atoms in groups, and templates that conjoin one, two or three groups (Vowpal Wabbit's namespaces with their
// quadratic and cubic expansion; Chang et al., Learning to Search for Dependencies, Table 3). Tested by
// feature_bag_test.cc.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/hash.h"

namespace espalier {

class FeatureBag {
 public:
  void clear() {
    keys_.clear();
    values_.clear();
  }
  void add(uint64_t key) {
    keys_.push_back(key);
    if (!values_.empty()) values_.push_back(1);
  }
  void add(uint64_t key, float value) {
    values_.resize(keys_.size(), 1);
    keys_.push_back(key);
    values_.push_back(value);
  }
  /// Room for `count` more keys of value 1, to be written by the caller.
  uint64_t* extend(size_t count) {
    const size_t old = keys_.size();
    keys_.resize(old + count);
    if (!values_.empty()) values_.resize(old + count, 1);
    return keys_.data() + old;
  }
  /// Forgets all but the first `count` features.
  void truncate(size_t count) {
    keys_.resize(count);
    if (values_.size() > count) values_.resize(count);
  }

  size_t size() const { return keys_.size(); }
  std::span<const uint64_t> keys() const { return keys_; }
  /// Empty if every value is 1.
  std::span<const float> values() const { return values_; }

 private:
  std::vector<uint64_t> keys_;
  std::vector<float> values_;
};

/// Which groups a template conjoins; -1 where there is none. Naming a group twice in a row means the unordered pairs of
/// different atoms of that group; of three groups only the last two may be the same.
struct GroupTemplate {
  int8_t a, b = -1, c = -1;
};

/// Atoms by group. A group is a position that a decision looks at (stack top, next word, ...); its atoms are the values
/// there (form, tag, ...), as 64-bit hashes. The same atom in two groups gives different features.
class AtomGroups {
 public:
  static constexpr int kMaxAtoms = 16;

  explicit AtomGroups(int groups) : groups_(static_cast<size_t>(groups)) {}

  void clear() {
    for (Group& group : groups_) group.count = 0;
  }
  void add(int group, uint64_t atom) {
    check(group);
    Group& g = groups_[group];
    if (g.count == kMaxAtoms) throw usage_error("group {} has more than {} atoms", group, kMaxAtoms);
    g.atoms[g.count++] = (atom ^ mix(static_cast<uint64_t>(group) + 1)) * kOdd;
  }
  /// Adds the full cross product of each template's groups.
  void expand(std::span<const GroupTemplate> templates, FeatureBag& bag) const;

 private:
  // A multiplier with well-spread bits: rows are addressed by the topmost bits of a key.
  static constexpr uint64_t kOdd = 0x9e3779b97f4a7c15u;
  struct Group {
    int count = 0;
    uint64_t atoms[kMaxAtoms];
  };
  void check(int group) const {
    if (group < 0 || group >= static_cast<int>(groups_.size()))
      throw usage_error("there is no group {}, only 0 to {}", group, static_cast<int>(groups_.size()) - 1);
  }
  std::vector<Group> groups_;
};

}  // namespace espalier
