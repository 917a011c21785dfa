#include "espalier/learn/graph/graph_trainer.h"

#include <nlohmann/json.hpp>

#include <numeric>

#include "espalier/base/error.h"
#include "espalier/base/parallel.h"
#include "espalier/learn/graph/arc_filter_trainer.h"
#include "espalier/learn/graph/graph_examples.h"
#include "espalier/learn/graph/graph_settings.h"
#include "espalier/learn/graph/graph_update.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/progress.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/graph/graph_search.h"
#include "espalier/tree/projectivity.h"

namespace espalier {
namespace {

/// Searches a batch in parallel, with the same weights for all, and applies the corrections in order.
class GraphLearner final : public RankingLearner {
 public:
  GraphLearner(const GraphSettings& settings, bool projective, const std::string& identity, const TrainData& data,
               const TrainContext& context)
      : settings_(settings), threads_(context.threads) {
    model_.projective = projective;
    model_.order = settings.order;
    model_.parts = settings.parts;
    model_.single_root = settings.init && settings.root == RootRule::kAuto
                             ? settings.init->model().single_root
                             : has_single_roots(settings.root, data.train);
    settings_.training.single_root = settings_.parsing.single_root = model_.single_root;
    if (!model_.single_root && settings.filter.rule == ArcFilter::Rule::kMaxMarginal)
      throw usage_error("filter=max-marginal knows trees with one root only; filter=posterior, or root=single");
    model_.hall = settings.hall;
    model_.candidates = settings.candidates;
    model_.coarse = settings.coarse && settings.order > 1;
    model_.part_morphology =
        settings.part_morphology == "auto" ? is_small(data.train) : settings.part_morphology == "true";
    model_.pseudo_projective = settings.pseudo_projective;
    if (settings.init) take_over_labels(settings.init->model());
    if (settings.pseudo_projective) encoded_ = data.train;
    for (Sentence& sentence : encoded_)
      if (tree_problem(sentence, nullptr, model_.roots()).empty()) encode_pseudo_projective(sentence);
    examples_ = collect_examples(settings.pseudo_projective ? encoded_ : data.train, settings.lemma, *settings.loss,
                                 context, model_);
    if (!settings.labels_by_tags) {
      model_.allowed.clear();
      std::ranges::fill(model_.allowed_begin, 0);
    }
    if (settings.mira) settings_.scale_gaps(high_price(examples_));
    model_.arc_gap = settings_.arc_gap;
    model_.label_gap = settings_.label_gap;
    learn_arc_filter(identity, data, context);
    arcs_ = std::make_unique<OnlineLinear>(model_.arc_columns(), OnlineLinear::Delay::kSecondTime);
    parts_ = std::make_unique<OnlineLinear>(kHashedColumns, OnlineLinear::Delay::kSecondTime);
    if (settings.init) start_from(*settings.init);
    for (int i = 0; i < settings.batch; ++i)
      searches_.push_back(std::make_unique<TrainingSearch>(model_, *arcs_, *parts_, settings_.training));
    corrections_.resize(settings.batch);
  }

  const nlohmann::json& filter() const { return filter_report_; }

  size_t size() const override { return examples_.size(); }
  size_t batch() const override { return static_cast<size_t>(settings_.batch); }
  std::vector<size_t> order(int epoch, uint64_t seed) const override { return shuffled_order(size(), epoch, seed); }
  void begin_epoch(int epoch) override {
    counts_ = {};
    if (!settings_.runs.begins_anew(epoch)) return;
    arcs_->begin_anew();
    parts_->begin_anew();
  }

  bool can_cancel() const override { return true; }
  size_t learn(std::span<const size_t> batch, int) override {
    parallel_for(batch.size(), threads_, [&](int, size_t i) {
      find_correction(settings_, examples_[batch[i]], kept_[batch[i]], *searches_[i], corrections_[i]);
    });
    size_t updates = 0;
    for (size_t i = 0; i < batch.size(); ++i) {
      counts_.add(corrections_[i]);
      updates += apply_correction(settings_, corrections_[i], *arcs_, *parts_);
      tick();
    }
    return updates;
  }

  nlohmann::json epoch_values() const override {
    return {{"items", counts_.items},
            {"wrong", counts_.wrong},
            {"root_non_violations", counts_.non_violations},
            {"arc_rows", arcs_->row_count()},
            {"part_rows", parts_->row_count()}};
  }
  std::unique_ptr<Parser> freeze() const override {
    return std::make_unique<GraphParser>(model_, arcs_->freeze(settings_.pruning), parts_->freeze(settings_.pruning),
                                         settings_.parsing);
  }
  void archive(Archive& archive) override {
    archive.value(counts_);
    arcs_->archive(archive);
    parts_->archive(archive);
  }

