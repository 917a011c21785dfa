// Makes trees (arcs, extra roots, pseudo-projective labels), lists of candidates from a beam, and constrained searches
// for the derivations of a transition system, independently of how steps are scored. It has two users: linear weights
// (transition_search.h) and predicted costs (parser/l2s/l2s_search.h).
// Tested by tests/contract/parser_test.cc.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "espalier/parser/candidate.h"
#include "espalier/parser/given_heads.h"
#include "espalier/parser/transition/transition_parser.h"
#include "espalier/search/beam.h"
#include "espalier/space/constrained.h"
#include "espalier/tree/projectivity.h"

namespace espalier {

/// The latest actions before a state of a beam.
template <class AnyBeam>
struct StepsBefore {
  const AnyBeam& beam;
  int node;

  /// Their columns, the latest first; -1 where there are no more.
  void fill(std::span<int> columns) const {
    int at = node;
    for (int& column : columns) {
      while (beam.node(at).parent >= 0 && beam.node(at).column < 0) at = beam.node(at).parent;
      column = beam.node(at).column;
      if (column >= 0) at = beam.node(at).parent;
    }
  }
};

template <class Space>
class TransitionLists {
 public:
  using Arena = typename Space::Arena;

  /// Keeps a reference; the model's weights are not used.
  explicit TransitionLists(const TransitionModel& model) : model_(model) { space_.single_root = model.single_root; }
  TransitionLists(const TransitionLists&) = delete;

  const Space& space() const { return space_; }
  Arena& arena() { return arena_; }

  /// `begin(sentence)` is called before every search; `rows(state, StepsBefore)` gives the scores of all columns,
  /// `scale` times too large. As TransitionSearch::list.
  template <class Begin, class Rows>
  KBestList list(const Sentence& sentence, bool all_labels, float scale, Begin begin, Rows rows) {
    return list_of(sentence, scale, beam_, begin,
                   [this, all_labels, rows](int words, int width) mutable { search(words, width, all_labels, rows); });
  }
  /// The same for trees with given heads and relations.
  template <class Begin, class Rows>
  KBestList list(const Sentence& sentence, const Constraints& given, bool all_labels, float scale, Begin begin,
                 Rows rows) {
    constrain(given);
    return list_of(sentence, scale, given_->beam, begin, [this, all_labels, rows](int words, int width) mutable {
      given_->beam.all_labels = all_labels;
      run(given_->beam, given_->space, words, width, rows);
    });
  }

  /// The best tree of a beam.
  template <class Rows>
  void search_best(int words, Rows rows) {
    search(words, model_.beam, false, rows);
    rebuild(beam_, beam_.first_survivor());
  }

  /// Building a tree step by step: clears the last one, adds what a step builds, writes the result.
  void clear(int words) {
    tree_.head.assign(words + 1, -1);
    tree_.label.assign(words + 1, -1);
    root_scores_.assign(words + 1, 0);
  }
  void record(const typename Space::State& state, int column, float score) {
    const auto& action = model_.actions.action(column);
    const Arc arc = space_.part(state, arena_, action.move);
    if (arc.dependent == 0) return;
    const auto dependent = static_cast<size_t>(arc.dependent);
    tree_.head[dependent] = arc.head;
    tree_.label[dependent] = action.label;
    if (arc.head == 0) root_scores_[dependent] = score;
  }
  /// Mirrors the tree if the words were read from the right.
  void finish(Analysis& analysis, const Gold* given = nullptr) {
    if (model_.single_root) join_roots(given);
    if (model_.direction == Direction::kRightToLeft) mirror(tree_);
    assign_tree(tree_, model_.labels, analysis);
    if (model_.pseudo_projective) decode_pseudo_projective(analysis);
  }

 private:
  /// The constraints in the order in which words are read.
  struct Given {
    Given(const TransitionLists& lists, const DependencyTree& tree, std::vector<bool> encoded)
        : arcs(tree), encoded(std::move(encoded)), space(lists.space_, lists.model_.actions, arcs, this->encoded) {}
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

  template <class AnyBeam, class Begin, class Run>
  KBestList list_of(const Sentence& sentence, float scale, AnyBeam& beam, Begin begin, Run run) {
    return KBestList(
        [this, &sentence, &beam, scale, begin, run, width = 0, next = 0](int k, std::vector<Candidate>& list) mutable {
          if (k > width) {
            width = std::max(model_.beam, k);
            begin(sentence);
            run(sentence.size(), width);
            next = beam.first_survivor();
            list.clear();
          }
          const int last = beam.first_survivor() + static_cast<int>(beam.survivors().size());
          for (; next < last && static_cast<int>(list.size()) < k; ++next) {
            Candidate candidate;
            candidate.score = beam.node(next).score / scale;
            rebuild(beam, next);
            finish(candidate.analysis, given_of(beam));
            beam.derivation(next, candidate.derivation);
            add_distinct(std::move(candidate), list);
          }
        });
  }

  template <class Rows>
  void search(int words, int width, bool all_labels, Rows& rows) {
    beam_.all_labels = all_labels;
    run(beam_, space_, words, width, rows);
  }
  template <class AnyBeam, class AnySpace, class Rows>
  void run(AnyBeam& beam, const AnySpace& space, int words, int width, Rows& rows) {
    beam.run(space, model_.actions, words, width, arena_, [&](const auto& state, int node) {
      return rows(state, StepsBefore<AnyBeam>{beam, node});
    });
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

  const Gold* given_of(const Beam<Space>&) const { return nullptr; }
  const Gold* given_of(const Beam<Constrained<Space>>&) const { return &given_->arcs; }

  /// Arc-eager may give several words the head 0: the given root, or the word whose root arc scored best (ties: the
  /// leftmost), stays; the others are attached to it with the most frequent label of that direction.
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
  Space space_;
  Arena arena_;
  Beam<Space> beam_;
  std::unique_ptr<Given> given_;
  DependencyTree tree_;
  std::vector<float> root_scores_;
};

}  // namespace espalier
