// Parsing with a graph model in one thread, with the weights of a trained model (Linear) or of one in training
// (OnlineLinear), whose lists augmented-loss training ranks. Decoding of pseudo-projective labels is done here, for
// parser and trainer. A candidate's `derivation` is its heads 0..n, then its labels 0..n before decoding; learners make
// updates from it:
//
//   GraphSearch<OnlineLinear> search(model, arcs, parts, options);   // keeps references
//   KBestList list = search.list(sentence);                          // by the current weights
//   search.for_each_feature(sentence, candidate, add);               // the weights to update
//
// Online training calls the steps of `parse` one by one, and looks at scores and derivations in between.
// Tested by graph_parser_test.cc.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "espalier/base/hash.h"
#include "espalier/parser/candidate.h"
#include "espalier/parser/given_heads.h"
#include "espalier/parser/graph/graph_model.h"
#include "espalier/parser/graph/graph_scores.h"
#include "espalier/parser/graph/labelled_trees.h"
#include "espalier/parser/graph/part_namer.h"
#include "espalier/parser/graph/part_texts.h"
#include "espalier/parser/inspect.h"
#include "espalier/search/chu_liu_edmonds.h"
#include "espalier/search/coarse_chart.h"
#include "espalier/search/cube.h"
#include "espalier/search/eisner.h"
#include "espalier/search/max_marginals.h"
#include "espalier/tree/dependency_tree.h"
#include "espalier/tree/projectivity.h"

namespace espalier {

template <class Table>
class GraphSearch {
 public:
  /// Charts of n^2 numbers, a dozen of them, and a time of n^3.
  static constexpr int kMostWords = 1000;

  /// Keeps references.
  GraphSearch(const GraphModel& model, const Table& arcs, const Table& parts, const CubeOptions& options)
      : model_(model), arc_table_(arcs), part_table_(parts), options_(options), scores_(model, arcs, parts) {}
  GraphSearch(const GraphSearch&) = delete;

  void parse(Sentence& sentence) {
    if (sentence.size() == 0) return;
    best(sentence);
    finish(analysis_);
    annotate(sentence, analysis_);
  }

  /// While the list is used, the sentence must live and this search must not be used otherwise. Without `labels` a list
  /// has every tree once, with its best labels.
  KBestList list(const Sentence& sentence, bool labels = true) {
    labels_ = labels;
    if (sentence.size() == 0) return KBestList([](int, std::vector<Candidate>& list) { list.assign(1, {}); });
    return KBestList([this, &sentence, trees = std::shared_ptr<Trees>()](int k, std::vector<Candidate>& list) mutable {
      if (k <= 1) return add(best(sentence), list);
      if (model_.projective) return list_projective(sentence, k, list);
      if (!trees) {
        best(sentence);
        trees = std::make_shared<Trees>(scores_, matrix_, labels_, model_.single_root);
        list.clear();
      }
      double score;
      while (static_cast<int>(list.size()) < k && trees->next(tree_, score)) add(score, list);
    });
  }

