// K-best lists, which parsers, rerankers and learners exchange. A candidate's analysis, its list's
// order and its features' names mean the same whatever parser, fold or training run they come from; scores are the
// parser's own. Tested by tests/contract/parser_test.cc for every kind of parser.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "espalier/tree/analysis.h"

namespace espalier {

/// One entry of a k-best list. Rerankers and task-loss training work on these, whatever parser made them.
struct Candidate {
  double score = 0;
  Analysis analysis;                ///< as it would be written
  std::vector<int32_t> derivation;  ///< how the parser built it; meaningful to that parser only
  /// What the score is made of, for parsers that add up several ("h", "c"); shown by `parse --kbest`.
  std::vector<std::pair<std::string, double>> scores;
};

/// Adds a candidate, unless one that is written alike is there: where several derivations build one analysis, the
/// first, i.e. the best of them, stands for it.
void add_distinct(Candidate candidate, std::vector<Candidate>& list);

/// One entry of a sparse feature vector.
struct Feature {
  /// Hashed from texts: the same feature has the same key in every model of a kind, whatever it was trained on.
  uint64_t key = 0;
  float value = 0;
  /// In the weights that were asked, learning or frozen; 0 unless weights were asked for. A candidate's score is the
  /// sum of value * weight over its features.
  float weight = 0;

  friend bool operator==(const Feature&, const Feature&) = default;
};
/// Sorted by key, each key once.
using FeatureVector = std::vector<Feature>;

/// Sorts, and adds up the values of features that occur more than once.
void sort_features(FeatureVector& features);
/// The sum of value * weight.
double weighted_sum(const FeatureVector& features);

/// A k-best list that can be extended: k = 2, 4, 8 ... of one sentence. The search continues where it can; one that
/// must be wider for more candidates runs again only when k exceeds its width.
class KBestList {
 public:
  /// Brings the list to k distinct candidates, if there are so many, best first; it holds what the last call left.
  using Search = std::function<void(int k, std::vector<Candidate>& list)>;
  explicit KBestList(Search search) : search_(std::move(search)) {}

  /// At most k candidates, best first; valid until the next call. A wider search may find better ones than a narrow
  /// one did, so that a grown list need not begin with the shorter one.
  std::span<const Candidate> best(int k);
  /// The same, to be kept.
  std::vector<Candidate> take(int k);

 private:
  Search search_;
  std::vector<Candidate> list_;
  int asked_ = 0;
};

}  // namespace espalier
