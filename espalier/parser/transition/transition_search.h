// Everything that one thread needs to parse with a transition model and any weights: those of a trained model (Linear)
// or of one that is still learning (OnlineLinear), whose lists augmented-loss training ranks. What becomes of a
// finished derivation (arcs, extra roots, pseudo-projective labels) is decided here, for parser and trainer alike; a
// candidate's `derivation` are the columns of its actions, from which a learner takes its update:
//
//   TransitionSearch<Space, OnlineLinear> search(model, weights, templates);   // the first two must stay
//   KBestList list = search.list(sentence);         // by the current weights; do not update them while it is extended
//   for (const Candidate& c : list.best(8)) ...     // c.analysis for the loss, c.derivation for the update
//
// Tested by tests/contract/parser_test.cc and learn/transition/transition_trainer_test.cc.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "espalier/parser/given_heads.h"
#include "espalier/parser/sequential/derivation_features.h"
#include "espalier/parser/sequential/state_scorer.h"
#include "espalier/parser/transition/stack_templates.h"
#include "espalier/parser/transition/transition_parser.h"
#include "espalier/parser/transition/transition_trace.h"
#include "espalier/search/beam.h"
#include "espalier/search/greedy.h"
#include "espalier/space/constrained.h"
#include "espalier/tree/projectivity.h"

namespace espalier {

template <class Space, class Weights>
class TransitionSearch {
 public:
  /// Keeps references. The model's own weights are not looked at.
  TransitionSearch(const TransitionModel& model, const Weights& weights, const StackTemplates& templates)
      : model_(model), weights_(weights), templates_(templates), scorer_(templates) {
    space_.single_root = model.single_root;
  }
  TransitionSearch(const TransitionSearch&) = delete;

  void parse(Sentence& sentence) {
    begin(sentence);
    if (model_.beam == 1) {
      const auto rows = [&](const auto& state) { return scorer_.row(state, arena_); };
      greedy_search(space_, model_.actions, sentence.size(), arena_, rows,
                    [&](const auto& state, int column, float score) { record(state, column, score); });
    } else {
      search(sentence.size(), model_.beam);
      rebuild(beam_, beam_.first_survivor());
    }
    finish(analysis_);
    annotate(sentence, analysis_);
  }

  /// The sentence must stay while the list is used, and this search be used for nothing else. `all_labels` compete, not
  /// only the best one of each move.
  KBestList list(const Sentence& sentence, bool all_labels = false) {
    return list_of(sentence, all_labels, beam_,
                   [this](int words, int width, bool labels) { search(words, width, labels); });
  }

  /// The same for trees that have what is given (space/constrained.h). Crossing arcs that a projective system cannot
  /// build, and with SWAP a search that ends nowhere, may leave the list short, or without some of the heads.
  KBestList list(const Sentence& sentence, const Constraints& given, bool all_labels = false) {
    constrain(given);
    return list_of(sentence, all_labels, given_->beam, [this](int words, int width, bool labels) {
      given_->beam.all_labels = labels;
      given_->beam.run(given_->space, model_.actions, words, width, arena_,
                       [&](const auto& state, int) { return scorer_.remembered_row(state, arena_); });
    });
  }

  std::vector<FeatureVector> features(const Sentence& sentence, std::span<const Candidate> candidates,
                                      bool with_weights) {
    if (!features_) {
      factors_ = std::make_unique<ActionFactors>(model_.actions);
      features_ = std::make_unique<DerivationFeatures<Space, StackTemplates>>(
          space_, model_.actions, *factors_, model_.labels, model_.direction, templates_);
    }
    atoms_.encode(sentence, model_.columns, model_.direction);
    std::vector<FeatureVector> all;
    for (const Candidate& candidate : candidates)
      all.push_back(features_->of(candidate.derivation, atoms_, with_weights ? &weights_ : nullptr));
    return all;
  }

  std::vector<NamedFeature> feature_names(const Sentence& sentence, const Candidate& candidate) {
    features(sentence, {}, false);
    AtomTexts texts{{}, model_.labels};
    for (const Token& token : sentence.tokens) texts.words.push_back(&token);
    if (model_.direction == Direction::kRightToLeft) std::ranges::reverse(texts.words);
    return features_->names(candidate.derivation, atoms_, texts, move_name<Space>);
  }

  /// How a candidate of this search was built.
  Trace trace(const Sentence& sentence, const Candidate& candidate) {
    begin(sentence);
    return TransitionTrace(space_, model_.actions, std::span(model_.labels), model_.direction, arena_)
        .of(
            candidate.derivation, sentence.size(), [&](const auto& state) { return scorer_.row(state, arena_); },
            weights_.scale());
  }

 private:
  /// What is given, as the space sees it: in the order in which words are read.
  struct Given {
    Given(const TransitionSearch& search, const DependencyTree& tree, std::vector<bool> encoded)
        : arcs(tree), encoded(std::move(encoded)), space(search.space_, search.model_.actions, arcs, this->encoded) {}
    Gold arcs;
    std::vector<bool> encoded;  // labels that lift a word
    Constrained<Space> space;
    Beam<Constrained<Space>> beam;
  };

