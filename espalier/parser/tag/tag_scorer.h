// Scores of a word's tags: features of the sentence are summed once per word, features of previous tags are added per
// state, so that a beam takes little more time than greedy search.
// Tested by learn/tag/tagger_trainer_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/parser/tag/tagging.h"
#include "espalier/space/tagging.h"
#include "espalier/weights/linear.h"

namespace espalier {

template <class Weights>
class TagScorer {
 public:
  using Sum = typename Weights::Sum;

  void reset(const Weights& weights, const TaggingFeatures& features) {
    weights_ = &weights;
    features_ = &features;
    word_ = 0;
    word_row_.resize(weights.columns());
    row_.resize(weights.columns());
  }

  /// All columns of a state; valid until the next call. Weights may change between words, not while a word is scored.
  const Sum* row(const Tagging::State& state) {
    if (state.word != word_) {
      word_ = state.word;
      word_keys_ = features_->word_keys(word_, keys_.data());
      std::ranges::fill(word_row_, Sum{0});
      weights_->add({keys_.data(), static_cast<size_t>(word_keys_)}, word_row_.data());
    }
    std::ranges::copy(word_row_, row_.begin());
    uint64_t* own = keys_.data() + word_keys_;
    keys_used_ = word_keys_ + features_->tag_keys(state.word, state.previous, state.before_it, own);
    weights_->add({own, static_cast<size_t>(keys_used_ - word_keys_)}, row_.data());
    return row_.data();
  }
  /// The feature keys of the last row.
  std::span<const uint64_t> last_keys() const { return {keys_.data(), static_cast<size_t>(keys_used_)}; }

 private:
  const Weights* weights_ = nullptr;
  const TaggingFeatures* features_ = nullptr;
  int word_ = 0, word_keys_ = 0, keys_used_ = 0;
  std::vector<Sum> word_row_, row_;
  std::array<uint64_t, TaggingFeatures::kMostWordKeys + TaggingFeatures::kMostTagKeys> keys_;
};

}  // namespace espalier