  /// The same for trees that have the given arcs; projective search leaves out given arcs that cross.
  KBestList list(const Sentence& sentence, const Constraints& given) {
    return KBestList([this, given, trees = list(sentence)](int k, std::vector<Candidate>& list) mutable {
      const struct Unconstrain {
        GraphSearch& search;
        ~Unconstrain() { search.constrain({}); }
      } on_exit{*this};
      constrain(given);
      const auto best = trees.best(k);
      list.assign(best.begin(), best.end());
    });
  }

  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      bool with_weights);
  /// The names of the features.
  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate);
  /// The best arcs of each word beside those of a candidate.
  Trace trace(const Sentence& sentence, const Candidate& candidate);
  /// Calls visit for the labelled parts of a candidate's tree, each as often as it is scored.
  template <class Visit>
  void for_each_part(const Sentence& sentence, const Candidate& candidate, Visit&& visit);
  /// Calls visit(whether in the arcs' table, key, column) for each weight of a candidate, as often as it counts.
  template <class Visit>
  void for_each_feature(const Sentence& sentence, const Candidate& candidate, Visit&& visit) {
    std::vector<GraphPart> parts;
    for_each_part(sentence, candidate, [&](const GraphPart& part) { parts.push_back(part); });
    for (const GraphPart& part : parts) scores_.features().for_each_feature(part, visit);
  }

  // The steps of a search: fill scores() with the sentence and its arcs and score them; then either `solve_exactly`, or
  // drop arcs, score parts, and run cube().
  const GraphModel& model() const { return model_; }
  GraphScores<Table>& scores() { return scores_; }
  CubeSearch<GraphScores<Table>>& cube() { return cube_; }
  bool exact() const { return model_.order == 1 || !model_.projective; }
  /// The best tree under arc scores alone: labels are ranks 0.
  double solve_exactly(DependencyTree& tree);
  /// The heads (from 1) of the projective tree that is best by the scores by which arcs are dropped;
  /// `raise(modifier, head)` is added to each.
  template <class Raise>
  const std::vector<int>& coarse_heads(Raise&& raise);
  /// Drops arcs whose best tree, by arc scores alone, is `gap` or more below the best tree; larger parts hardly ever
  /// make up for that. The arcs of the best tree stay, and those of `kept` (heads from 1), if given. Returns the chart,
  /// which also prunes items, or null if the sentence is too long.
  const CoarseChart* drop_arcs(float gap, std::span<const int> kept = {});

 private:
  using Trees = LabelledTrees<GraphScores<Table>>;

  /// Sets constraints, which hold for all sentences until they are changed.
  void constrain(const Constraints& given) {
    given_ = model_.projective && !given.heads.empty() ? projective_part(given.heads, model_.roots()) : given.heads;
    std::vector<int> labels(std::max(given.heads.size(), given.deprels.size()), GraphScores<Table>::kAnyLabel);
    for (size_t m = 1; m < labels.size(); ++m) {
      const std::string& label = Constraints::text(given.deprels, static_cast<int>(m));
      labels[m] = label == "_" ? Vocabulary::kUnknown : model_.labels.find(label);
      if (labels[m] == Vocabulary::kUnknown)
        labels[m] = given_.empty() || given_[m] < 0 ? GraphScores<Table>::kAnyLabel : GraphScores<Table>::kPlainLabel;
    }
    scores_.restrict_labels(std::move(labels));
  }

  /// The best tree into tree_; returns its score.
  double best(const Sentence& sentence) {
    begin(sentence, model_.arc_gap, model_.label_gap);
    if (exact()) return solve_exactly(tree_);
    cube_.run(scores_, options_, coarse_);
    read_tree(cube_.result(0));
    return cube_.hypothesis(cube_.result(0)).score;
  }
  /// Filters and scores the arcs; with gaps, drops arcs and labels.
  void begin(const Sentence& sentence, float arc_gap, float label_gap) {
    tree_ = DependencyTree(sentence.size());
    filter(sentence, given_);
    scores_.score_arcs(nullptr, exact() ? 0 : label_gap);
    if (exact()) return;
    coarse_ = arc_gap > 0 ? drop_arcs(arc_gap) : nullptr;
    scores_.score_parts();
  }
  /// Reads the sentence and filters its arcs; words with given heads (if there are any, by word) have no other.
  void filter(const Sentence& sentence, std::span<const int> given = {}) {
    scores_.encode(sentence);
    model_.filter.filter(scores_.sentence(), model_.projective, filter_, scores_.mutable_arcs(), given);
    scores_.mutable_arcs().number();
  }
  /// Every arc with a score of its own: score(arc).
  template <class Score>
  void fill_matrix(Score&& score) {
    const ArcSet& arcs = scores_.arcs();
    matrix_.reset(arcs.words());
    for (int a = 0; a < arcs.size(); ++a) matrix_(arcs.head(a), arcs.modifier(a)) = score(a);
  }
  /// With its best label.
  void fill_matrix() {
    fill_matrix([&](int a) { return scores_.arc(a, 0); });
  }
  void read_tree(int hypothesis) {
    const ArcSet& arcs = scores_.arcs();
    cube_.for_each_arc(hypothesis, [&](int a, int l) {
      tree_.head[arcs.modifier(a)] = arcs.head(a);
      tree_.label[arcs.modifier(a)] = scores_.label(a, l);
    });
  }

  /// Lists trees of the arcs and labels that `parse` uses; if there are too few, trees of all arcs that the filter
  /// kept; then with all labels, too.
  void list_projective(const Sentence& sentence, int k, std::vector<Candidate>& list) {
    list.clear();
    add(best(sentence), list);
    const bool gaps = !exact() && (model_.arc_gap > 0 || model_.label_gap > 0);
    add_trees(k, gaps ? 2 : 4, list);
    if (gaps && static_cast<int>(list.size()) < k) {
      begin(sentence, 0, model_.label_gap);
      add_trees(k, 4, list);
    }
    // There are many trees that differ in labels alone: they fill the list up, but do not replace other trees.
    if (const auto trees = static_cast<std::ptrdiff_t>(list.size()); gaps && trees < k) {
      begin(sentence, 0, 0);
      add_trees(k, 4, list);
      std::ranges::stable_sort(list.begin() + trees, list.end(), std::greater(), &Candidate::score);
      list.resize(std::min(list.size(), static_cast<size_t>(k)));
    }
    std::ranges::stable_sort(list, std::greater(), &Candidate::score);
  }
  /// Without recombination every hypothesis of the goal is a different tree. The search is wider than that of `parse`,
  /// so it may find better trees. If it finds too few, it is widened: first without the gap between pairs of items,
  /// then with larger beams. An exact search begins without a gap and with room for k.
  void add_trees(int k, int attempts, std::vector<Candidate>& list) {
    CubeOptions wide = options_;
    wide.recombine = false;
    wide.beam_gap = CubeOptions::kNoGap;
    if (exact()) wide.seed_gap = CubeOptions::kNoGap;
    wide.beam = std::clamp(2 * std::min(k, 15000), options_.beam, 30000);
    for (int attempt = 0; attempt < attempts && static_cast<int>(list.size()) < k; ++attempt) {
      wide.slack = wide.beam;
      cube_.run(scores_, wide, coarse_);
      for (int r = 0; r < cube_.results(); ++r) {
        read_tree(cube_.result(r));
        add(cube_.hypothesis(cube_.result(r)).score, list);
      }
      if (attempt > 0) wide.beam = std::min(4 * wide.beam, 30000);
      wide.seed_gap = CubeOptions::kNoGap;
    }
  }

  /// The tree as an analysis, decoded.
  void finish(Analysis& analysis) const {
    assign_tree(tree_, model_.labels.texts(), analysis);
    if (model_.pseudo_projective) decode_pseudo_projective(analysis);
  }
  /// Adds the tree to a list, unless the list has an equal analysis.
  void add(double score, std::vector<Candidate>& list) const {
    Candidate candidate{.score = score, .analysis = {}, .derivation = tree_.head, .scores = {}};
    candidate.derivation.insert(candidate.derivation.end(), tree_.label.begin(), tree_.label.end());
    finish(candidate.analysis);
    const auto same_tree = [&](const Candidate& other) { return other.analysis.heads == candidate.analysis.heads; };
    if (labels_ || std::ranges::none_of(list, same_tree)) add_distinct(std::move(candidate), list);
  }
  void add_features(const GraphPart& part, bool with_weights, FeatureVector& vector);

  const GraphModel& model_;
  const Table &arc_table_, &part_table_;
  CubeOptions options_;
  GraphScores<Table> scores_;
  ArcFilter::Workspace filter_;
  CubeSearch<GraphScores<Table>> cube_;
  EisnerChart chart_;
  ChuLiuEdmonds spanning_;
  CoarseChart coarse_chart_;
  MaxMarginals max_marginals_;
  ArcMatrix matrix_, marginals_;
  std::vector<int> heads_;
  DependencyTree tree_;
  const CoarseChart* coarse_ = nullptr;  // of the current sentence; null = all items are searched
  Analysis analysis_;
  bool labels_ = true;                    // trees that differ in labels alone are listed
  std::vector<int> given_;                // heads by word; none: all free
  std::unique_ptr<GraphFeatures> named_;  // sees tags and labels by name; made when first asked for
};

