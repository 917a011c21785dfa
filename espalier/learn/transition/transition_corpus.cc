#include "espalier/learn/transition/transition_corpus.h"

#include <algorithm>

#include "espalier/learn/root_rule.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/projectivity.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {
namespace {

using Crossing = TransitionOptions::Crossing;

/// Counts the arcs of a partial tree, which has no derivation yet.
void count_given_arcs(const Sentence& sentence, Direction direction, Vocabulary& labels, TransitionTrees& trees) {
  for (int i = 1; i <= sentence.size(); ++i) {
    const Token& token = sentence.word(i);
    if (token.head == Token::kNoHead || token.deprel == "_") continue;
    const bool after = (token.head > i) == (direction == Direction::kLeftToRight);
    const auto side = token.head == 0 ? TransitionTrees::kFromRoot
                      : after         ? TransitionTrees::kFromRight
                                      : TransitionTrees::kFromLeft;
    ++trees.given_arcs[{side, labels.add(token.deprel)}];
  }
}

DependencyTree labelled_tree(const Sentence& sentence, Vocabulary& labels) {
  DependencyTree tree(sentence.size());
  for (int i = 1; i <= sentence.size(); ++i) {
    tree.head[i] = sentence.word(i).head;
    tree.label[i] = labels.add(sentence.word(i).deprel);
  }
  return tree;
}

}  // namespace

TransitionTrees read_transition_trees(const TransitionOptions& options, bool crossing,
                                      const std::vector<Sentence>& treebank, const TrainContext& context) {
  const TransitionModel* init = options.init.get();
  TransitionTrees trees;
  TransitionModel& model = trees.model;
  model.system = options.system;
  model.features = options.features;
  model.beam = options.beam;
  model.direction = options.direction;
  model.clusters = options.clusters;
  model.columns = init ? init->columns : AtomColumns::of(treebank);
  model.pseudo_projective = init ? init->pseudo_projective : options.projectivity == Crossing::kPseudo && !crossing;
  model.single_root =
      init && options.root == RootRule::kAuto ? init->single_root : has_single_roots(options.root, treebank);

  Vocabulary labels;
  if (init)  // numbered as there: features know labels by their numbers
    for (const std::string& label : init->labels) labels.add(label);
  size_t not_trees = 0, too_crossed = 0;
  for (const Sentence& original : treebank) {
    if (original.size() == 0) continue;
    if (is_partial(original)) {
      count_given_arcs(original, options.direction, labels, trees);
      continue;
    }
    if (!tree_problem(original, nullptr, model.single_root ? Roots::kOne : Roots::kAny).empty()) {
      ++not_trees;
      continue;
    }
    Sentence sentence = original;
    if (model.pseudo_projective) encode_pseudo_projective(sentence);
    DependencyTree tree = labelled_tree(sentence, labels);
    if (!crossing && !is_projective(tree.head)) {
      if (options.projectivity == Crossing::kNone) {
        ++too_crossed;
        continue;
      }
      projectivise(tree.head);
    }
    std::vector<ArcPrice> prices;
    if (options.loss) prices = options.loss->prices_in_words(sentence, tree.head);
    if (options.direction == Direction::kRightToLeft) {
      mirror(tree);
      if (!prices.empty()) std::reverse(prices.begin() + 1, prices.end());
    }
    trees.instances.push_back({{}, Gold(tree), std::move(prices), {}});
    trees.instances.back().atoms.encode(sentence, model.columns, options.direction, model.clusters.get());
  }
  note_left_out(context, not_trees, why_no_tree(model.single_root));
  note_left_out(context, too_crossed, "they have crossing arcs (projectivity=none)");
  if (trees.instances.empty() && trees.given_arcs.empty())
    throw Error(ErrorKind::kData, "there is no sentence to learn from");
  model.labels = labels.texts();
  return trees;
}

}  // namespace espalier
