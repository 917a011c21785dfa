// The best binary bracketing of a sentence by scores of spans alone (CKY), and for every span how far the best
// bracketing that has it is behind: coarse-to-fine search keeps the spans that are not far behind. Very long sentences
// have a chart of bounded size: beside the spans of up to `widest()` words only those that begin the sentence. Tested
// by span_chart_test.cc against enumeration of all bracketings.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace espalier {

class SpanChart {
 public:
  using Span = std::pair<int, int>;  ///< first and last word, from 1

  /// Makes room for the spans of `words` words, at least one.
  void reset(int words, int most_spans = kMostSpans);
  int words() const { return words_; }
  int widest() const { return widest_; }
  bool has(int i, int j) const { return j - i < widest_ || i == 1; }

  /// To be set for every span of the chart before `solve`.
  float& score(int i, int j) { return score_[at(i, j)]; }
  float score(int i, int j) const { return score_[at(i, j)]; }
  /// Calls visit(i, j) for every span of the chart, parts before the whole.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int j = 1; j <= words_; ++j)
      for (int i = j; i >= 1; i = next_start(i, j)) visit(i, j);
  }

  /// Finds the best bracketing; its spans, the whole first.
  std::span<const Span> solve();
  float best() const { return inside_[at(1, words_)]; }
  /// After `solve`: fills behind() where it is at most `gap`; elsewhere it is larger than that.
  void compare(float gap);
  float behind(int i, int j) const { return best() - (inside_[at(i, j)] + outside_[at(i, j)]); }

 private:
  static constexpr int kMostSpans = 160'000;  // 400 words have all spans
  static constexpr int kNarrow = 20;          // the width at any length

  size_t at(int i, int j) const {
    if (j - i < widest_) return static_cast<size_t>(i - 1) * static_cast<size_t>(widest_) + static_cast<size_t>(j - i);
    return beyond_ + static_cast<size_t>(j);
  }
  /// The next span to the left with the same end: one more word, or the whole beginning; 0 after the last.
  int next_start(int i, int j) const { return i == 1 ? 0 : has(i - 1, j) ? i - 1 : 1; }
  /// The last words of the left halves of a span are first_split..j-1: right halves must be in the chart.
  int first_split(int i, int j) const { return j - i <= widest_ ? i : j - widest_; }

  int words_ = 0, widest_ = 0;
  size_t beyond_ = 0;
  std::vector<float> score_, inside_, outside_;
  std::vector<int> split_;
  std::vector<Span> spans_, open_;
};

}  // namespace espalier
