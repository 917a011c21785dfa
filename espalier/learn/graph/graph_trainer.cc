#include "espalier/learn/graph/graph_trainer.h"

#include <numeric>

#include "espalier/base/parallel.h"
#include "espalier/base/rng.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/graph/arc_filter_trainer.h"
#include "espalier/learn/graph/graph_examples.h"
#include "espalier/learn/graph/graph_settings.h"
#include "espalier/learn/graph/graph_update.h"
#include "espalier/tree/projectivity.h"

namespace espalier {
namespace {

class GraphTrainer {
 public:
  GraphTrainer(const GraphSettings& settings, bool projective, const TrainData& data, const TrainContext& context)
      : settings_(settings), data_(data), context_(context) {
    model_.projective = projective;
    model_.order = settings.order;
    model_.candidates = settings.candidates;
    model_.arc_gap = settings.arc_gap;
    model_.pseudo_projective = settings.pseudo_projective;
    if (settings.pseudo_projective) encoded_ = data.train;
    for (Sentence& sentence : encoded_)
      if (tree_problem(sentence).empty()) encode_pseudo_projective(sentence);
    examples_ = collect_examples(settings.pseudo_projective ? encoded_ : data.train, settings.lemma, *settings.loss,
                                 context, model_);
    learn_arc_filter();
    arcs_ = std::make_unique<TrainingTable>(model_.arc_columns());
    parts_ = std::make_unique<TrainingTable>(kHashedColumns);
    for (int i = 0; i < settings.batch; ++i)
      decoders_.push_back(std::make_unique<TrainingDecoder>(model_, *arcs_, *parts_));
    corrections_.resize(settings.batch);
  }

  Trained run();

 private:
  struct Counts {
    long updates = 0, non_violations = 0, items = 0, wrong = 0;
    void add(const Correction& correction, bool updated) {
      non_violations += correction.root_wrong && !correction.root_violated;
      wrong += correction.root_wrong;
      items += correction.items;
      updates += updated;
    }
  };

  void learn_arc_filter();
  std::unique_ptr<GraphParser> freeze() const {
    return std::make_unique<GraphParser>(model_, FrozenTable(*arcs_, clock_, settings_.pruning),
                                         FrozenTable(*parts_, clock_, settings_.pruning), settings_.parsing);
  }

  GraphSettings settings_;
  const TrainData& data_;
  const TrainContext& context_;
  GraphModel model_;
  std::vector<Sentence> encoded_;  // with pseudo-projective labels
  std::vector<GraphExample> examples_;
  std::vector<KeptArcs> kept_;
  std::unique_ptr<TrainingTable> arcs_, parts_;
  std::vector<std::unique_ptr<TrainingDecoder>> decoders_;
  std::vector<Correction> corrections_;
  double clock_ = 1;
  nlohmann::json filter_report_;
};

void GraphTrainer::learn_arc_filter() {
  context_.progress({.phase = "filter", .values = {}});
  std::vector<FilterExample> examples;
  for (const GraphExample& example : examples_) examples.push_back({example.sentence, example.heads});
  LearnedFilter learned =
      learn_filter(model_.tags, model_.columns, GraphModel::kTags, examples, settings_.filter, context_);
  model_.filter = std::move(learned.filter);
  kept_ = std::move(learned.held_out);
  std::vector<std::vector<int>> heads;
  filter_report_ = filter_report(model_.filter, model_.tags, model_.projective,
                                 filter_examples(data_.dev, model_.projective, heads));
  context_.progress({.phase = "filter", .epoch_end = true, .values = filter_report_});
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
        find_correction(settings_, examples_[order[from + i]], kept_[order[from + i]], *decoders_[i], corrections_[i]);
      });
      for (size_t i = 0; i < size; ++i) {
        counts.add(corrections_[i], apply_correction(settings_, corrections_[i], clock_, *arcs_, *parts_));
        clock_ += 1;
      }
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
  const GraphSettings read = read_graph_settings(settings, projective);
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
