#include "espalier/learn/graph.h"

#include <tsl/robin_map.h>

#include <cmath>
#include <numeric>

#include "espalier/base/parallel.h"
#include "espalier/base/rng.h"
#include "espalier/learn/arc_filter.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/sparse_delta.h"
#include "espalier/learn/violation.h"
#include "espalier/parser/graph_parser.h"
#include "espalier/parser/part_namer.h"
#include "espalier/tree/projectivity.h"

namespace espalier {
namespace {

struct GraphSettings {
  int epochs, batch, least_updates;
  bool mira, separate_steps;
  double aggressiveness;
  ViolationUpdate update;
  CubeOptions training, parsing;
  FilterOptions filter;
  std::string projectivity;
  bool lemma;
  int order, candidates;
};

ViolationUpdate violation_update(const std::string& name) {
  if (name == "standard") return ViolationUpdate::kStandard;
  if (name == "skip") return ViolationUpdate::kSkip;
  return name == "s-max" ? ViolationUpdate::kSingleMax : ViolationUpdate::kParallelMax;
}

GraphSettings read_settings(const Settings& s, bool projective) {
  GraphSettings g;
  g.epochs = static_cast<int>(s.integer("epochs", 10, 1, 1000, "passes over the training data"));
  g.batch = static_cast<int>(s.integer(
      "batch", 4, 1, 1024, "sentences searched with the same weights (in parallel); updates are applied in order"));
  g.least_updates = static_cast<int>(
      s.integer("min_updates", 2, 1, 255, "features updated less often than this are not kept in the model"));
  g.mira = s.choice("learner", "mira", {"mira", "perceptron"}, "how far an update goes") == "mira";
  g.aggressiveness = s.real("C", 1e9, 0, 1e9, "largest step of MIRA");
  g.lemma = s.flag("lemma", false, "use the LEMMA column in features");
  g.candidates =
      static_cast<int>(s.integer("labels_per_arc", 2, 1, GraphModel::kMaxCandidates, "labels tried per arc"));
  FilterOptions& f = g.filter;
  f.projective = projective;
  const std::string rule =
      projective ? s.choice("filter", "posterior", {"posterior", "max-marginal"}, "rule of the arc filter")
                 : "posterior";
  f.rule = rule == "posterior" ? ArcFilter::Rule::kPosterior : ArcFilter::Rule::kMaxMarginal;
  f.epochs = static_cast<int>(
      s.integer("filter_epochs", rule == "posterior" ? 3 : 6, 1, 100, "passes of the filter's learner"));
  f.folds = static_cast<int>(s.integer("filter_folds", 4, 1, 100, "folds by which training sentences are filtered"));
  f.step = static_cast<float>(s.real("filter_step", 0.05, 1e-4, 10, "AdaGrad's step (posterior)"));
  f.oracle = s.real("filter_oracle", 99.5, 50, 100, "percent of gold arcs that the filter must keep, held out");
  f.threshold = static_cast<float>(s.real("filter_threshold", -1, -1, 100,
                                          "theta (posterior) or alpha (max-marginal); -1 = chosen for filter_oracle"));
  g.order = 1;
  g.update = ViolationUpdate::kSkip;
  g.separate_steps = false;
  g.projectivity = "none";
  if (!projective) return g;
  g.projectivity = s.choice("projectivity", "lift", {"lift", "pseudo"}, "what becomes of crossing arcs in training");
  g.order =
      static_cast<int>(s.integer("order", 3, 1, 3, "1: arcs (exact search); 2: + siblings, grandchildren; 3: all"));
  g.update = violation_update(s.choice("update", "p-max", {"standard", "skip", "s-max", "p-max"},
                                       "where an inexact search is corrected (order 2 and 3)"));
  g.separate_steps = s.choice("pmax_steps", "joint", {"joint", "separate"},
                              "p-max: one step for all items, or one each") == "separate";
  CubeOptions& t = g.training;
  t.beam = static_cast<int>(s.integer("beam", 6, 1, 30000, "hypotheses per item"));
  t.slack = static_cast<int>(s.integer("slack", t.beam, 0, 30000, "combinations tried per item beyond the beam"));
  t.full_signature =
      s.choice("sig", "short", {"short", "full"}, "which hypotheses of an item count as equal") == "full";
  t.seed_gap = static_cast<float>(
      s.real("train_seed_gap", 4, 0, 1e38, "in training: pairs of items this far below the best are not tried"));
  g.parsing = t;
  g.parsing.beam = static_cast<int>(s.integer("parse_beam", t.beam, 1, 30000, "the beam after training"));
  g.parsing.slack = static_cast<int>(s.integer("parse_slack", g.parsing.beam, 0, 30000, "the slack after training"));
  g.parsing.seed_gap = static_cast<float>(
      s.real("seed_gap", 2, 0, 1e38, "after training: pairs of items this far below the best are not tried"));
  g.parsing.beam_gap = static_cast<float>(
      s.real("beam_gap", 1e30, 0, 1e38, "after training: hypotheses this far below the best are dropped"));
  return g;
}

struct Example {
  const Sentence* sentence;
  std::vector<int> heads, labels;  // what is learned: projective if the parser is
};

/// What a search finds out about one sentence: how to change the weights. Filled in parallel, applied in order.
struct Correction {
  struct Step {
    SparseDelta delta;
    double loss = 0;
    bool forced = false;  // a standard update without violation
  };
  std::vector<Step> steps;
  int used = 0;
  bool root_violated = false, root_wrong = false;
  int items = 0;