  KBestList list(const Sentence& sentence, bool labels) override { return search().list(sentence, labels); }
  bool can_constrain() const override { return true; }
  std::vector<Candidate> best_given(const Sentence& sentence, const Constraints& given) override {
    return search().list(sentence, given).take(1);
  }
  bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin, bool) override {
    Correction correction;
    Correction::Step& step = correction.next();
    step.loss = margin;
    for (const auto& [candidate, sign] : {std::pair(&better, 1.f), {&worse, -1.f}})
      search().for_each_feature(sentence, *candidate, [&, sign = sign](bool of_arc, uint64_t key, uint32_t column) {
        step.delta.add(key, column, sign, of_arc);
      });
    return apply_correction(settings_, correction, *arcs_, *parts_);
  }
  void tick() override {
    arcs_->tick();
    parts_->tick();
  }

 private:
  struct Counts {
    long non_violations = 0, items = 0, wrong = 0;
    void add(const Correction& correction) {
      non_violations += correction.root_wrong && !correction.root_violated;
      wrong += correction.root_wrong;
      items += correction.items;
    }
  };

  /// The search for lists by the current weights; created when first needed.
  GraphSearch<OnlineLinear>& search() {
    if (!search_) search_ = std::make_unique<TrainingSearch>(model_, *arcs_, *parts_, settings_.parsing);
    return *search_;
  }
  /// In large treebanks words are more informative than morphology.
  static bool is_small(std::span<const Sentence> sentences) {
    constexpr long kManyWords = 100'000;
    long words = 0;
    for (const Sentence& sentence : sentences) words += sentence.size();
    return words < kManyWords;
  }
  void learn_arc_filter(const std::string& identity, const TrainData& data, const TrainContext& context);
  /// Takes labels and tags with their ids from a warm start's model, since features refer to them.
  void take_over_labels(const GraphModel& init) {
    model_.columns = init.columns;
    model_.filled = init.filled;
    model_.coarse = init.coarse;
    model_.part_morphology = init.part_morphology;
    model_.labels = init.labels;
    model_.tags = init.tags;
    model_.allowed = init.allowed;
    model_.allowed_begin = init.allowed_begin;
  }
  /// Columns of arcs are labels, between one for all and the coarse one; those of parts are hashed from the numbers of
  /// labels.
  void start_from(const GraphParser& init) {
    std::vector<int> labels(init.model().labels.size() + 1), hashed(kHashedColumns);
    std::iota(labels.begin(), labels.end(), 0);
    labels.resize(model_.arc_columns(), -1);
    if (model_.coarse) labels[model_.coarse_column()] = init.model().coarse_column();
    std::iota(hashed.begin(), hashed.end(), 0);
    arcs_->start_from(init.arcs(), std::move(labels));
    parts_->start_from(init.parts(), std::move(hashed));
  }

  GraphSettings settings_;
  int threads_;
  GraphModel model_;
  std::vector<Sentence> encoded_;  // with pseudo-projective labels
  std::vector<GraphExample> examples_;
  std::vector<KeptArcs> kept_;
  std::unique_ptr<OnlineLinear> arcs_, parts_;
  std::vector<std::unique_ptr<TrainingSearch>> searches_;
  std::vector<Correction> corrections_;
  std::unique_ptr<TrainingSearch> search_;
  Counts counts_;
  nlohmann::json filter_report_;
};

void GraphLearner::learn_arc_filter(const std::string& identity, const TrainData& data, const TrainContext& context) {
  std::vector<FilterExample> examples;
  for (const GraphExample& example : examples_) examples.push_back({example.sentence, example.heads});
  LearnedFilter learned = learn_filter(model_, examples, settings_.filter, identity, context);
  model_.filter = std::move(learned.filter);
  kept_ = std::move(learned.held_out);
  std::vector<std::vector<int>> heads;
  filter_report_ = filter_report(model_, filter_examples(data.dev, model_, heads));
  context.progress({.phase = "filter", .epoch_end = true, .values = filter_report_});
}

TrainFunction configure_graph(SettingsReader& reader, bool projective) {
  const GraphSettings read = read_graph_settings(reader, projective);
  const Objectives objectives = Objectives::from(reader, Teaching::kListsWithLabels);
  Objectives::own_select(reader, {"las"});
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    const std::string identity = run_identity(settings, data, context.seed);
    GraphLearner learner(read, projective, identity, data, context);
    Trained trained = train_augmented(learner, objectives, read.runs.all_epochs(), identity, data, context);
    trained.report["filter"] = learner.filter();
    return trained;
  };
}

}  // namespace

TrainFunction configure_cube(SettingsReader& settings) { return configure_graph(settings, true); }

TrainFunction configure_mst(SettingsReader& settings) { return configure_graph(settings, false); }

}  // namespace espalier
