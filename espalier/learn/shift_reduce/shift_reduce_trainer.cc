#include "espalier/learn/shift_reduce/shift_reduce_trainer.h"

#include <map>

#include "espalier/base/error.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/identity.h"
#include "espalier/learn/objective/augmented.h"
#include "espalier/learn/sequential/beam_learner.h"
#include "espalier/learn/stage.h"
#include "espalier/learn/trained.h"
#include "espalier/learn/warm_start.h"
#include "espalier/parser/shift_reduce/shift_reduce_parser.h"
#include "espalier/parser/shift_reduce/shift_reduce_search.h"
#include "espalier/parser/shift_reduce/shift_reduce_templates.h"
#include "espalier/space/shift_reduce.h"
#include "espalier/tree/binarise.h"
#include "espalier/tree/constituent_labels.h"
#include "espalier/tree/constituent_preprocess.h"
#include "espalier/tree/head_rules.h"

namespace espalier {
namespace {

struct ShiftReduceOptions : SequentialOptions {
  int parse_beam;
  int max_length, min_labels, min_chains;
  bool both_directions;
  Direction direction;
  std::string head_rules, head_rules_origin;
  std::shared_ptr<const ShiftReduceModel> init;  // warm start; null: weights begin with 0

  explicit ShiftReduceOptions(SettingsReader& s) {
    beam = s.integer("beam", 8, 1, 4096, "states kept per step while training");
    parse_beam = s.integer("parse_beam", beam, 1, 4096, "states kept per step while parsing");
    runs = Runs::from(s, 10);
    refit = Refit::from(s, runs.all_epochs());
    update = s.choice("update", BeamUpdateAt::kMaxViolation, beam_updates(), "which prefix a beam update corrects");
    learner = s.choice("learner", StepRule::kPassiveAggressive, step_rules(),
                       "averaged perceptron, or passive-aggressive steps");
    aggressiveness = s.real<float>("aggressiveness", 0.01, 1e-6, 1e6, "largest passive-aggressive step (C)");
    margin = s.real<float>("margin", passive_aggressive() ? 1 : 25, 0, 1e6, "how far the right action must be ahead");
    least_updates = s.integer("min_updates", 1, 1, 1000000, "features updated less often are dropped");
    drop =
        s.real<float>("drop", 0.5, 0, 0.99, "share of the remaining features that is dropped, smallest weights first");
    patient = s.flag("patient", true, "delayed allocation: features get weights at their second update");
    max_length = s.integer("max_length", 0, 0, 1000000, "use only sentences of at most so many words; 0 = all");
    min_labels = s.integer("min_label_count", 3, 1, 1000000, "rarer labels are cut out of the trees");
    min_chains = s.integer("min_chain_count", 3, 1, 1000000, "rarer chains of unary nodes lose their lower nodes");
    const std::string ends = s.choice("direction", "both", {"both", "l2r", "r2l"}, "from which end sentences are read");
    both_directions = ends == "both";
    direction = both_directions ? Direction::kLeftToRight : direction_named(ends);
    head_rules_origin = s.text("head_rules", "english", "english, generic or a file of head rules");
    head_rules = head_rules_text(head_rules_origin);
    if (const std::string file = init_file(s); !file.empty() && !both_directions)
      init = warm_start_model(file, "shift-reduce (direction " + ends + ")",
                              [&](const Parser& parser) { return shift_reduce_model(parser, direction); });
  }
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
    const auto& parent = tree.nodes[node];
    for (const int child : parent.children) children.push_back(symbols_.find(symbol(tree.nodes[child])));
    return rules_->head(labels_.find(parent.label), children);
  }

 private:
  /// Tags and labels may have the same text.
  static std::string symbol(const ConstituentTree::Node& node) { return (node.is_leaf() ? "/" : "=") + node.label; }

  const Vocabulary& labels_;
  Vocabulary symbols_;
  std::optional<HeadRules> rules_;
};

struct ShiftReduceInstance {
  ConstituentAtoms atoms;
  std::vector<int32_t> columns;  // the gold derivation