  Step& next() {
    if (used == static_cast<int>(steps.size())) steps.emplace_back();
    Step& step = steps[used++];
    step.delta.clear();
    step.loss = 0;
    step.forced = false;
    return step;
  }
};

class GraphTrainer {
 public:
  GraphTrainer(const GraphSettings& settings, bool projective, const TrainData& data, const TrainContext& context)
      : settings_(settings), data_(data), context_(context) {
    model_.projective = projective;
    model_.order = settings.order;
    model_.candidates = settings.candidates;
    model_.pseudo_projective = settings.projectivity == "pseudo";
    collect();
    learn_arc_filter();
    arcs_ = std::make_unique<TrainingTable>(model_.arc_columns());
    parts_ = std::make_unique<TrainingTable>(kHashedColumns);
    for (int i = 0; i < settings.batch; ++i) decoders_.push_back(std::make_unique<Decoder>(model_, *arcs_, *parts_));
    corrections_.resize(settings.batch);
  }

  Trained run();

 private:
  using Decoder = GraphDecoder<TrainingTable>;
  struct Counts {
    long updates = 0, non_violations = 0, items = 0, wrong = 0;
  };

  void collect();
  void learn_arc_filter();
  std::vector<FilterExample> filter_examples(std::span<const Sentence> sentences,
                                             std::vector<std::vector<int>>& heads) const;
  void search(const Example& example, const KeptArcs& kept, Decoder& decoder, Correction& correction) const;
  void compare_exact(const Example& example, Decoder& decoder, Correction& correction) const;
  void compare_cube(const Example& example, Decoder& decoder, Correction& correction) const;
  void apply(Correction& correction, Counts& counts);
  std::unique_ptr<GraphParser> freeze() const;

