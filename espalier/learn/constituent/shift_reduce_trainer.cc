#include "espalier/learn/constituent/shift_reduce_trainer.h"

#include <map>

#include "espalier/base/error.h"
#include "espalier/features/shift_reduce_templates.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/go_on.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/runs.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/update/beam_update.h"
#include "espalier/parser/constituent/shift_reduce_parser.h"
#include "espalier/parser/constituent/shift_reduce_search.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/tree/binarise.h"
#include "espalier/tree/constituent_labels.h"
#include "espalier/tree/constituent_preprocess.h"
#include "espalier/tree/head_rules.h"

namespace espalier {
namespace {

struct ShiftReduceOptions : BeamOptions {
  Runs runs;
  int least_updates, parse_beam;
  long max_length, min_labels, min_chains;
  float drop;
  bool patient;
  bool both_directions;
  Direction direction;
  std::string head_rules, head_rules_origin;
  std::shared_ptr<const ShiftReduceModel> init;  // to go on from; nothing: weights begin with 0

  explicit ShiftReduceOptions(SettingsReader& s) {
    beam = static_cast<int>(s.integer("beam", 8, 1, 4096, "states kept per step while training"));
    parse_beam = static_cast<int>(s.integer("parse_beam", beam, 1, 4096, "... and when parsing"));
    runs = Runs::from(s, 10);
    update = s.choice("update", BeamUpdateAt::kMaxViolation, kBeamUpdates, "which prefix a beam update corrects");
    learner = s.choice("learner", StepRule::kPassiveAggressive, kStepRules,
                       "averaged perceptron, or passive-aggressive steps");
    aggressiveness =
        static_cast<float>(s.real("aggressiveness", 0.01, 1e-6, 1e6, "largest passive-aggressive step (C)"));
    margin = static_cast<float>(
        s.real("margin", passive_aggressive() ? 1 : 25, 0, 1e6, "how far the right action must be ahead"));
    least_updates =
        static_cast<int>(s.integer("min_updates", 1, 1, 1000000, "features updated less often are dropped"));
    drop = static_cast<float>(
        s.real("drop", 0.5, 0, 0.99, "this share of the features, those with the smallest weights, is dropped too"));
    patient = s.flag("patient", true, "learn nothing about a feature the first time it is wanted: much less memory");
    max_length = s.integer("max_length", 0, 0, 1000000, "use only sentences of at most so many words; 0 = all");
    min_labels = s.integer("min_label_count", 3, 1, 1000000, "rarer labels are cut out of the trees");
    min_chains = s.integer("min_chain_count", 3, 1, 1000000, "rarer chains of unary nodes lose their lower nodes");
    const std::string ends = s.choice("direction", "both", {"both", "l2r", "r2l"}, "from which end sentences are read");
    both_directions = ends == "both";
    direction = both_directions ? Direction::kLeftToRight : direction_named(ends);
    head_rules_origin = s.text("head_rules", "english", "english, generic or a file of head rules");
    head_rules = head_rules_text(head_rules_origin);
    if (const std::string file = init_file(s); !file.empty() && !both_directions)
      init = model_to_go_on_from(file, "shift-reduce (direction " + ends + ")",
                                 [&](const Parser& parser) { return shift_reduce_model(parser, direction); });
  }
};

/// A training sentence: its tree first, then in numbers.
struct ShiftReduceInstance {
  ConstituentAtoms atoms;
  std::vector<int32_t> columns;  // the gold derivation
};

/// Finds heads by rules over the labels and tags of a treebank.
class HeadFinder {
 public:
  HeadFinder(const ShiftReduceOptions& options, const std::vector<ConstituentTree>& trees, const Vocabulary& labels)
      : labels_(labels) {
    for (const ConstituentTree& tree : trees)
      for (const auto& node : tree.nodes) symbols_.add(symbol(node));
    std::vector<std::string> names;
    std::vector<bool> punctuation;
    for (const std::string& text : symbols_.texts()) {
      names.push_back(text.substr(1));
      punctuation.push_back(text[0] == '/' && is_punctuation_tag(names.back()));
    }
    rules_.emplace(options.head_rules, options.head_rules_origin, labels.texts(), names, punctuation);
  }

