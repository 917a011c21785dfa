// Fast scoring of an l1-regularised ensemble: about one leaf per tree is not zero, so the ensemble is a list of some
// thousand weighted conjunctions, most of them hundreds of negated atoms long. All conjunctions of all labels are
// scored at once: an atom has one bit per conjunction that it kills (as a negated literal) and one per conjunction of
// which it is the first positive literal. A row's mask (atom_masks.h) gives the conjunctions that hold, except that
// further positive literals are tested one by one. Compared with the walk over the trees in tests/classify_test.cc.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "espalier/parser/classify/atom_masks.h"
#include "espalier/weights/boosted_trees.h"

namespace espalier {

class KillMatrix {
 public:
  /// With more conjunctions than this, walking the trees is faster.
  static constexpr size_t kMost = 8192;

  /// `conjunctions` ordered by label.
  KillMatrix(const AtomSpace& space, const std::vector<Conjunction>& conjunctions, const std::vector<float>& intercept);

  const AtomBits& bits() const { return bits_; }

  /// The label's margin for a row with this mask.
  float margin(int label, const uint64_t* mask) const {
    float sum = intercept_[label];
    const size_t begin = starts_[label], end = starts_[label + 1];
    for (size_t word = begin / 64; word * 64 < end; ++word) {
      uint64_t alive = ~mask[word] & (mask[plane_ + word] | no_positive_[word]);
      if (word == begin / 64) alive &= ~uint64_t{0} << (begin % 64);
      if (end - word * 64 < 64) alive &= (uint64_t{1} << (end % 64)) - 1;
      for (; alive; alive &= alive - 1) {
        const size_t conjunction = word * 64 + static_cast<size_t>(std::countr_zero(alive));
        if (!has_more_[conjunction] || all_there(conjunction, mask)) sum += weights_[conjunction];
      }
    }
    return sum;
  }

 private:
  struct Layout {
    size_t plane = 0;  // words per plane: killed, then first positive literal seen
    std::vector<AtomBits::Bit> bits;
    std::vector<uint64_t> no_positive;
    std::vector<uint8_t> has_more;
    std::vector<size_t> more_starts;
    std::vector<uint32_t> more;
    int words = 0;
  };
  static Layout lay_out(const std::vector<Conjunction>& conjunctions);
  KillMatrix(const AtomSpace& space, Layout layout, const std::vector<Conjunction>& conjunctions,
             const std::vector<float>& intercept);

  bool all_there(size_t conjunction, const uint64_t* mask) const {
    for (size_t i = more_starts_[conjunction]; i < more_starts_[conjunction + 1]; ++i) {
      if (!(mask[more_[i] / 64] >> (more_[i] % 64) & 1)) return false;
    }
    return true;
  }

  size_t plane_;
  AtomBits bits_;
  std::vector<uint64_t> no_positive_;
  std::vector<uint8_t> has_more_;
  std::vector<size_t> more_starts_;
  std::vector<uint32_t> more_;
  std::vector<float> weights_, intercept_;
  std::vector<size_t> starts_;  // per label
};

}  // namespace espalier
