#include "espalier/learn/graph/arc_filter_trainer.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "espalier/base/parallel.h"
#include "espalier/learn/folds.h"
#include "espalier/learn/online.h"
#include "espalier/learn/trained.h"

namespace espalier {
namespace {

class FilterLearner final : public OnlineLearner {
 public:
  FilterLearner(const GraphModel& model, ArcFilter untrained, std::vector<FilterExample> examples,
                const FilterOptions& options)
      : model_(model),
        examples_(std::move(examples)),
        options_(options),
        filter_(std::move(untrained)),
        second_(filter_.weight_count(), 0.f) {}

  size_t size() const override { return examples_.size(); }
  std::vector<size_t> order(int epoch, uint64_t seed) const override {
    return shuffled_order(size(), epoch, seed, "filter");
  }
  bool can_cancel() const override { return true; }
  size_t learn(std::span<const size_t> batch, int) override {
    const FilterExample& example = examples_[batch.front()];
    sentence_.encode(*example.sentence, model_.tags, model_.filled);
    filter_.score(sentence_, workspace_);
    return options_.rule == ArcFilter::Rule::kPosterior ? softmax_step(example.heads) : filter_loss_step(example.heads);
  }
  std::unique_ptr<Parser> freeze() const override { return nullptr; }  // the result is no parser
  void archive(Archive& archive) override {
    archive.value(clock_);
    archive.items(filter_.mutable_weights());
    archive.items(std::span(second_));
  }

  /// Averages; to be called after all epochs.
  std::span<const float> finish() {
    auto weights = filter_.mutable_weights();
    if (options_.rule == ArcFilter::Rule::kMaxMarginal)
      for (size_t i = 0; i < weights.size(); ++i) weights[i] -= second_[i] / clock_;
    return weights;
  }

 private:
  bool softmax_step(std::span<const int> heads) {
    constexpr float kStep = 0.05f;  // AdaGrad's
    const int n = sentence_.words();
    bool changed = false;
    ArcFilter::normalise(workspace_.scores);
    auto weights = filter_.mutable_weights();
    for (int m = 1; m <= n; ++m)
      for (int h = 0; h <= n; ++h) {
        if (h == m) continue;
        const float gradient = std::exp(workspace_.scores(h, m)) - (heads[m] == h ? 1.f : 0.f);
        if (std::abs(gradient) < 0.001f) continue;  // most arcs are improbable already
        changed = true;
        filter_.for_each_feature(sentence_, workspace_, h, m, [&](size_t f) {
          second_[f] += gradient * gradient;
          weights[f] -= kStep * gradient / std::sqrt(second_[f] + 1e-8f);
        });
      }
    return changed;
  }

  /// v += f(gold) - alpha f(best) - (1 - alpha) mean over arcs a of f(best tree with a), if gold is not a margin above.
  bool filter_loss_step(std::span<const int> heads) {
    const float alpha = options_.alpha;
    const int n = sentence_.words();
    const ArcMatrix& scores = workspace_.scores;
    const float best = workspace_.max_marginals.compute(scores, workspace_.marginals);
    const int trees = workspace_.max_marginals.count_arcs(counts_);
    double mean = 0, gold = 0;
    for (int m = 1; m <= n; ++m) {
      gold += scores(heads[m], m);
      for (int h = 0; h <= n; ++h)
        if (h != m && workspace_.marginals(h, m) != kNoArc) mean += workspace_.marginals(h, m) / trees;
    }
    clock_ += 1;
    if (gold >= alpha * best + (1 - alpha) * mean + 1) return false;
    workspace_.tree.resize(n + 1);
    workspace_.max_marginals.inside().best_heads(workspace_.tree);
    auto weights = filter_.mutable_weights();
    for (int m = 1; m <= n; ++m)
      for (int h = 0; h <= n; ++h) {
        if (h == m) continue;
        const float change = (heads[m] == h ? 1.f : 0.f) - (workspace_.tree[m] == h ? alpha : 0.f) -
                             (1 - alpha) * counts_(h, m) / static_cast<float>(trees);
        if (std::abs(change) < 1e-4f) continue;
        filter_.for_each_feature(sentence_, workspace_, h, m, [&](size_t f) {
          weights[f] += change;
          second_[f] += change * clock_;
        });
      }
    return true;
  }