  int operator()(const ConstituentTree& tree, int node) const {
    std::vector<int> children;
    const auto& parent = tree.nodes[static_cast<size_t>(node)];
    for (const int child : parent.children)
      children.push_back(symbols_.find(symbol(tree.nodes[static_cast<size_t>(child)])));
    return rules_->head(labels_.find(parent.label), children);
  }

 private:
  /// Tags and labels may have the same text.
  static std::string symbol(const ConstituentTree::Node& node) { return (node.is_leaf() ? "/" : "=") + node.label; }

  const Vocabulary& labels_;
  Vocabulary symbols_;
  std::optional<HeadRules> rules_;
};

class ShiftReduceLearner final : public RankingLearner {
 public:
  ShiftReduceLearner(const ShiftReduceOptions& options, const std::vector<Sentence>& treebank)
      : options_(options), weights_((prepare(treebank), factors_.columns()), options.patient) {
    if (const ShiftReduceModel* init = options.init.get())
      weights_.start_from(init->weights, columns_of_actions(model_.actions, factors_, init->actions,
                                                            ShiftReduce::factors(init->actions)));
  }

  size_t size() const override { return instances_.size(); }
  void begin_epoch(int epoch) override {
    if (options_.runs.begins_anew(epoch)) weights_.begin_anew();
  }

  bool can_give_up() const override { return true; }
  size_t learn(std::span<const size_t> batch, int) override {
    const ShiftReduceInstance& instance = instances_[batch.front()];
    const bool changed = beam_.learn(instance.atoms, instance.columns, weights_);
    weights_.tick();
    return changed;
  }

  std::unique_ptr<Parser> freeze() const override {
    ShiftReduceModel model = model_;
    model.weights = weights_.freeze({.least_updates = options_.least_updates,
                                     .most_rows = 0,
                                     .drop = options_.drop,
                                     .most_features = ShiftReduceFeatures::kCount});
    return make_shift_reduce_parser(std::move(model));
  }
  void archive(Archive& archive) override { weights_.archive(archive); }

  KBestList list(const Sentence& sentence, bool) override { return search_.list(sentence); }
  bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin,
              bool own_step) override {
    ConstituentAtoms atoms;
    atoms.encode(sentence, words_to_parse(sentence), options_.direction);
    return beam_.prefer(atoms, better.derivation, worse.derivation, worse.score - better.score, margin, own_step,
                        weights_);
  }
  void tick() override { weights_.tick(); }

 private:
  void prepare(const std::vector<Sentence>& treebank) {
    std::vector<ConstituentTree> trees;
    for (const Sentence& sentence : treebank) {
      if (options_.max_length && sentence.size() > options_.max_length) continue;
      const std::vector<int> words = words_to_parse(sentence);
      if (words.empty() || sentence.constituents.empty()) continue;
      if (trees.empty()) model_.root = plain_label(sentence.constituents.nodes[0].label);
      trees.push_back(simplified(sentence, words));
      instances_.emplace_back().atoms.encode(sentence, words, options_.direction);
    }
    if (instances_.empty())
      throw Error(ErrorKind::kData, "there is no sentence with a phrase-structure tree to train on");

    Vocabulary labels;  // and chains of them
    const Vocabulary known = known_labels(trees, labels);
    for (ConstituentTree& tree : trees) tree = with_known_labels(tree, known);
    const HeadFinder heads(options_, trees, known);
    std::vector<BinaryTree> binary;
    for (const ConstituentTree& tree : trees) {
      BinaryTree made = binarised(
          tree, [&](int node) { return heads(tree, node); }, labels);
      binary.push_back(options_.direction == Direction::kLeftToRight ? std::move(made) : mirrored(made));
    }
    model_.labels = labels.texts();
    space_ = ShiftReduce(model_.labels);
    replace_rare_chains(labels, binary);
    collect_actions(known, labels, binary);
    for (size_t i = 0; i < binary.size(); ++i)
      for (const auto& [move, label] : ShiftReduce::derivation(binary[i]))
        instances_[i].columns.push_back(model_.actions.column(move, label));
  }

  /// Frequent ones, and those of the model to go on from, which come first among `labels` with all of its chains.
  Vocabulary known_labels(const std::vector<ConstituentTree>& trees, Vocabulary& labels) {
    Vocabulary known;
    if (const ShiftReduceModel* init = options_.init.get()) {
      model_.root = init->root;
      for (const std::string& label : init->labels) {
        labels.add(label);
        if (top_of_chain(label) == label) known.add(label);
      }
    }
    const Vocabulary frequent = frequent_labels(trees, options_.min_labels);
    for (const std::string& label : frequent.texts()) known.add(label);
    for (const std::string& label : known.texts()) labels.add(label);
    return known;
  }

