#include "espalier/learn/shift_reduce/binary_treebank.h"

#include <map>
#include <optional>

#include "espalier/base/error.h"
#include "espalier/tree/constituent_labels.h"
#include "espalier/tree/constituent_preprocess.h"
#include "espalier/tree/head_rules.h"

namespace espalier {
namespace {

/// Finds heads by rules over the labels and tags of a treebank.
class HeadFinder {
 public:
  HeadFinder(const TreebankOptions& options, const std::vector<ConstituentTree>& trees, const Vocabulary& labels)
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

/// The frequent labels, after those of a warm start's model, which come first in `labels` with all its chains.
Vocabulary known_labels(const TreebankOptions& options, const ShiftReduceModel* init,
                        const std::vector<ConstituentTree>& trees, Vocabulary& labels) {
  Vocabulary known;
  if (init) {
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
void replace_rare_chains(const TreebankOptions& options, const ShiftReduceModel* init, const ShiftReduce& space,
                         const Vocabulary& labels, std::vector<BinaryTree>& trees) {
  std::vector<long> counts(labels.size(), 0);
  if (init)
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

ActionTable collect_actions(const ShiftReduceModel* init, const Vocabulary& known, const Vocabulary& labels,
                            const std::vector<BinaryTree>& trees) {
  std::map<std::pair<int, int>, long> counts;
  // Every label can begin and end on either side, or there would be dead ends.
  for (const std::string& label : known.texts())
    for (const int move : {ShiftReduce::kLeft, ShiftReduce::kRight, ShiftReduce::kLeftPart, ShiftReduce::kRightPart})
      counts[{move, labels.find(label)}] = 0;
  if (init)
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

}  // namespace

TreebankOptions TreebankOptions::from(SettingsReader& s) {
  TreebankOptions read;
  read.max_length = s.integer("max_length", 0, 0, 1000000, "use only sentences of at most so many words; 0 = all");
  read.min_labels = s.integer("min_label_count", 3, 1, 1000000, "rarer labels are cut out of the trees");
  read.min_chains = s.integer("min_chain_count", 3, 1, 1000000, "rarer chains of unary nodes lose their lower nodes");
  read.head_rules_origin = s.text("head_rules", "english", "english, generic or a file of head rules");
  read.head_rules = head_rules_text(read.head_rules_origin);
  return read;
}

BinaryTreebank read_binary_treebank(const TreebankOptions& options, Direction direction,
                                    const std::vector<Sentence>& treebank, const ShiftReduceModel* init) {
  BinaryTreebank read;
  std::vector<ConstituentTree> trees;
  for (const Sentence& sentence : treebank) {
    if (options.max_length && sentence.size() > options.max_length) continue;
    const std::vector<int> words = words_to_parse(sentence);
    if (words.empty() || sentence.constituents.empty()) continue;
    if (trees.empty()) read.root = plain_label(sentence.constituents.nodes[0].label);
    trees.push_back(simplified(sentence, words));
    read.sentences.push_back(&sentence);
  }
  if (trees.empty()) throw Error(ErrorKind::kData, "there is no sentence with a phrase-structure tree to train on");
  if (init) read.root = init->root;

  Vocabulary labels;  // and chains of them
  const Vocabulary known = known_labels(options, init, trees, labels);
  for (ConstituentTree& tree : trees) tree = with_known_labels(tree, known);
  const HeadFinder heads(options, trees, known);
  for (const ConstituentTree& tree : trees) {
    BinaryTree made = binarised(
        tree, [&](int node) { return heads(tree, node); }, labels);
    read.trees.push_back(direction == Direction::kLeftToRight ? std::move(made) : mirrored(made));
  }
  read.labels = labels.texts();
  replace_rare_chains(options, init, ShiftReduce(read.labels), labels, read.trees);
  read.actions = collect_actions(init, known, labels, read.trees);
  return read;
}

}  // namespace espalier
