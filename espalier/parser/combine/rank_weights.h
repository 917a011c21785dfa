// The weights of a trained ranker, by feature key. Sixteen features share a cache line of fingerprints and weights, so
// that a look-up touches one line and has no branch. Unknown features have weight 0; one in a few thousand gets the
// weight of another feature, as in any hashed model. Tested by rank_test.cc.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace espalier {

class RankWeights {
 public:
  static constexpr int kSlots = 16;
  struct alignas(64) Bucket {
    uint16_t fingerprint[kSlots] = {};  ///< 0 = empty
    int16_t weight[kSlots] = {};
  };

  /// No features.
  RankWeights() : owned_(1), buckets_(owned_) {}
  /// Keeps the `most` pairs (key, weight) with the largest weights; a few that find no room are left out.
  RankWeights(std::vector<std::pair<uint64_t, float>> weights, size_t most);
  /// As saved; `owner` keeps the memory.
  RankWeights(std::span<const Bucket> buckets, double scale, std::shared_ptr<const void> owner)
      : buckets_(buckets), scale_(scale), owner_(std::move(owner)) {}
  RankWeights(RankWeights&&) = default;
  RankWeights& operator=(RankWeights&&) = default;

  /// Sums the weights of several groups of features, one after the other: sums[i] is that of group i, whose
  /// keys end at ends[i], in units of scale(). Sums are integers, so that they do not depend on their
  /// order.
  void sum(std::span<const uint64_t> keys, std::span<const size_t> ends, int64_t* sums) const;

  std::span<const Bucket> buckets() const { return buckets_; }
  double scale() const { return scale_; }
  /// What is wrong with weights from a file, or "".
  std::string problem() const;

 private:
  std::vector<Bucket> owned_;
  std::span<const Bucket> buckets_;
  double scale_ = 1;  // a weight of 1 in the table
  std::shared_ptr<const void> owner_;
};

}  // namespace espalier