template <class Table>
double GraphSearch<Table>::solve_exactly(DependencyTree& tree) {
  const ArcSet& arcs = scores_.arcs();
  fill_matrix();
  double score;
  if (model_.projective) {
    score = chart_.fill(matrix_, model_.single_root);
    chart_.best_heads(tree.head);
  } else {
    score = spanning_.solve(matrix_, tree.head, model_.single_root);
  }
  for (int m = 1; m <= arcs.words(); ++m) tree.label[m] = scores_.label(arcs.find(tree.head[m], m), 0);
  return score;
}

template <class Table>
template <class Raise>
const std::vector<int>& GraphSearch<Table>::coarse_heads(Raise&& raise) {
  const ArcSet& arcs = scores_.arcs();
  fill_matrix([&](int a) { return scores_.coarse(a) + raise(arcs.modifier(a), arcs.head(a)); });
  chart_.fill(matrix_, model_.single_root);
  heads_.assign(arcs.words() + 1, 0);
  chart_.best_heads(heads_);
  return heads_;
}

template <class Table>
const CoarseChart* GraphSearch<Table>::drop_arcs(float gap, std::span<const int> kept) {
  constexpr float kLeastGap = 0.01f;  // so that rounding cannot drop an arc of the best tree
  if (scores_.arcs().words() > kMostWords) return nullptr;
  fill_matrix([&](int a) { return scores_.coarse(a); });
  coarse_chart_.fill(scores_.arcs(), matrix_, std::max(gap, kLeastGap), model_.single_root);
  scores_.keep_arcs([&](int head, int modifier) {
    return coarse_chart_.keeps_arc(head, modifier) || (!kept.empty() && kept[modifier] == head);
  });
  return &coarse_chart_;
}

