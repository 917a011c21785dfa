#include "espalier/parser/graph/arc_filter.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>

#include "espalier/base/stop_point.h"

namespace espalier {
namespace {

constexpr std::string_view kFilterTemplates = R"(
  hp mp dist; hx mx dist; mw mp dist; hw hp dist; hp mw dist; hw mp dist; hx m-1x mx m+1x dist; hw mw dir;
  h-1p hp m-1p mp dir; h-1p hp mp m+1p dir; hp h+1p m-1p mp dir; hp h+1p mp m+1p dir; hp hf mp mf dir)";

/// Removes the arcs that compete with given ones, and, with `single_root`, roots other than a given one.
void leave_given(std::span<const int> given, bool single_root, ArcMatrix& scores) {
  const int n = scores.words();
  for (int m = 1; m < static_cast<int>(given.size()); ++m) {
    const int head = given[m];
    if (head < 0) continue;
    for (int h = 0; h <= n; ++h)
      if (h != head) scores(h, m) = kNoArc;
    for (int other = 1; head == 0 && single_root && other <= n; ++other)
      if (other != m) scores(0, other) = kNoArc;
  }
}

}  // namespace

ArcFilter::ArcFilter(std::string_view columns, int tags, int bits)
    : templates_(kFilterTemplates, "hm", columns, 2 * kDistances, kDistances),
      tags_(tags),
      bits_(bits),
      rows_between_(std::min(size_t{2} * tags * tags, std::max(hashed_size() / tags, size_t{1}))) {}

void ArcFilter::own_weights() {
  owned_ = std::make_shared<std::vector<float>>(weight_count(), 0.f);
  weights_ = *owned_;
}

void ArcFilter::score(const GraphSentence& sentence, Workspace& workspace) const {
  const int n = sentence.words(), count = templates_.size();
  templates_.expand(sentence, 0, workspace.heads);
  templates_.expand(sentence, 1, workspace.modifiers);
  workspace.scores.reset(n);
  float beside[GraphSentence::kMaxTags + 1];  // by modifier's tag: the sum over the set of tags between
  for (int h = 0; h <= n; ++h) {
    stop_point();
    float* row = workspace.scores.row(h);
    const uint64_t* head = &workspace.heads[h * count];
    for (const int step : {-1, 1}) {
      std::fill_n(beside, tags_, 0.f);
      uint64_t seen = 0;
      for (int m = h + step; m >= 1 && m <= n; m += step) {
        const uint64_t* modifier = &workspace.modifiers[m * count];
        const uint64_t* context = templates_.context((step > 0) * kDistances + arc_distance(h, m));
        float sum = beside[sentence.tag(m)];
        for (int t = 0; t < count; ++t) sum += weights_[hashed(head[t] + modifier[t] + context[t])];
        row[m] = sum;
        if (const int tag = sentence.tag(m); !(seen >> tag & 1)) {
          seen |= uint64_t{1} << tag;
          const float* add = &weights_[between(step > 0, sentence.tag(h), tag, 0)];
          for (int t = 0; t < tags_; ++t) beside[t] += add[t];
        }
      }
    }
  }
}

void ArcFilter::normalise(ArcMatrix& scores) {
  const int n = scores.words();
  for (int m = 1; m <= n; ++m) {
    float most = kNoArc;
    for (int h = 0; h <= n; ++h)
      if (h != m) most = std::max(most, scores(h, m));
    float sum = 0;
    for (int h = 0; h <= n; ++h)
      if (h != m) sum += std::exp(scores(h, m) - most);
    const float log_sum = most + std::log(sum);
    for (int h = 0; h <= n; ++h)
      if (h != m) scores(h, m) -= log_sum;
  }
}

void ArcFilter::filter(const GraphSentence& sentence, bool projective, Workspace& workspace, ArcSet& kept,
                       std::span<const int> given) const {
  const int n = sentence.words();
  score(sentence, workspace);
  ArcMatrix& scores = workspace.scores;
  leave_given(given, single_root, scores);
  workspace.tree.assign(n + 1, 0);
  if (projective) {
    workspace.chart.fill(scores, single_root);
    workspace.chart.best_heads(workspace.tree);
  } else {
    workspace.spanning.solve(scores, workspace.tree, single_root);
  }
  for (int m = 1; m <= n; ++m) kept.keep(workspace.tree[m], m);
  float least = -threshold;
  if (rule == Rule::kPosterior) {
    normalise(scores);
  } else {
    const float best = workspace.max_marginals.compute(scores, workspace.marginals);
    double sum = 0;
    long arcs = 0;
    for (int h = 0; h <= n; ++h)
      for (int m = 1; m <= n; ++m)
        if (workspace.marginals(h, m) != kNoArc && h != m) sum += workspace.marginals(h, m), ++arcs;
    std::swap(scores, workspace.marginals);
    least = static_cast<float>(threshold * best + (1 - threshold) * sum / std::max(arcs, 1l));
  }
  auto& survivors = workspace.survivors;
  survivors.clear();
  for (int h = 0; h <= n; ++h)
    for (int m = 1; m <= n; ++m)
      if (h != m && scores(h, m) >= least) survivors.push_back({h, m});
  if (survivors.size() > kMostArcs) {
    // Too many arcs are left: keeps the best ones, of equal ones the shorter.
    const auto order = [&](const auto& arc) {
      return std::tuple(-scores(arc.first, arc.second), std::abs(arc.first - arc.second), arc);
    };
    std::ranges::nth_element(survivors, survivors.begin() + kMostArcs, {}, order);
    survivors.resize(kMostArcs);
  }
  for (const auto& [h, m] : survivors) kept.keep(h, m);
}

}  // namespace espalier