  /// Of a rare chain the uppermost node stays: it decides what can come above.
  void replace_rare_chains(const Vocabulary& labels, std::vector<BinaryTree>& trees) const {
    std::vector<long> counts(static_cast<size_t>(labels.size()), 0);
    if (const ShiftReduceModel* init = options_.init.get())
      for (int column = init->actions.begin(ShiftReduce::kUnary); column < init->actions.end(ShiftReduce::kUnary);
           ++column)
        counts[static_cast<size_t>(init->actions.action(column).label)] = options_.min_chains;
    for (const BinaryTree& tree : trees)
      for (const auto& node : tree.nodes)
        if (node.kind == BinaryTree::kUnary) ++counts[static_cast<size_t>(node.label)];
    for (BinaryTree& tree : trees)
      for (auto& node : tree.nodes)
        if (node.kind == BinaryTree::kUnary && counts[static_cast<size_t>(node.label)] < options_.min_chains)
          node.label = space_.top_label[static_cast<size_t>(node.label)];
  }

  void collect_actions(const Vocabulary& known, const Vocabulary& labels, const std::vector<BinaryTree>& trees) {
    std::map<std::pair<int, int>, long> counts;
    // Every label can begin and end on either side: without that there would be dead ends.
    for (const std::string& label : known.texts())
      for (const int move : {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart})
        counts[{move, labels.find(label)}] = 0;
    if (const ShiftReduceModel* init = options_.init.get())
      for (int column = 0; column < init->actions.columns(); ++column)
        if (const auto& [move, label] = init->actions.action(column); label >= 0) counts[{move, label}] = 0;
    for (const BinaryTree& tree : trees)
      for (const auto& [move, label] : ShiftReduce::derivation(tree))
        if (label >= 0) ++counts[{move, label}];
    std::vector<ActionTable::Count> actions;
    for (const auto& [action, count] : counts) actions.push_back({action.first, action.second, count});
    std::vector<bool> unlabelled(ShiftReduce::kMoves, false);
    unlabelled[ShiftReduce::kShift] = unlabelled[ShiftReduce::kStay] = true;
    const int all = static_cast<int>(actions.size()) + ShiftReduce::kMoves;  // none is folded into another
    model_.actions = ActionTable(ShiftReduce::kMoves, unlabelled, std::move(actions), all, model_.labels);
    model_.beam = options_.parse_beam;
    model_.direction = options_.direction;
    factors_ = ShiftReduce::factors(model_.actions);
  }

  ShiftReduceOptions options_;
  ShiftReduce space_;
  ShiftReduceModel model_;
  ActionFactors factors_;
  std::vector<ShiftReduceInstance> instances_;
  OnlineLinear weights_;  // after everything that `prepare` fills
  BeamUpdate<ShiftReduce, ShiftReduceFeatures> beam_{space_, model_.actions, factors_, options_};
  ShiftReduceSearch<OnlineLinear> search_{model_, weights_};
};

TrainFunction configure_both(const Settings& settings) {
  return [ways = configure_both_ways("direction", settings)](const TrainData& data, const TrainContext& context) {
    const auto [l2r, r2l] = train_both_ways(ways, data, context);
    Trained both{make_two_way_parser(*l2r.parser, *r2l.parser), {{"l2r", l2r.report}, {"r2l", r2l.report}}};
    if (!data.dev.empty()) both.report["dev"] = score_on_dev(*both.parser, data.dev, context.threads).details;
    return both;
  };
}

}  // namespace

TrainFunction configure_shift_reduce(SettingsReader& reader) {
  const ShiftReduceOptions options(reader);
  const Objectives objectives = Objectives::from(reader);
  Objectives::own_select(reader, {"f1"});
  if (options.both_directions) return configure_both(reader.values());
  return [=, settings = reader.values()](const TrainData& data, const TrainContext& context) {
    ShiftReduceLearner learner(options, data.train);
    return train_augmented(learner, objectives, options.runs.all_epochs(), run_identity(settings, data, context.seed),
                           data, context);
  };
}

}  // namespace espalier