  GraphSettings settings_;
  const TrainData& data_;
  const TrainContext& context_;
  GraphModel model_;
  std::vector<Sentence> encoded_;  // with pseudo-projective labels
  std::vector<Example> examples_;
  std::vector<KeptArcs> kept_;
  std::unique_ptr<TrainingTable> arcs_, parts_;
  std::vector<std::unique_ptr<Decoder>> decoders_;
  std::vector<Correction> corrections_;
  double clock_ = 1;
  nlohmann::json filter_report_;
};

/// Gold trees, labels, tags, columns in use, and which labels occur with which tags.
void GraphTrainer::collect() {
  bool fine_tags = false, morphology = false;
  if (model_.pseudo_projective) encoded_ = data_.train;
  for (Sentence& sentence : encoded_)
    if (tree_problem(sentence).empty()) encode_pseudo_projective(sentence);
  const std::vector<Sentence>& sentences = model_.pseudo_projective ? encoded_ : data_.train;
  size_t not_trees = 0;
  for (const Sentence& sentence : sentences) {
    if (sentence.size() == 0 || sentence.size() > 65000) continue;
    if (!tree_problem(sentence).empty()) {
      ++not_trees;
      continue;
    }
    Example example{&sentence, std::vector<int>(sentence.size() + 1, 0), std::vector<int>(sentence.size() + 1, 0)};
    for (int i = 1; i <= sentence.size(); ++i) {
      const Token& token = sentence.word(i);
      example.heads[i] = token.head;
      example.labels[i] = model_.labels.add(token.deprel);
      model_.tags.add(GraphSentence::main_tag(token));
      fine_tags |= token.xpos != "_" && token.xpos != token.upos;
      morphology |= token.feats != "_";
    }
    if (model_.projective) projectivise(example.heads);
    examples_.push_back(std::move(example));
  }
  note_left_out(context_, not_trees, "not trees with one root");
  if (examples_.empty()) throw data_error("training data", 0, "no sentence has a complete tree");
  model_.columns = "wps";
  if (fine_tags) model_.columns += 'x';
  if (morphology) model_.columns += 'f';
  if (settings_.lemma) model_.columns += 'l';
  model_.finish();

  const size_t cells = size_t{2} * GraphModel::kTags * GraphModel::kTags;
  std::vector<std::vector<uint16_t>> seen(cells);
  GraphSentence words;
  for (const Example& example : examples_) {
    words.encode(*example.sentence, model_.tags);
    for (int m = 1; m <= words.words(); ++m) {
      const int h = example.heads[m];
      auto& cell =
          seen[(static_cast<size_t>(h < m) * GraphModel::kTags + words.tag(h)) * GraphModel::kTags + words.tag(m)];
      const auto label = static_cast<uint16_t>(example.labels[m]);
      if (std::find(cell.begin(), cell.end(), label) == cell.end()) cell.push_back(label);
    }
  }
  model_.allowed_begin.assign(1, 0);
  for (auto& cell : seen) {
    std::sort(cell.begin(), cell.end());
    model_.allowed.insert(model_.allowed.end(), cell.begin(), cell.end());
    model_.allowed_begin.push_back(static_cast<uint32_t>(model_.allowed.size()));
  }
}

std::vector<FilterExample> GraphTrainer::filter_examples(std::span<const Sentence> sentences,
                                                         std::vector<std::vector<int>>& heads) const {
  std::vector<FilterExample> made;
  heads.clear();
  heads.reserve(sentences.size());
  for (const Sentence& sentence : sentences) {
    if (sentence.size() == 0 || !tree_problem(sentence).empty()) continue;
    std::vector<int>& head = heads.emplace_back(sentence.size() + 1, 0);
    for (int i = 1; i <= sentence.size(); ++i) head[i] = sentence.word(i).head;
    if (model_.projective) projectivise(head);
    made.push_back({&sentence, head});
  }
  return made;
}

void GraphTrainer::learn_arc_filter() {
  context_.progress({.phase = "filter", .values = {}});
  std::vector<FilterExample> examples;
  for (const Example& example : examples_) examples.push_back({example.sentence, example.heads});
  LearnedFilter learned =
      learn_filter(model_.tags, model_.columns, GraphModel::kTags, examples, settings_.filter, context_);
  model_.filter = std::move(learned.filter);
  kept_ = std::move(learned.held_out);
  std::vector<std::vector<int>> heads;
  const auto dev = filter_examples(data_.dev, heads);
  filter_report_ = filter_report(model_.filter, model_.tags, model_.projective, dev);
  context_.progress({.phase = "filter", .epoch_end = true, .values = filter_report_});
}

void GraphTrainer::search(const Example& example, const KeptArcs& kept, Decoder& decoder,
                          Correction& correction) const {
  correction.used = 0;
  correction.items = 0;
  decoder.scores.encode(*example.sentence);
  ArcSet& arcs = decoder.scores.mutable_arcs();
  for (const auto& [h, m] : kept) arcs.keep(h, m);
  for (int m = 1; m <= arcs.words(); ++m) arcs.keep(example.heads[m], m);
  arcs.number();
  const GraphScores<TrainingTable>::Gold gold{example.heads, example.labels, settings_.mira ? 1.f : 0.f};
  decoder.scores.score_arcs(&gold);
  if (decoder.exact()) {
    compare_exact(example, decoder, correction);
  } else {
    decoder.scores.score_parts();
    decoder.cube.run(decoder.scores, settings_.training);
    compare_cube(example, decoder, correction);
  }
}

void GraphTrainer::compare_exact(const Example& example, Decoder& decoder, Correction& correction) const {
  DependencyTree found(example.sentence->size());
  decoder.solve_exactly(found);
  const GraphScores<TrainingTable>& scores = decoder.scores;
  Correction::Step& step = correction.next();
  for (int m = 1; m <= found.size(); ++m) {
    if (found.head[m] == example.heads[m] && found.label[m] == example.labels[m]) continue;
    step.loss += 1;
    const auto add = [&](int head, int label, float value) {
      GraphPart part = scores.features().arc(scores.arcs().find(head, m));
      part.label = label;
      scores.features().for_each_feature(
          part, [&](bool of_arc, uint64_t key, uint32_t column) { step.delta.add(of_arc, key, column, value); });
    };
    add(example.heads[m], example.labels[m], 1);
    add(found.head[m], found.label[m], -1);
  }
  correction.root_wrong = correction.root_violated = step.loss > 0;  // exact search: every error is a violation
  correction.items = step.loss > 0;
  if (step.loss == 0) correction.used = 0;
}

void GraphTrainer::compare_cube(const Example& example, Decoder& decoder, Correction& correction) const {
  const GraphScores<TrainingTable>& scores = decoder.scores;
  auto& cube = decoder.cube;
  const int n = example.sentence->size();
  std::vector<int> ranks(n + 1, 0);
  for (int m = 1; m <= n; ++m) ranks[m] = scores.label_rank(scores.arcs().find(example.heads[m], m), example.labels[m]);
  const auto& nodes = cube.add_gold(example.heads, ranks);
  std::vector<GoldItem> items;
  for (const auto& node : nodes)
    items.push_back({cube.hypothesis(node.best).score - cube.hypothesis(node.gold).score, node.same, node.start,
                     node.width, node.left, node.right});
  correction.root_wrong = !items.back().same;
  correction.root_violated = !items.back().same && items.back().violation >= 0;
  // Parts that gold and found derivation share cancel before any feature is looked at.
  tsl::robin_map<uint64_t, std::pair<GraphPart, int>> parts;
  Correction::Step* step = nullptr;
  const auto flush = [&] {
    std::vector<const std::pair<GraphPart, int>*> changed;
    for (const auto& entry : parts)
      if (entry.second.second != 0) changed.push_back(&entry.second);
    std::sort(changed.begin(), changed.end(),
              [](const auto* a, const auto* b) { return a->first.hash() < b->first.hash(); });
    for (const auto* entry : changed)
      scores.features().for_each_feature(entry->first, [&](bool of_arc, uint64_t key, uint32_t column) {
        step->delta.add(of_arc, key, column, static_cast<float>(entry->second));
      });
    parts.clear();
  };
  const auto collect = [&](int hypothesis, int value) {
    PartNamer namer{scores, [&](const GraphPart& part) {
                      auto [at, fresh] = parts.insert({part.hash(), {part, 0}});
                      at.value().second += value;
                    }};
    cube.for_each_part(hypothesis, namer);
  };
  const auto chosen = items_to_update(items, settings_.update);
  correction.items = static_cast<int>(chosen.size());
  for (const int item : chosen) {
    if (!step || settings_.separate_steps) {
      if (step) flush();
      step = &correction.next();
    }
    step->forced = items[item].violation < 0;
    collect(nodes[item].gold, 1);
    collect(nodes[item].best, -1);
    cube.for_each_arc(nodes[item].best, [&](int a, int l) {
      const int m = scores.arcs().modifier(a);
      step->loss += scores.arcs().head(a) != example.heads[m] || scores.label(a, l) != example.labels[m];
    });
  }
  if (step) flush();
}

void GraphTrainer::apply(Correction& correction, Counts& counts) {
  counts.non_violations += correction.root_wrong && !correction.root_violated;
  counts.wrong += correction.root_wrong;
  counts.items += correction.items;
  bool updated = false;
  for (int s = 0; s < correction.used; ++s) {
    const Correction::Step& step = correction.steps[s];
    double margin = 0, norm = 0;
    for (const auto& entry : step.delta.entries()) {
      const TrainingTable& table = entry.of_arc ? *arcs_ : *parts_;
      if (const uint32_t ref = table.find(entry.key)) margin += entry.value * table.value(ref, entry.column);
      norm += entry.value * entry.value;
    }
    if (norm == 0) continue;
    double size = 1;
    if (settings_.mira) {
      // An invalid update is forced through as if there were no margin.
      const double missing = step.forced ? step.loss : step.loss - margin;
      size = std::min(settings_.aggressiveness, missing / norm);
    }
    if (size <= 0) continue;
    updated = true;
    // A feature's columns mostly follow each other.
    uint64_t last = 0;
    uint32_t ref = 0;
    for (const auto& entry : step.delta.entries()) {
      if (entry.value == 0) continue;
      TrainingTable& table = entry.of_arc ? *arcs_ : *parts_;
      if (entry.key != last) {
        last = entry.key;
        ref = table.make(entry.key);
        if (ref) table.touch(ref);
      }
      if (ref) table.update(ref, static_cast<int>(entry.column), static_cast<float>(size * entry.value), clock_);
    }
  }
  counts.updates += updated;
  clock_ += 1;
}

std::unique_ptr<GraphParser> GraphTrainer::freeze() const {
  return std::make_unique<GraphParser>(model_, FrozenTable(*arcs_, clock_, settings_.least_updates),
                                       FrozenTable(*parts_, clock_, settings_.least_updates), settings_.parsing);
}

Trained GraphTrainer::run() {
  std::vector<size_t> order(examples_.size());
  std::iota(order.begin(), order.end(), 0);
  Rng rng(context_.seed, "shuffle");
  Trained best;
  double best_score = -1;
  nlohmann::json history = nlohmann::json::array();
  for (int epoch = 1; epoch <= settings_.epochs && !context_.stopping(); ++epoch) {
    rng.shuffle(order);
    Counts counts;
    for (size_t from = 0; from < order.size() && !context_.stopping(); from += settings_.batch) {
      const size_t size = std::min<size_t>(settings_.batch, order.size() - from);
      parallel_for(size, context_.threads, [&](int, size_t i) {
        search(examples_[order[from + i]], kept_[order[from + i]], *decoders_[i], corrections_[i]);
      });
      for (size_t i = 0; i < size; ++i) apply(corrections_[i], counts);
      if (from / settings_.batch % 64 == 0)
        context_.progress({.phase = "train",
                           .epoch = epoch,
                           .epochs = settings_.epochs,
                           .done = from,
                           .total = order.size(),
                           .values = {}});
    }
    nlohmann::json values{{"updated", counts.updates}, {"items", counts.items},
                          {"wrong", counts.wrong},     {"root_non_violations", counts.non_violations},
                          {"arc_rows", arcs_->rows()}, {"part_rows", parts_->rows()}};
    const bool last = epoch == settings_.epochs || context_.stopping();
    if (!data_.dev.empty() || last) {
      auto parser = freeze();
      if (!data_.dev.empty()) {
        const DevScore score = score_on_dev(*parser, data_.dev, context_.threads);
        values["dev"] = score.details;
        if (score.value > best_score) {
          best_score = score.value;
          best.parser = std::move(parser);
          best.report["best_epoch"] = epoch;
          best.report["dev"] = score.details;
        }
      } else {
        best.parser = std::move(parser);
      }
    }
    history.push_back(values);
    context_.progress({.phase = "train",
                       .epoch = epoch,
                       .epochs = settings_.epochs,
                       .done = order.size(),
                       .total = order.size(),
                       .epoch_end = true,
                       .values = values});
  }
  if (!best.parser) best.parser = freeze();
  best.report["filter"] = filter_report_;
  best.report["epochs"] = history;
  return best;
}

Trained train_graph(const Settings& settings, const TrainData& data, const TrainContext& context, bool projective) {
  const GraphSettings read = read_settings(settings, projective);
  settings.check_all_known();
  if (context.check_only) return {};
  return GraphTrainer(read, projective, data, context).run();
}

}  // namespace

Trained train_cube(const Settings& settings, const TrainData& data, const TrainContext& context) {
  return train_graph(settings, data, context, true);
}

Trained train_mst(const Settings& settings, const TrainData& data, const TrainContext& context) {
  return train_graph(settings, data, context, false);
}

}  // namespace espalier
