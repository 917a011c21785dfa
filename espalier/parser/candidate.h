// K-best lists, which parsers, rerankers and learners exchange. Analyses and names of features are comparable
// between parsers, folds and training runs; scores are not. Tested by tests/contract/parser_test.cc for every kind
// of parser.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "espalier/tree/analysis.h"

namespace espalier {

/// One entry of a k-best list.
struct Candidate {
  double score = 0;
  Analysis analysis;                ///< as `parse` would write it
  std::vector<int32_t> derivation;  ///< how the parser built it, in a form of its own
  /// The parts of the score, for parsers that add up several ("h", "c"); shown by `parse --kbest`.
  std::vector<std::pair<std::string, double>> scores;
};

/// Adds a candidate, unless the list has one with an equal analysis: of several derivations of an analysis the first,
/// which is the best, is kept.
void add_distinct(Candidate candidate, std::vector<Candidate>& list);

/// One entry of a sparse feature vector.
struct Feature {
  /// A hash of texts: a feature has the same key in all models of a kind.
  uint64_t key = 0;
  float value = 0;
  /// Its weight in the model or in training; 0 unless weights were asked for. A candidate's score is the sum of
  /// value * weight over its features.
  float weight = 0;

  friend bool operator==(const Feature&, const Feature&) = default;
};
/// Sorted by key, each key once.
using FeatureVector = std::vector<Feature>;

/// Sorts, and adds up the values of features that occur more than once.
void sort_features(FeatureVector& features);
/// The sum of value * weight.
double weighted_sum(const FeatureVector& features);

/// A k-best list of one sentence that can be extended: k = 2, 4, 8 ... A search that can deliver more candidates
/// continues; one that must be wider for that runs again when k exceeds its width.
class KBestList {
 public:
  /// Extends the list of the last call to k distinct candidates, best first, or fewer if there are no more.
  using Search = std::function<void(int k, std::vector<Candidate>& list)>;
  explicit KBestList(Search search) : search_(std::move(search)) {}

  /// At most k candidates, best first; valid until the next call. A wider search may find better candidates, so an
  /// extended list need not begin with the shorter one.
  std::span<const Candidate> best(int k);
  /// As `best`, but moves the candidates out.
  std::vector<Candidate> take(int k);

 private:
  Search search_;
  std::vector<Candidate> list_;
  int asked_ = 0;
};

}  // namespace espalier
