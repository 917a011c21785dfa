// The graph space: one score for every possible arc of a sentence, in a dense matrix. Exact projective search (Eisner)
// and spanning trees (Chu-Liu-Edmonds) both walk it.
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

namespace espalier {

/// The score of an arc that does not exist.
inline constexpr float kNoArc = -std::numeric_limits<float>::infinity();

/// Scores of arcs h -> m over words 0..n (0 is the root); row h holds the scores of h's modifiers.
class ArcMatrix {
 public:
  /// Forgets everything: n words, no arc exists.
  void reset(int words) {
    words_ = words;
    scores_.assign(static_cast<size_t>(words + 1) * static_cast<size_t>(words + 1), kNoArc);
  }
  int words() const { return words_; }
  float& operator()(int head, int modifier) { return scores_[index(head, modifier)]; }
  float operator()(int head, int modifier) const { return scores_[index(head, modifier)]; }
  float* row(int head) { return &scores_[index(head, 0)]; }
  const float* row(int head) const { return &scores_[index(head, 0)]; }

 private:
  size_t index(int head, int modifier) const {
    return static_cast<size_t>(head) * static_cast<size_t>(words_ + 1) + static_cast<size_t>(modifier);
  }
  int words_ = 0;
  std::vector<float> scores_;
};

}  // namespace espalier
