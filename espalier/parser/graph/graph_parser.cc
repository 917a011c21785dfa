#include "espalier/parser/graph/graph_parser.h"

#include <algorithm>
#include <functional>
#include <queue>

#include "espalier/scorer/part_namer.h"
#include "espalier/search/kbest_trees.h"
#include "espalier/tree/projectivity.h"

namespace espalier {
namespace {

struct GraphWorkspace : Workspace {
  explicit GraphWorkspace(GraphDecoder<FrozenTable> made) : decoder(std::move(made)) {}
  GraphDecoder<FrozenTable> decoder;
};

}  // namespace

GraphParser::GraphParser(GraphModel model, FrozenTable arcs, FrozenTable parts, CubeOptions options,
                         std::shared_ptr<const ModelFile> file)
    : model_(std::move(model)),
      arcs_(std::move(arcs)),
      parts_(std::move(parts)),
      options_(options),
      file_(std::move(file)) {}

std::unique_ptr<Workspace> GraphParser::make_workspace() const {
  return std::make_unique<GraphWorkspace>(Decoder(model_, arcs_, parts_));
}

double GraphParser::best(const Sentence& sentence, float arc_gap, Decoder& decoder) const {
  decoder.tree = DependencyTree(sentence.size());
  decoder.prepare(sentence);
  decoder.scores.score_arcs();
  if (decoder.exact()) return decoder.solve_exactly(decoder.tree);
  if (arc_gap > 0) decoder.drop_arcs(arc_gap);
  decoder.scores.score_parts();
  decoder.cube.run(decoder.scores, options_);
  decoder.read_tree(decoder.cube.result(0), decoder.tree);
  return decoder.cube.hypothesis(decoder.cube.result(0)).score;
}

void GraphParser::name(const DependencyTree& tree, Analysis& analysis) const {
  assign_tree(tree, model_.labels.texts(), analysis);
  if (model_.pseudo_projective) decode_pseudo_projective(analysis);
}

void GraphParser::add(double score, const DependencyTree& tree, std::vector<Candidate>& list) const {
  Candidate candidate{.score = score, .analysis = {}, .derivation = tree.head, .scores = {}};
  candidate.derivation.insert(candidate.derivation.end(), tree.label.begin(), tree.label.end());
  name(tree, candidate.analysis);
  if (std::ranges::find(list, candidate.analysis, &Candidate::analysis) == list.end())
    list.push_back(std::move(candidate));
}

void GraphParser::parse(Sentence& sentence, Workspace& workspace) const {
  if (sentence.size() == 0) return;
  Decoder& decoder = static_cast<GraphWorkspace&>(workspace).decoder;
  best(sentence, model_.arc_gap, decoder);
  name(decoder.tree, decoder.analysis);
  annotate(sentence, decoder.analysis);
}

std::vector<Candidate> GraphParser::kbest(const Sentence& sentence, int k, Workspace& workspace) const {
  Decoder& decoder = static_cast<GraphWorkspace&>(workspace).decoder;
  std::vector<Candidate> list;
  if (sentence.size() == 0) return {Candidate{}};
  const double score = best(sentence, k <= 1 ? model_.arc_gap : 0, decoder);
  if (k > 1 && !model_.projective) {
    spanning_trees(k, decoder, list);
    return list;
  }
  add(score, decoder.tree, list);
  if (k <= 1) return list;
  // Without recombination every hypothesis of the goal is a tree of its own. The search is wider than that of `parse`,
  // so it may meet better trees; where it meets too few, it is widened: without the gap between pairs of items, then
  // with larger beams.
  CubeOptions wide = options_;
  wide.recombine = false;
  wide.beam_gap = CubeOptions::kNoGap;
  wide.beam = std::clamp(2 * std::min(k, 15000), options_.beam, 30000);
  for (int attempt = 0; attempt < 4 && static_cast<int>(list.size()) < k; ++attempt) {
    wide.slack = wide.beam;
    decoder.cube.run(decoder.scores, wide);
    for (int r = 0; r < decoder.cube.results(); ++r) {
      decoder.read_tree(decoder.cube.result(r), decoder.tree);
      add(decoder.cube.hypothesis(decoder.cube.result(r)).score, decoder.tree, list);
    }
    if (attempt > 0) wide.beam = std::min(4 * wide.beam, 30000);
    wide.seed_gap = CubeOptions::kNoGap;
  }
  std::ranges::stable_sort(list, std::greater(), &Candidate::score);
  list.resize(std::min(list.size(), static_cast<size_t>(k)));
  return list;
}

/// Trees in order of score; each tree with its best labels, and with second-best ones in place of some. A set of words
/// that take their second label is reached from the set without its dearest word, or with the next cheaper one in its
/// place: every set once, in order of loss.
void GraphParser::spanning_trees(int k, Decoder& decoder, std::vector<Candidate>& list) const {
  const GraphScores<FrozenTable>& scores = decoder.scores;
  const ArcSet& arcs = scores.arcs();
  struct Variant {
    double score;
    size_t tree;
    std::vector<int> changed;  // places in the tree's order of words, ascending
    bool operator<(const Variant& other) const { return score < other.score; }
  };
  struct Relabelled {
    SpanningTreeEnumerator::Tree tree;
    std::vector<std::pair<double, int>> losses;  // of the second label, by word; ascending
  };
  SpanningTreeEnumerator trees(decoder.matrix);
  std::vector<Relabelled> seen;
  std::priority_queue<Variant> queue;
  const auto next_tree = [&] {
    Relabelled next;
    if (!trees.next(next.tree)) return;
    for (int m = 1; m <= arcs.words(); ++m)
      if (const int a = arcs.find(next.tree.heads[m], m); scores.labels(a) > 1)
        next.losses.push_back({scores.arc(a, 0) - scores.arc(a, 1), m});
    std::sort(next.losses.begin(), next.losses.end());
    queue.push({next.tree.score, seen.size(), {}});
    seen.push_back(std::move(next));
  };
  next_tree();
  while (!queue.empty() && static_cast<int>(list.size()) < k) {
    const Variant top = queue.top();
    queue.pop();
    const Relabelled& base = seen[top.tree];
    for (int m = 1; m <= arcs.words(); ++m) {
      decoder.tree.head[m] = base.tree.heads[m];
      decoder.tree.label[m] = scores.label(arcs.find(base.tree.heads[m], m), 0);
    }
    for (const int place : top.changed) {
      const int m = base.losses[place].second;
      decoder.tree.label[m] = scores.label(arcs.find(base.tree.heads[m], m), 1);
    }
    add(top.score, decoder.tree, list);
    const int after = top.changed.empty() ? 0 : top.changed.back() + 1;
    if (after < static_cast<int>(base.losses.size())) {
      Variant more = top;
      more.changed.push_back(after);
      more.score -= base.losses[after].first;
      queue.push(more);
      if (!top.changed.empty()) {
        Variant other = top;
        other.score += base.losses[after - 1].first - base.losses[after].first;
        other.changed.back() = after;
        queue.push(other);
      }
    }
    if (top.changed.empty()) next_tree();
  }
}

FeatureVector GraphParser::features(const Sentence& sentence, const Candidate& candidate, Workspace& workspace) const {
  Decoder& decoder = static_cast<GraphWorkspace&>(workspace).decoder;
  GraphScores<FrozenTable>& scores = decoder.scores;
  const int n = sentence.size();
  FeatureVector all;
  if (n == 0) return all;
  // With the tree's own arcs and labels as the only ones, everything that the search can see is this tree.
  scores.encode(sentence);
  const auto heads = std::span(candidate.derivation).first(n + 1), labels = std::span(candidate.derivation).last(n + 1);
  for (int m = 1; m <= n; ++m) scores.mutable_arcs().keep(heads[m], m);
  scores.mutable_arcs().number();
  const GraphScores<FrozenTable>::Gold tree{heads, labels};
  scores.score_arcs(&tree);
  PartNamer collector{scores, [&](const GraphPart& part) {
                        scores.features().for_each_feature(part, [&](bool of_arc, uint64_t key, uint32_t column) {
                          all.push_back({combine(key, column * 2 + of_arc), 1.f});
                        });
                      }};
  const ArcSet& arcs = scores.arcs();
  const auto rank = [&](int m) { return scores.label_rank(arcs.find(heads[m], m), labels[m]); };
  if (decoder.exact()) {
    for (int m = 1; m <= n; ++m) collector.arc(arcs.find(heads[m], m), rank(m));
  } else {
    scores.score_parts();
    decoder.cube.run(scores, options_);
    std::vector<int> ranks(n + 1, 0);
    for (int m = 1; m <= n; ++m) ranks[m] = rank(m);
    decoder.cube.for_each_part(decoder.cube.add_gold(heads, ranks).back().gold, collector);
  }
  std::sort(all.begin(), all.end());
  size_t kept = 0;
  for (size_t i = 0; i < all.size(); ++i) {
    if (kept && all[kept - 1].first == all[i].first) {
      all[kept - 1].second += all[i].second;
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
  return all;
}

nlohmann::json GraphParser::save(ModelWriter& writer, const std::string& prefix) const {
  writer.add_array<float>(prefix + "filter", model_.filter.weights());
  writer.add_array<RowBucket>(prefix + "arc_index", arcs_.index());
  writer.add_array<int8_t>(prefix + "arc_rows", arcs_.bytes());
  writer.add_array<RowBucket>(prefix + "part_index", parts_.index());
  writer.add_array<int8_t>(prefix + "part_rows", parts_.bytes());
  writer.add_array<uint16_t>(prefix + "allowed", model_.allowed);
  writer.add_array<uint32_t>(prefix + "allowed_begin", model_.allowed_begin);
  return {{"columns", model_.columns},
          {"order", model_.order},
          {"candidates", model_.candidates},
          {"projective", model_.projective},
          {"pseudo_projective", model_.pseudo_projective},
          {"labels", model_.labels.texts()},
          {"tags", model_.tags.texts()},
          {"filter", model_.filter.rule == ArcFilter::Rule::kPosterior ? "posterior" : "max-marginal"},
          {"filter_threshold", model_.filter.threshold},
          {"arc_gap", model_.arc_gap},
          {"arc_unit", arcs_.unit()},
          {"part_unit", parts_.unit()},
          {"beam", options_.beam},
          {"slack", options_.slack},
          {"seed_gap", options_.seed_gap},
          {"beam_gap", options_.beam_gap}};
}

std::unique_ptr<Parser> load_graph_parser(const ModelPart& part, const Settings& overrides) {
  const auto& about = part.metadata;
  const auto damaged = [&](std::string_view what) {
    return data_error(part.file->name(), 0, "the model is damaged ({})", what);
  };
  GraphModel model;
  model.columns = about.at("columns");
  model.order = about.at("order");
  model.candidates = about.at("candidates");
  model.projective = about.at("projective");
  model.pseudo_projective = about.at("pseudo_projective");
  for (const std::string label : about.at("labels")) model.labels.add(label);
  for (const std::string tag : about.at("tags")) model.tags.add(tag);
  if (model.order < 1 || model.order > 3 || model.candidates < 1 || model.candidates > GraphModel::kMaxCandidates ||
      model.labels.size() == 0 || model.labels.size() > 4000)
    throw damaged("order, candidates or labels");
  model.finish();
  const auto allowed = part.array<uint16_t>("allowed");
  const auto begin = part.array<uint32_t>("allowed_begin");
  model.allowed.assign(allowed.begin(), allowed.end());
  model.allowed_begin.assign(begin.begin(), begin.end());
  if (begin.size() != size_t{2} * GraphModel::kTags * GraphModel::kTags + 1 || begin.back() != allowed.size() ||
      !std::is_sorted(begin.begin(), begin.end()) ||
      !std::ranges::all_of(allowed, [&](uint16_t label) { return label < model.labels.size(); }))
    throw damaged("labels by tags");

  model.filter = ArcFilter(model.columns, GraphModel::kTags);
  const auto weights = part.array<float>("filter");
  if (weights.size() != model.filter.weight_count()) throw damaged("the filter's size");
  model.filter.use(weights);
  model.filter.rule = about.at("filter") == "posterior" ? ArcFilter::Rule::kPosterior : ArcFilter::Rule::kMaxMarginal;
  model.filter.threshold = static_cast<float>(overrides.real("filter_threshold", about.at("filter_threshold"), 0, 100,
                                                             "which arcs survive; larger keeps more (posterior)"));

  model.arc_gap = static_cast<float>(
      overrides.real("arc_gap", about.value("arc_gap", 0.), 0, 1e6,
                     "arcs that by themselves cost a tree this much are dropped before parts are scored; 0 = none"));

  FrozenTable arcs(part.array<RowBucket>("arc_index"), part.array<int8_t>("arc_rows"), model.arc_columns(),
                   about.at("arc_unit"));
  FrozenTable parts(part.array<RowBucket>("part_index"), part.array<int8_t>("part_rows"), kHashedColumns,
                    about.at("part_unit"));
  if (!arcs.valid() || !parts.valid()) throw damaged("the weights' index");
  CubeOptions options;
  options.beam = static_cast<int>(overrides.integer("beam", about.at("beam"), 1, 30000, "hypotheses per item"));
  options.slack = static_cast<int>(
      overrides.integer("slack", about.at("slack"), 0, 30000, "combinations tried per item beyond the beam"));
  options.seed_gap = static_cast<float>(overrides.real("seed_gap", about.at("seed_gap"), 0, CubeOptions::kNoGap,
                                                       "pairs of items this far below the best are not tried"));
  options.beam_gap = static_cast<float>(overrides.real("beam_gap", about.at("beam_gap"), 0, CubeOptions::kNoGap,
                                                       "hypotheses this far below the best are dropped"));
  return std::make_unique<GraphParser>(std::move(model), std::move(arcs), std::move(parts), options, part.file);
}

}  // namespace espalier
