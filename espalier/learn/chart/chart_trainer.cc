#include "espalier/learn/chart/chart_trainer.h"

#include <nlohmann/json.hpp>

#include "espalier/learn/identity.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/shift_reduce/binary_treebank.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/update/feature_delta.h"
#include "espalier/learn/update/passive_aggressive.h"
#include "espalier/learn/update/runs.h"
#include "espalier/learn/update/violation.h"
#include "espalier/learn/warm_start.h"
#include "espalier/parser/chart/chart_parser.h"
#include "espalier/parser/chart/chart_search.h"

namespace espalier {
namespace {

struct ChartSettings {
  Runs runs;
  ChartOptions training, parsing;
  ViolationUpdate update;
  bool separate_steps, passive_aggressive;
  double aggressiveness;
  float margin;
  OnlineLinear::Freeze pruning;
  bool patient;
  TreebankOptions treebank;
  std::shared_ptr<const ChartModel> init;  // warm start; null: weights begin with 0

  explicit ChartSettings(SettingsReader& s) {
    runs = Runs::from(s, 10);
    training.beam = s.integer("beam", 4, 1, 4096, "hypotheses per item");
    parsing.beam = s.integer("parse_beam", training.beam, 1, 4096, "hypotheses per item when parsing");
    update =
        s.choice("update", ViolationUpdate::kParallelMax, violation_updates(), "where an inexact search is corrected");
    separate_steps = s.choice("pmax_steps", "joint", {"joint", "separate"},
                              "p-max: one step for all items, or one each") == "separate";
    passive_aggressive = s.choice("learner", StepRule::kPassiveAggressive, step_rules(),
                                  "averaged perceptron, or passive-aggressive steps") == StepRule::kPassiveAggressive;
    aggressiveness = s.real("aggressiveness", 0.01, 1e-6, 1e6, "largest passive-aggressive step (C)");
    margin = s.real<float>("margin", 1, 0, 1e6, "how far the right action must be ahead");
    parsing.gap = s.real<float>("gap", 3, 0, ChartOptions::kNoGap,
                                "when parsing: spans and labels this far behind by coarse scores are not searched");
    training.gap = s.real<float>("train_gap", 3, 0, ChartOptions::kNoGap,
                                 "the same in training, where wrong ones have the margin as a bonus");
    // In units of the margin, which perceptrons have not.
    if (!passive_aggressive) parsing.seed_gap = training.seed_gap = ChartOptions::kNoGap;
    pruning.least_updates = s.integer("min_updates", 1, 1, 1000000, "features updated less often are dropped");
    pruning.drop =
        s.real<double>("drop", 0.5, 0, 0.99, "share of the remaining features that is dropped, smallest weights first");
    pruning.most_features = ChartFeatures::kMostKeys;
    patient = s.flag("patient", true, "delayed allocation: features get weights at their second update");
    treebank = TreebankOptions::from(s);
    if (const std::string file = init_file(s); !file.empty())
      init = warm_start_model(file, "chart", [](const Parser& parser) { return model_of<ChartModel>(parser); });
  }
};

struct ChartExample {
  const Sentence* sentence;
  std::vector<int32_t> derivation;
  std::vector<SpanActions> spans;  // as charts are filled
};

/// What the tree builds over each of its spans.
std::vector<SpanActions> spans_of(const BinaryTree& tree, const ChartActions& actions) {
  std::vector<SpanActions> spans;
  std::vector<size_t> of_node;
  for (const auto& node : tree.nodes) {
    if (node.kind == BinaryTree::kUnary) {
      of_node.push_back(of_node[node.left]);
      spans[of_node.back()].unary = actions.actions.column(ShiftReduce::kUnary, node.label);
      continue;
    }
    of_node.push_back(spans.size());
    SpanActions& span = spans.emplace_back(SpanActions{node.word, node.word, -1, actions.stay_action()});
    if (node.kind == BinaryTree::kWord) continue;
    using S = ShiftReduce;
    const bool left = node.kind == BinaryTree::kHeadLeft;
    span.join = actions.actions.column(
        left ? (node.part ? S::kLeftPart : S::kLeft) : (node.part ? S::kRightPart : S::kRight), node.label);
    span.first = spans[of_node[node.left]].first;
    span.last = spans[of_node[node.right]].last;
  }
  std::ranges::sort(spans, fills_before);
  return spans;
}

class ChartLearner final : public RankingLearner {
 public:
  ChartLearner(const ChartSettings& settings, const std::vector<Sentence>& sentences) : settings_(settings) {
    std::optional<ShiftReduceModel> init;
    if (settings.init)
      init.emplace(ShiftReduceModel{.root = settings.init->root,
                                    .labels = settings.init->labels,
                                    .actions = settings.init->actions.actions,
                                    .weights = {}});
    BinaryTreebank read =
        read_binary_treebank(settings.treebank, Direction::kLeftToRight, sentences, init ? &*init : nullptr);
    model_.options = settings.parsing;
    model_.root = std::move(read.root);
    model_.labels = std::move(read.labels);
    model_.actions = ChartActions(std::move(read.actions));
    for (size_t i = 0; i < read.trees.size(); ++i) {
      ChartExample& example = examples_.emplace_back();
      example.sentence = read.sentences[i];
      for (const auto& [move, label] : ShiftReduce::derivation(read.trees[i]))
        example.derivation.push_back(model_.actions.actions.column(move, label));
      example.spans = spans_of(read.trees[i], model_.actions);
    }
    const int columns = model_.actions.factors.columns();
    coarse_.emplace(columns, settings.patient);
    fine_.emplace(columns, settings.patient);
    if (settings.init) {
      const auto& theirs = settings.init->actions;
      const auto from =
          columns_of_actions(model_.actions.actions, model_.actions.factors, theirs.actions, theirs.factors);
      coarse_->start_from(settings.init->coarse, from);
      fine_->start_from(settings.init->fine, from);
    }
    search_.emplace(model_, *coarse_, *fine_);
  }