template <class Table>
template <class Visit>
void GraphSearch<Table>::for_each_part(const Sentence& sentence, const Candidate& candidate, Visit&& visit) {
  const int n = sentence.size();
  // With only the tree's own arcs and labels the search finds this tree.
  scores_.encode(sentence);
  const auto heads = std::span(candidate.derivation).first(n + 1), labels = std::span(candidate.derivation).last(n + 1);
  for (int m = 1; m <= n; ++m) scores_.mutable_arcs().keep(heads[m], m);
  scores_.mutable_arcs().number();
  const typename GraphScores<Table>::KeptTree tree{heads, labels};
  scores_.score_arcs(&tree);
  PartNamer collector{scores_, visit};
  const ArcSet& arcs = scores_.arcs();
  const auto rank = [&](int m) { return scores_.label_rank(arcs.find(heads[m], m), labels[m]); };
  if (exact()) {
    for (int m = 1; m <= n; ++m) collector.arc(arcs.find(heads[m], m), rank(m));
    return;
  }
  scores_.score_parts();
  cube_.run(scores_, options_);
  std::vector<int> ranks(n + 1, 0);
  for (int m = 1; m <= n; ++m) ranks[m] = rank(m);
  cube_.for_each_part(cube_.derive(heads, ranks).back().hypothesis, collector);
}

template <class Table>
std::vector<FeatureVector> GraphSearch<Table>::features(const Sentence& sentence, std::span<const Candidate> candidates,
                                                        bool with_weights) {
  if (!named_) named_ = std::make_unique<GraphFeatures>(model_, part_names(model_));
  std::vector<FeatureVector> all;
  for (const Candidate& candidate : candidates) {
    FeatureVector& vector = all.emplace_back();
    if (sentence.size() == 0) continue;
    std::vector<GraphPart> parts;
    for_each_part(sentence, candidate, [&](const GraphPart& part) { parts.push_back(part); });
    named_->encode(sentence);
    named_->expand();
    for (const GraphPart& part : parts) add_features(part, with_weights, vector);
    sort_features(vector);
  }
  return all;
}

template <class Table>
std::vector<NamedFeature> GraphSearch<Table>::feature_names(const Sentence& sentence, const Candidate& candidate) {
  std::vector<NamedFeature> all;
  features(sentence, {}, false);  // makes the names
  if (sentence.size() == 0) return all;
  std::vector<GraphPart> parts;
  for_each_part(sentence, candidate, [&](const GraphPart& part) { parts.push_back(part); });
  named_->encode(sentence);
  named_->expand();
  const auto label = [&](int l) { return model_.labels.text(l); };
  for (const GraphPart& part : parts) {
    FeatureVector vector;
    add_features(part, false, vector);
    const std::vector<std::string> templates = part_feature_texts(*named_, part, sentence);
    // As add_features has them: without a label, with it, with those of both arcs.
    const size_t paired = part.outer_label < 0 ? 0 : static_cast<size_t>(named_->pairs(part));
    size_t next = 0;
    for (size_t t = 0; t < templates.size(); ++t) {
      all.push_back({vector[next++].key, templates[t]});
      if (part.label < 0) continue;
      all.push_back({vector[next++].key, fmt::format("{} label={}", templates[t], label(part.label))});
      if (t < paired)
        all.push_back({vector[next++].key,
                       fmt::format("{} labels={},{}", templates[t], label(part.outer_label), label(part.label))});
    }
  }
  return all;
}