  const GraphModel& model_;
  std::vector<FilterExample> examples_;
  FilterOptions options_;
  ArcFilter filter_;
  std::vector<float> second_;  // sums of squared gradients, or (max-marginal) moments for averaging
  float clock_ = 1;
  GraphSentence sentence_;
  ArcFilter::Workspace workspace_;
  ArcMatrix counts_;
};

/// For each gold arc the largest alpha, or the negated smallest theta, at which the filter keeps it.
void survival(const ArcFilter& filter, const GraphModel& model, const FilterExample& example,
              ArcFilter::Workspace& workspace, GraphSentence& sentence, std::vector<float>& out) {
  sentence.encode(*example.sentence, model.tags, model.filled);
  filter.score(sentence, workspace);
  const int n = sentence.words();
  if (filter.rule == ArcFilter::Rule::kPosterior) {
    ArcFilter::normalise(workspace.scores);
    for (int m = 1; m <= n; ++m) out.push_back(workspace.scores(example.heads[m], m));
    return;
  }
  const float best = workspace.max_marginals.compute(workspace.scores, workspace.marginals);
  double sum = 0;
  long arcs = 0;
  for (int h = 0; h <= n; ++h)
    for (int m = 1; m <= n; ++m)
      if (h != m && workspace.marginals(h, m) != kNoArc) sum += workspace.marginals(h, m), ++arcs;
  const float mean = static_cast<float>(sum / static_cast<double>(arcs));
  for (int m = 1; m <= n; ++m)
    out.push_back(best > mean ? (workspace.marginals(example.heads[m], m) - mean) / (best - mean) : 1.f);
}

float choose_threshold(std::vector<float>& survivals, const FilterOptions& options) {
  if (options.threshold >= 0 || survivals.empty()) return std::max(options.threshold, 0.f);
  const size_t lost = static_cast<size_t>(static_cast<double>(survivals.size()) * (100 - options.oracle) / 100);
  std::nth_element(survivals.begin(), survivals.begin() + static_cast<long>(lost), survivals.end());
  const float at = survivals[lost];
  return options.rule == ArcFilter::Rule::kPosterior ? -at : std::clamp(at, 0.f, 0.99f);
}

}  // namespace

LearnedFilter learn_filter(const GraphModel& model, std::span<const FilterExample> examples,
                           const FilterOptions& options, const std::string& identity, const TrainContext& context) {
  const auto blocks = contiguous_folds(examples.size(), options.folds);
  const auto untrained = [&] {
    ArcFilter filter(model.columns, GraphModel::kTags, options.init ? options.init->bits() : options.bits);
    filter.own_weights();
    filter.rule = options.rule;
    filter.single_root = model.single_root;
    if (options.init) std::ranges::copy(options.init->weights(), filter.mutable_weights().begin());
    return filter;
  };
  // The last job is the filter of the model itself, trained on all data.
  const auto trained =
      run_folds(blocks.size() + 1, "filter", identity, context, [&](size_t job, const TrainContext& own) {
        std::vector<FilterExample> others(examples.begin(), examples.end());
        if (job < blocks.size() && blocks.size() > 1)
          others.erase(others.begin() + static_cast<long>(blocks[job].begin),
                       others.begin() + static_cast<long>(blocks[job].end));
        FilterLearner learner(model, untrained(), std::move(others), options);
        if (train_online(learner, options.epochs, identity, {}, own).stopped) throw stopped_without_model();
        const auto weights = learner.finish();
        return std::string(reinterpret_cast<const char*>(weights.data()), weights.size_bytes());
      });
  std::vector<ArcFilter> filters;
  for (const std::string& bytes : trained) {
    ArcFilter& filter = filters.emplace_back(untrained());
    Archive(bytes).items(filter.mutable_weights());
  }
  std::vector<std::vector<float>> survivals(blocks.size());
  parallel_for(blocks.size(), context.threads, [&](int, size_t job) {
    ArcFilter::Workspace workspace;
    GraphSentence sentence;
    for (size_t i = blocks[job].begin; i < blocks[job].end; ++i)
      survival(filters[job], model, examples[i], workspace, sentence, survivals[job]);
  });
  std::vector<float> all;
  for (const auto& some : survivals) all.insert(all.end(), some.begin(), some.end());
  float threshold = choose_threshold(all, options);
  if (options.init && options.threshold < 0)  // a few sentences must not make it stricter than it was
    threshold = options.rule == ArcFilter::Rule::kPosterior ? std::max(threshold, options.init->threshold)
                                                            : std::min(threshold, options.init->threshold);
  for (ArcFilter& filter : filters) filter.threshold = threshold;

  LearnedFilter learned;
  learned.filter = filters.back();
  learned.held_out.resize(examples.size());
  parallel_for(blocks.size(), context.threads, [&](int, size_t job) {
    ArcFilter::Workspace workspace;
    GraphSentence sentence;
    ArcSet kept;
    for (size_t i = blocks[job].begin; i < blocks[job].end; ++i) {
      sentence.encode(*examples[i].sentence, model.tags, model.filled);
      kept.reset(sentence.words());
      filters[job].filter(sentence, options.projective, workspace, kept);
      for (int h = 0; h <= sentence.words(); ++h)
        for (int m = 1; m <= sentence.words(); ++m)
          if (kept.kept(h, m)) learned.held_out[i].push_back({static_cast<uint16_t>(h), static_cast<uint16_t>(m)});
    }
  });
  return learned;
}

nlohmann::json filter_report(const GraphModel& model, std::span<const FilterExample> examples) {
  long words = 0, candidates = 0, left = 0, gold = 0, original = 0, whole = 0;
  ArcFilter::Workspace workspace;
  GraphSentence sentence;
  ArcSet kept;
  for (const FilterExample& example : examples) {
    sentence.encode(*example.sentence, model.tags, model.filled);
    const int n = sentence.words();
    kept.reset(n);
    model.filter.filter(sentence, model.projective, workspace, kept);
    long found = 0;
    for (int m = 1; m <= n; ++m) {
      found += kept.kept(example.heads[m], m);
      original += kept.kept(example.sentence->word(m).head, m);
      for (int h = 0; h <= n; ++h) left += kept.kept(h, m);
    }
    words += n;
    candidates += static_cast<long>(n) * n;
    gold += found;
    whole += found == n;
  }
  const auto percent = [](long part, long all) {
    return all ? 100.0 * static_cast<double>(part) / static_cast<double>(all) : 0.0;
  };
  return {{"threshold", model.filter.threshold},
          {"pruned", percent(candidates - left, candidates)},
          {"arcs_per_word", words ? static_cast<double>(left) / static_cast<double>(words) : 0.0},
          {"oracle_uas", percent(original, words)},
          {"oracle_uas_projective", percent(gold, words)},
          {"coverage", percent(whole, static_cast<long>(examples.size()))}};
}

}  // namespace espalier