  size_t size() const override { return examples_.size(); }
  void begin_epoch(int epoch) override {
    counts_ = {};
    if (!settings_.runs.begins_anew(epoch)) return;
    coarse_->begin_anew();
    fine_->begin_anew();
  }
  bool can_cancel() const override { return true; }  // the searches precede the updates
  size_t learn(std::span<const size_t> batch, int) override {
    const bool changed = learn_one(examples_[batch.front()]);
    tick();
    return changed;
  }
  nlohmann::json epoch_values() const override {
    return {{"items", counts_.items},
            {"wrong", counts_.wrong},
            {"root_non_violations", counts_.non_violations},
            {"coarse_wrong", counts_.coarse_wrong},
            {"spans", counts_.spans},
            {"coarse_rows", coarse_->row_count()},
            {"fine_rows", fine_->row_count()}};
  }
  std::unique_ptr<Parser> freeze() const override {
    ChartModel model = model_;
    model.fine = fine_->freeze(settings_.pruning);
    OnlineLinear::Freeze coarse = settings_.pruning;
    coarse.most_features = static_cast<int>(SpanTemplates::list.size());
    model.coarse = coarse_->freeze(coarse);
    return make_chart_parser(std::move(model));
  }
  void archive(Archive& archive) override {
    archive.value(counts_);
    coarse_->archive(archive);
    fine_->archive(archive);
  }

  KBestList list(const Sentence& sentence, bool) override { return search_->list(sentence); }
  bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin, bool) override {
    search_->begin(sentence);
    changes_.clear();
    for (const auto& [candidate, sign] : {std::pair(&better, 1.f), {&worse, -1.f}})
      add_steps(search_->steps().add_derivation(candidate->derivation, [](int, int, int) {}), sign);
    fill_delta();
    return correct(*fine_, static_cast<double>(settings_.margin) * std::max(margin, 1.0), false, true);
  }
  void tick() override {
    coarse_->tick();
    fine_->tick();
  }

 private:
  struct Counts {
    long items = 0, wrong = 0, non_violations = 0, coarse_wrong = 0, spans = 0;
  };
  struct Change {
    uint64_t hash;
    ChartStep step;
    float value;
  };

  bool learn_one(const ChartExample& example) {
    search_->begin(*example.sentence);
    search_->solve_coarse({example.spans, settings_.margin});
    search_->run(settings_.training, settings_.passive_aggressive ? settings_.margin : 0);
    const auto& derived = search_->derive(example.derivation);
    counts_.spans += static_cast<long>(search_->coarse().kept().size());
    std::vector<GoldItem> items;
    for (const auto& item : derived) {
      const auto& words = search_->steps()[item.item];
      // What the chart has no room for is taken as right.
      items.push_back(
          {item.lead, item.same || item.best < 0, words.first, words.last - words.first, item.left, item.right});
    }
    const bool wrong = !items.back().same;
    counts_.wrong += wrong;
    counts_.non_violations += wrong && items.back().violation < 0;
    bool changed = false;
    const auto chosen = items_to_update(items, settings_.update);
    counts_.items += static_cast<long>(chosen.size());
    changes_.clear();
    double loss = 0;
    bool forced = false;
    const auto apply = [&] {
      fill_delta();
      changed |= correct(*fine_, loss, forced, settings_.passive_aggressive);
      changes_.clear();
      loss = 0;
    };
    for (const int number : chosen) {
      forced = items[number].violation < 0;
      add_steps(derived[number].item, 1);
      add_steps(derived[number].best, -1);
      loss += loss_of(derived[number].best, example);
      if (settings_.separate_steps) apply();
    }
    if (!changes_.empty()) apply();
    learn_coarse(example);
    return changed;
  }

