// The arc filter: a small unlabelled first-order model that scores all n^2 arcs and keeps a few per word for the
// expensive scorer. Two rules:
//   posterior     keep h -> m iff ln p(h|m) >= -theta, p a softmax over the heads of m
//   max-marginal  keep h -> m iff the best tree with it scores at least alpha * best + (1 - alpha) * mean
//                 (Rush & Petrov 2012)
// The arcs of the filter's own best tree are always kept, so that a tree exists, and at most kMostArcs others, which
// bounds the memory of a search over parts. Trained by learn/graph/arc_filter_trainer.h. Weights are hashed into 2^bits
// floats without checking keys; with 20 bits collisions have no measurable effect.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "espalier/parser/graph/graph_templates.h"
#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/search/eisner.h"
#include "espalier/search/max_marginals.h"
#include "espalier/space/arc_matrix.h"
#include "espalier/space/arc_set.h"

namespace espalier {

class ArcFilter {
 public:
  enum class Rule { kPosterior, kMaxMarginal };
  struct Workspace {
    std::vector<uint64_t> heads, modifiers;
    ArcMatrix scores, marginals;
    EisnerChart chart;
    ChuLiuEdmonds spanning;
    MaxMarginals max_marginals;
    std::vector<int> tree;
    std::vector<std::pair<int, int>> survivors;  // head and modifier
  };

  ArcFilter() = default;
  /// A filter without weights. `tags`: the number of small tag numbers, a power of two.
  ArcFilter(std::string_view columns, int tags, int bits);

  /// Scores of all arcs, into workspace.scores; shares of features stay in the workspace.
  void score(const GraphSentence& sentence, Workspace& workspace) const;
  /// Turns scores into ln p(h|m), in place.
  static void normalise(ArcMatrix& scores);
  /// Adds the arcs that pass the filter to `kept` (which has been reset, and may have arcs already). Words with a given
  /// head (`given`, by word, may be empty; -1 = free) keep only that arc.
  void filter(const GraphSentence& sentence, bool projective, Workspace& workspace, ArcSet& kept,
              std::span<const int> given = {}) const;

  /// Calls visit(index into weights()) for the features of an arc. The workspace must have been filled by
  /// `score`.
  template <class Visit>
  void for_each_feature(const GraphSentence& sentence, const Workspace& workspace, int head, int modifier,
                        Visit&& visit) const;

  Rule rule = Rule::kPosterior;
  float threshold = 5;      ///< theta or alpha
  bool single_root = true;  ///< of its own best tree; the max-marginal rule knows no other

  static constexpr int kUsualBits = 20, kLeastBits = 8, kMostBits = 24;
  int bits() const { return bits_; }
  std::span<const float> weights() const { return weights_; }
  std::span<float> mutable_weights() { return *owned_; }
  /// Begins with weights of zero.
  void own_weights();
  /// Uses weights that the caller keeps alive; there must be weight_count() of them.
  void use(std::span<const float> weights) { weights_ = weights, owned_.reset(); }
  size_t weight_count() const { return hashed_size() + rows_between_ * tags_; }

 private:
  static constexpr size_t kMostArcs = 4000;
  size_t hashed_size() const { return size_t{1} << bits_; }
  /// Weights of a tag between two others: a row by direction, head and tag between, with a weight per modifier.
  size_t between(int right, int head_tag, int tag, int modifier_tag) const {
    const size_t row = (static_cast<size_t>(right) * tags_ + head_tag) * tags_ + tag;
    return hashed_size() + (row & (rows_between_ - 1)) * tags_ + modifier_tag;
  }
  size_t hashed(uint64_t key) const { return key >> (64 - bits_); }

  TemplateSet templates_;
  int tags_ = 0, bits_ = kUsualBits;
  size_t rows_between_ = 1;  // a power of two
  std::span<const float> weights_;
  std::shared_ptr<std::vector<float>> owned_;
};

template <class Visit>
void ArcFilter::for_each_feature(const GraphSentence& sentence, const Workspace& workspace, int head, int modifier,
                                 Visit&& visit) const {
  const int count = templates_.size(), right = head < modifier;
  const uint64_t* h = &workspace.heads[head * count];
  const uint64_t* m = &workspace.modifiers[modifier * count];
  const uint64_t* c = templates_.context(right * kDistances + arc_distance(head, modifier));
  for (int t = 0; t < count; ++t) visit(hashed(h[t] + m[t] + c[t]));
  uint64_t seen = 0;
  for (int k = (right ? head : modifier) + 1; k < (right ? modifier : head); ++k) {
    if (seen >> sentence.tag(k) & 1) continue;
    seen |= uint64_t{1} << sentence.tag(k);
    visit(between(right, sentence.tag(head), sentence.tag(k), sentence.tag(modifier)));
  }
}

}  // namespace espalier