  ArcCosts costs() const { return {}; }
};

/// The training data in numbers, and the model without its weights.
struct ShiftReduceCorpus {
  ShiftReduce space;
  ShiftReduceModel model;
  std::vector<ShiftReduceInstance> instances;
};

/// The frequent labels, after those of a warm start's model, which come first in `labels` with all its chains.
Vocabulary known_labels(const ShiftReduceOptions& options, const std::vector<ConstituentTree>& trees,
                        Vocabulary& labels) {
  Vocabulary known;
  if (const ShiftReduceModel* init = options.init.get()) {
    for (const std::string& label : init->labels) {
      labels.add(label);
      if (top_of_chain(label) == label) known.add(label);
    }
  }
  const Vocabulary frequent = frequent_labels(trees, options.min_labels);
  for (const std::string& label : frequent.texts()) known.add(label);
  for (const std::string& label : known.texts()) labels.add(label);
  return known;
}

/// Replaces rare chains by their uppermost node, which decides what can come above.
void replace_rare_chains(const ShiftReduceOptions& options, const ShiftReduce& space, const Vocabulary& labels,
                         std::vector<BinaryTree>& trees) {
  std::vector<long> counts(labels.size(), 0);
  if (const ShiftReduceModel* init = options.init.get())
    for (int column = init->actions.begin(ShiftReduce::kUnary); column < init->actions.end(ShiftReduce::kUnary);
         ++column)
      counts[init->actions.action(column).label] = options.min_chains;
  for (const BinaryTree& tree : trees)
    for (const auto& node : tree.nodes)
      if (node.kind == BinaryTree::kUnary) ++counts[node.label];
  for (BinaryTree& tree : trees)
    for (auto& node : tree.nodes)
      if (node.kind == BinaryTree::kUnary && counts[node.label] < options.min_chains)
        node.label = space.top_label[node.label];
}

ActionTable collect_actions(const ShiftReduceOptions& options, const Vocabulary& known, const Vocabulary& labels,
                            const std::vector<BinaryTree>& trees) {
  std::map<std::pair<int, int>, long> counts;
  // Every label can begin and end on either side, or there would be dead ends.
  for (const std::string& label : known.texts())
    for (const int move : {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart})
      counts[{move, labels.find(label)}] = 0;
  if (const ShiftReduceModel* init = options.init.get())
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
  return ActionTable(ShiftReduce::kMoves, unlabelled, std::move(actions), all, labels.texts());
}

ShiftReduceCorpus read_shift_reduce_corpus(const ShiftReduceOptions& options, const std::vector<Sentence>& treebank) {
  ShiftReduceCorpus corpus;
  ShiftReduceModel& model = corpus.model;
  model.beam = options.parse_beam;
  model.direction = options.direction;
  std::vector<ConstituentTree> trees;
  for (const Sentence& sentence : treebank) {
    if (options.max_length && sentence.size() > options.max_length) continue;
    const std::vector<int> words = words_to_parse(sentence);
    if (words.empty() || sentence.constituents.empty()) continue;
    if (trees.empty()) model.root = plain_label(sentence.constituents.nodes[0].label);
    trees.push_back(simplified(sentence, words));
    corpus.instances.emplace_back().atoms.encode(sentence, words, options.direction);
  }
  if (trees.empty()) throw Error(ErrorKind::kData, "there is no sentence with a phrase-structure tree to train on");
  if (options.init) model.root = options.init->root;

  Vocabulary labels;  // and chains of them
  const Vocabulary known = known_labels(options, trees, labels);
  for (ConstituentTree& tree : trees) tree = with_known_labels(tree, known);
  const HeadFinder heads(options, trees, known);
  std::vector<BinaryTree> binary;
  for (const ConstituentTree& tree : trees) {
    BinaryTree made = binarised(
        tree, [&](int node) { return heads(tree, node); }, labels);
    binary.push_back(options.direction == Direction::kLeftToRight ? std::move(made) : mirrored(made));
  }
  model.labels = labels.texts();
  corpus.space = ShiftReduce(model.labels);
  replace_rare_chains(options, corpus.space, labels, binary);
  model.actions = collect_actions(options, known, labels, binary);
  for (size_t i = 0; i < binary.size(); ++i)
    for (const auto& [move, label] : ShiftReduce::derivation(binary[i]))
      corpus.instances[i].columns.push_back(model.actions.column(move, label));
  return corpus;
}

/// The Family for BeamLearner.
struct ShiftReduceFamily {
  using Space = ShiftReduce;
  using Templates = ShiftReduceFeatures;
  using Model = ShiftReduceModel;
  using Options = ShiftReduceOptions;
  using Corpus = ShiftReduceCorpus;

  static Templates templates(const Model&) { return {}; }
  static ActionFactors factors(const ActionTable& actions) { return ShiftReduce::factors(actions); }
  struct Search : ShiftReduceSearch<OnlineLinear> {
    using ShiftReduceSearch::ShiftReduceSearch;
    KBestList list(const Sentence& sentence, bool /*labels*/) { return ShiftReduceSearch::list(sentence); }
  };

  static ConstituentAtoms encode(const Sentence& sentence, const Model& model) {
    ConstituentAtoms atoms;
    atoms.encode(sentence, words_to_parse(sentence), model.direction);
    return atoms;
  }
  static std::unique_ptr<Parser> make_parser(Model model) { return make_shift_reduce_parser(std::move(model)); }
  static DevScore score(const Options&, const Parser& frozen, const std::vector<Sentence>& dev, int threads) {
    return score_on_dev(frozen, dev, threads);
  }
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
    BeamLearner<ShiftReduceFamily> learner(options, read_shift_reduce_corpus(options, data.train));
    return train_augmented(learner, objectives, options.runs.all_epochs(), run_identity(settings, data, context.seed),
                           data, context);
  };
}

}  // namespace espalier