  /// The price of a tree's wrong actions.
  double loss_of(int item, const ChartExample& example) {
    double loss = 0;
    search_->steps().for_each_step(item, [&](const ChartStep& step) {
      const auto& words = search_->steps()[step.item];
      const SpanActions here{words.first, words.last, 0, 0};
      const auto gold = std::ranges::lower_bound(example.spans, here, fills_before);
      const bool there = gold != example.spans.end() && !fills_before(here, *gold);
      const int right = step.joins ? (there ? gold->join : -1) : there ? gold->unary : model_.actions.stay_action();
      if (step.action != right) loss += static_cast<double>(settings_.margin);
    });
    return loss;
  }
  void add_steps(int item, float value) {
    search_->steps().for_each_step(item, [&](const ChartStep& step) {
      changes_.push_back({search_->steps().hash(step), step, value});
    });
  }
  /// Steps that both trees have cancel before any feature is looked at.
  void fill_delta() {
    delta_.clear();
    std::ranges::stable_sort(changes_, {}, &Change::hash);
    uint64_t keys[ChartFeatures::kMostKeys];
    for (size_t i = 0; i < changes_.size();) {
      float value = 0;
      const Change& first = changes_[i];
      for (; i < changes_.size() && changes_[i].hash == first.hash; ++i) value += changes_[i].value;
      if (value == 0) continue;
      const auto count = static_cast<size_t>(search_->steps().keys(first.step, keys));
      delta_.add({keys, count}, model_.actions.factors.of(first.step.action), value);
    }
  }
  /// Moves weights by delta_, so that gold leads by `loss`; always by a step of 1 if not passive-aggressive.
  bool correct(OnlineLinear& weights, double loss, bool forced, bool passive_aggressive) {
    rows_.assign(delta_.entries().size(), 0);
    double margin = 0, norm = 0;
    uint64_t last = 0;
    uint32_t row = 0;
    for (const auto& entry : delta_.entries()) {
      if (entry.key != last) row = weights.find(last = entry.key);
      margin += static_cast<double>(entry.value * weights.value(row, entry.column));
    }
    const double missing = forced ? loss : loss - margin;
    if (passive_aggressive && missing <= 0) return false;
    last = 0;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto& entry = delta_.entries()[i];
      if (entry.value == 0) continue;
      if (entry.key != last) {
        row = weights.locate(last = entry.key);
        if (row) weights.touch(row);
      }
      rows_[i] = row;
      if (row) norm += static_cast<double>(entry.value * entry.value);
    }
    if (norm == 0) return false;
    const double step = passive_aggressive ? passive_aggressive_step(missing, norm, settings_.aggressiveness) : 1;
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto& entry = delta_.entries()[i];
      const auto column = static_cast<int>(entry.column);
      if (rows_[i]) weights.adjust(rows_[i], column, column + 1, static_cast<float>(step) * entry.value);
    }
    return true;
  }
  /// The coarse score learns to find the tree by itself, always passive-aggressively: gaps are in its units.
  void learn_coarse(const ChartExample& example) {
    const auto& found = search_->coarse().best_actions();
    delta_.clear();
    double loss = 0;
    uint64_t keys[ChartFeatures::kMostKeys];
    const auto add = [&](const SpanActions& span, int action, float value) {
      const auto count = static_cast<size_t>(search_->steps().span_keys(span.first, span.last, keys));
      delta_.add({keys, count}, model_.actions.factors.of(action), value);
    };
    const auto add_all = [&](const SpanActions& span, float value) {
      if (span.join >= 0) add(span, span.join, value);
      if (span.join < 0 || !is_part(span.join)) add(span, span.unary, value);
    };
    size_t f = 0, g = 0;
    while (f < found.size() || g < example.spans.size()) {
      const bool only_found =
          f < found.size() && (g == example.spans.size() || fills_before(found[f], example.spans[g]));
      const bool only_gold = !only_found && (f == found.size() || fills_before(example.spans[g], found[f]));
      if (only_found) {
        loss += 1 + (found[f].unary != model_.actions.stay_action());
        add_all(found[f++], -1);
      } else if (only_gold) {
        add_all(example.spans[g++], 1);
      } else {
        if (found[f].join != example.spans[g].join || found[f].unary != example.spans[g].unary) {
          loss += (found[f].join != example.spans[g].join) + (found[f].unary != example.spans[g].unary);
          add_all(found[f], -1);
          add_all(example.spans[g], 1);
        }
        ++f, ++g;
      }
    }
    if (loss == 0) return;
    ++counts_.coarse_wrong;
    correct(*coarse_, loss * static_cast<double>(settings_.margin), false, true);
  }
  bool is_part(int join) const {
    const int move = model_.actions.actions.action(join).move;
    return move == ShiftReduce::kLeftPart || move == ShiftReduce::kRightPart;
  }

  const ChartSettings settings_;
  ChartModel model_;
  std::vector<ChartExample> examples_;
  std::optional<OnlineLinear> coarse_, fine_;
  std::optional<ChartSearch<OnlineLinear>> search_;
  FeatureDelta delta_;
  std::vector<uint32_t> rows_;
  std::vector<Change> changes_;
  Counts counts_;
};

}  // namespace

TrainFunction configure_chart(SettingsReader& reader) {
  const ChartSettings read(reader);
  const Objectives objectives = Objectives::from(reader);
  Objectives::own_select(reader, {"f1"});
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    ChartLearner learner(read, data.train);
    return train_augmented(learner, objectives, read.runs.all_epochs(), run_identity(settings, data, context.seed),
                           data, context);
  };
}

}  // namespace espalier
