// K-best lists in numbers: what the ranker learns from. Only features in which the trees of a list differ matter, and
// of those only ones that differ in several sentences. A tree is kept as its signed difference from the first of its
// list, which gives the same margins and the same updates as whole feature vectors, in groups of features, of which
// each is kept once, however many trees have it. Tested by ranker_test.cc.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "espalier/parser/combine/pooled_list.h"
#include "espalier/parser/combine/tree_features.h"
#include "espalier/weights/feature_index.h"

namespace espalier {

/// A list with what is known of it.
struct LossList {
  const Sentence* sentence;
  PooledList list;
  std::vector<double> losses;
};

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

/// The features that are learned about.
class RankFeatures {
 public:
  RankFeatures(AtomColumns columns, std::string head_rules) : columns_(columns), head_rules_(std::move(head_rules)) {}

  /// Chooses the features of these lists that differ in at least `least` of them, and turns the lists into numbers;
  /// their analyses are freed on the way, since both together would take much memory.
  std::vector<RankExample> learn(std::span<LossList> lists, int least, int threads);
  /// Other lists: features that are not known are left out.
  std::vector<RankExample> encode(std::span<const LossList> lists, int threads);
  /// Nothing will be encoded any more.
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