  void constrain(const Constraints& given) {
    const size_t words = std::max(given.heads.size(), given.deprels.size());
    DependencyTree tree(static_cast<int>(words) - 1);
    if (!given.heads.empty())
      tree.head = Space::kNonProjective ? given.heads
                                        : projective_part(given.heads, space_.single_root ? Roots::kOne : Roots::kAny);
    std::vector<bool> encoded;
    for (const std::string& label : model_.labels) encoded.push_back(is_pseudo_projective(label));
    for (size_t i = 1; i < words; ++i) {
      const std::string& label = Constraints::text(given.deprels, static_cast<int>(i));
      const auto named = std::ranges::find(model_.labels, label);
      if (label != "_" && named != model_.labels.end())
        tree.label[i] = static_cast<int>(named - model_.labels.begin());
      else
        tree.label[i] = tree.head[i] < 0 ? Constrained<Space>::kAnyLabel : Constrained<Space>::kPlainLabel;
    }
    if (model_.direction == Direction::kRightToLeft) mirror(tree);
    given_ = std::make_unique<Given>(*this, tree, std::move(encoded));
  }

  template <class AnyBeam, class Run>
  KBestList list_of(const Sentence& sentence, bool all_labels, AnyBeam& beam, Run run) {
    return KBestList(
        [this, &sentence, &beam, all_labels, run, width = 0, next = 0](int k, std::vector<Candidate>& list) mutable {
          if (k > width) {
            width = std::max(model_.beam, k);
            begin(sentence);
            run(sentence.size(), width, all_labels);
            next = beam.first_survivor();
            list.clear();
          }
          const int last = beam.first_survivor() + static_cast<int>(beam.survivors().size());
          for (; next < last && static_cast<int>(list.size()) < k; ++next) {
            Candidate candidate;
            candidate.score = beam.node(next).score / weights_.scale();
            rebuild(beam, next);
            finish(candidate.analysis, given_of(beam));
            beam.derivation(next, candidate.derivation);
            add_distinct(std::move(candidate), list);
          }
        });
  }

  void begin(const Sentence& sentence) {
    atoms_.encode(sentence, model_.columns, model_.direction);
    scorer_.reset(weights_, atoms_);
    clear(sentence.size());
  }
  void clear(int words) {
    tree_.head.assign(static_cast<size_t>(words) + 1, -1);
    tree_.label.assign(static_cast<size_t>(words) + 1, -1);
    root_scores_.assign(static_cast<size_t>(words) + 1, 0);
  }

  void search(int words, int width, bool all_labels = false) {
    beam_.all_labels = all_labels;
    beam_.run(space_, model_.actions, words, width, arena_,
              [&](const auto& state, int) { return scorer_.remembered_row(state, arena_); });
  }

  /// Notes what a step builds.
  void record(const typename Space::State& state, int column, float score) {
    const auto& action = model_.actions.action(column);
    const Arc arc = space_.part(state, arena_, action.move);
    if (arc.dependent == 0) return;
    const auto dependent = static_cast<size_t>(arc.dependent);
    tree_.head[dependent] = arc.head;
    tree_.label[dependent] = action.label;
    if (arc.head == 0) root_scores_[dependent] = score;
  }

  /// The tree of a node of the beam.
  template <class AnyBeam>
  void rebuild(const AnyBeam& beam, int node) {
    clear(tree_.size());
    for (int i = node; beam.node(i).parent >= 0; i = beam.node(i).parent) {
      const auto& taken = beam.node(i);
      if (taken.column < 0) continue;
      const auto& before = beam.node(taken.parent);
      record(before.state, taken.column, static_cast<float>(taken.score - before.score));
    }
  }

  /// The tree as it is written; the tree itself is turned round if the words were.
  void finish(Analysis& analysis, const Gold* given = nullptr) {
    if (model_.single_root) join_roots(given);
    if (model_.direction == Direction::kRightToLeft) mirror(tree_);
    assign_tree(tree_, model_.labels, analysis);
    if (model_.pseudo_projective) decode_pseudo_projective(analysis);
  }

  const Gold* given_of(const Beam<Space>&) const { return nullptr; }
  const Gold* given_of(const Beam<Constrained<Space>>&) const { return &given_->arcs; }

  /// Arc-eager may leave several words under the root: the given one, or the one whose root arc scored best (ties: the
  /// leftmost) stays, the others go under it with the most frequent label of that direction.
  void join_roots(const Gold* given) {
    size_t best = 0;
    for (size_t i = 1; i < tree_.head.size(); ++i)
      if (tree_.head[i] == 0 && (best == 0 || root_scores_[i] > root_scores_[best])) best = i;
    for (size_t i = 1; given && i < tree_.head.size(); ++i)
      if (given->head[i] == 0) best = i;
    for (size_t i = 1; i < tree_.head.size(); ++i) {
      if (tree_.head[i] != 0 || i == best) continue;
      tree_.head[i] = static_cast<int>(best);
      tree_.label[i] = model_.actions.action(model_.actions.begin(i < best ? Space::kLeft : Space::kRight)).label;
    }
  }

  const TransitionModel& model_;
  const Weights& weights_;
  StackTemplates templates_;
  Space space_;
  SentenceAtoms atoms_;
  typename Space::Arena arena_;
  StateScorer<StackTemplates, Weights> scorer_;
  Beam<Space> beam_;
  std::unique_ptr<Given> given_;
  DependencyTree tree_;
  std::vector<float> root_scores_;
  Analysis analysis_;
  // Made when they are first asked for.
  std::unique_ptr<ActionFactors> factors_;
  std::unique_ptr<DerivationFeatures<Space, StackTemplates>> features_;
};

}  // namespace espalier