template <class Table>
Trace GraphSearch<Table>::trace(const Sentence& sentence, const Candidate& candidate) {
  constexpr size_t kShown = 5;  // arcs per word, beside the candidate's own
  const int n = sentence.size();
  Trace trace;
  trace.system = !model_.projective ? "spanning trees" : model_.order == 1 ? "Eisner" : "cube pruning";
  if (n == 0) return trace;
  filter(sentence);
  scores_.score_arcs();
  fill_matrix();
  const bool compare = model_.projective && model_.single_root && n <= kMostWords;
  const float best = compare ? max_marginals_.compute(matrix_, marginals_) : 0;
  const bool known = candidate.derivation.size() == 2 * (static_cast<size_t>(n) + 1);
  const ArcSet& arcs = scores_.arcs();
  std::vector<std::vector<TraceArc>> by_word(n + 1);
  for (int a = 0; a < arcs.size(); ++a) {
    const int head = arcs.head(a), modifier = arcs.modifier(a);
    const bool chosen = known && candidate.derivation[modifier] == head;
    const int own = chosen ? scores_.label_rank(a, candidate.derivation[n + 1 + modifier]) : 0;
    const int rank = std::max(own, 0);
    TraceArc arc{head,         modifier, model_.labels.text(scores_.label(a, rank)), scores_.arc(a, rank),
                 std::nullopt, chosen};
    const float with = compare ? marginals_(head, modifier) : kNoArc;
    if (with > kNoArc) arc.behind = best - with;
    by_word[modifier].push_back(std::move(arc));
  }
  for (std::vector<TraceArc>& list : by_word) {
    std::ranges::stable_sort(list, {}, [&](const TraceArc& arc) {
      return compare ? arc.behind.value_or(std::numeric_limits<double>::infinity()) : -arc.score;
    });
    for (size_t i = 0; i < list.size(); ++i)
      if (i < kShown || list[i].chosen) trace.arcs.push_back(std::move(list[i]));
  }
  return trace;
}

template <class Table>
void GraphSearch<Table>::add_features(const GraphPart& part, bool with_weights, FeatureVector& vector) {
  uint64_t keys[GraphFeatures::kMaxKeys], names[GraphFeatures::kMaxKeys];
  uint32_t refs[GraphFeatures::kMaxKeys];
  const auto count = static_cast<size_t>(named_->keys(part, names));
  const bool arc = part.kind == kArcPart;
  const Table& table = arc ? arc_table_ : part_table_;
  if (with_weights) {
    scores_.features().keys(part, keys);
    table.find({keys, count}, refs);
  }
  const auto add = [&](size_t t, uint64_t slot, uint32_t column) {
    const float weight = with_weights ? static_cast<float>(table.value(refs[t], column)) * table.unit() : 0;
    vector.push_back({combine(names[t], combine(static_cast<uint64_t>(part.kind), slot)), 1, weight});
  };
  const auto name = [&](int label) { return named_->names().labels[label]; };
  const size_t paired = part.outer_label < 0 ? 0 : static_cast<size_t>(named_->pairs(part));
  for (size_t t = 0; t < count; ++t) {
    // Where the weights are: as GraphFeatures::for_each_feature has it.
    const auto column = [&](uint32_t hash) { return with_weights ? hashed_column(keys[t], hash) : 0; };
    add(t, 0, arc ? 0 : column(kUnlabelled));
    if (part.label < 0) continue;
    add(t, name(part.label), arc ? static_cast<uint32_t>(1 + part.label) : column(label_hash(part.label)));
    if (t < paired)
      add(t, combine(name(part.outer_label), name(part.label)), column(label_pair_hash(part.outer_label, part.label)));
  }
}

}  // namespace espalier
