// The training examples of the ranker: k-best lists in numbers. Only features in which the trees of a list differ are
// kept, and of those only ones that differ in several lists. A tree is stored as its signed difference from the first
// tree of its list, which gives the same margins and updates as whole feature vectors, in groups of features, each of
// which is stored once for all trees. Tested by ranker_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/parser/combine/pooled_list.h"
#include "espalier/parser/combine/tree_features.h"
#include "espalier/weights/feature_index.h"

namespace espalier {

/// A list with the losses of its trees.
struct LossList {
  const Sentence* sentence;
  PooledList list;
  std::vector<double> losses;
};

/// Makes the gold tree the only one of its list without loss, whether the parser has found it or not. Lists of
/// sentences with incomplete trees stay.
void put_gold(LossList& of);

/// Rows of numbers, one after the other.
struct NumberRows {
  std::vector<uint32_t> numbers, ends;

  void end_row() { ends.push_back(static_cast<uint32_t>(numbers.size())); }
  size_t size() const { return ends.size(); }
  std::span<const uint32_t> operator[](size_t i) const {
    const size_t begin = i == 0 ? 0 : ends[i - 1];
    return std::span(numbers).subspan(begin, ends[i] - begin);
  }
};

/// One list in numbers.
struct RankExample {
  NumberRows groups;  ///< ids of their features; one that counts twice stands there twice
  NumberRows trees;   ///< their differences from the first: group * 2 + (1 if only the first has it)
  std::vector<float> losses;

  size_t size() const { return trees.size(); }
};

/// The features that have weights.
class RankFeatures {
 public:
  RankFeatures(AtomColumns columns, std::string head_rules) : columns_(columns), head_rules_(std::move(head_rules)) {}

  /// Chooses the features of these lists that differ in at least `least` of them, and turns the lists into numbers;
  /// analyses are freed meanwhile to save memory.
  std::vector<RankExample> learn(std::span<LossList> lists, int least, int threads);
  /// Turns other lists into numbers; unknown features are left out.
  std::vector<RankExample> encode(std::span<const LossList> lists, int threads);
  /// Frees the index when nothing more will be encoded.
  void drop_index() { index_ = FeatureIndex(1); }

  size_t size() const { return keys_.size(); }
  uint64_t key(size_t id) const { return keys_[id]; }

 private:
  template <class Use>
  void extract(std::span<const LossList> lists, int threads, Use&& use) const;
  RankExample number(const FeatureGroups& groups, const LossList& list, const std::vector<uint8_t>* counts, int least);

  AtomColumns columns_;
  std::string head_rules_;
  FeatureIndex index_{1};  // key -> id + 1
  std::vector<uint64_t> keys_;
  // Scratch of one list.
  std::vector<uint32_t> uses_, numbers_, first_, other_, only_;
  NumberRows groups_, trees_;
};

}  // namespace espalier
