// Learns a transition parser, greedily (with exploration, where the system has a dynamic oracle) or by beam search. A
// template over the system; learn_arc_eager.cc and the like instantiate it, a file for each system,
// since compiling takes long. Tested by transition_trainer_test.cc.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "espalier/base/rng.h"
#include "espalier/learn/folded_labels.h"
#include "espalier/learn/list_score.h"
#include "espalier/learn/passive_aggressive.h"
#include "espalier/learn/transition/make_learner.h"
#include "espalier/learn/update/beam_update.h"
#include "espalier/parser/transition/transition_parser.h"
#include "espalier/parser/transition/transition_search.h"
#include "espalier/scorer/state_scorer.h"
#include "espalier/tree/constraints.h"
#include "espalier/tree/projectivity.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

/// A training sentence in numbers.
struct TransitionInstance {
  SentenceAtoms atoms;
  Gold gold;
  std::vector<ArcPrice> prices;  // of wrong arcs, for the beam's margin
  std::vector<int32_t> columns;  // the gold derivation
};

template <class Space>
class TransitionLearner final : public RankingLearner {
 public:
  TransitionLearner(TransitionOptions options, const std::vector<Sentence>& treebank, const TrainContext& context)
      : options_(std::move(options)), seed_(context.seed), weights_(prepare(treebank, context)) {}

  size_t size() const override { return instances_.size(); }
  void begin_epoch(int epoch) override {
    if (options_.runs.begins_anew(epoch)) weights_.begin_anew();
  }

  bool can_give_up() const override { return options_.beam > 1; }  // a beam is searched before anything is changed
  size_t learn(std::span<const size_t> batch, int epoch) override {
    const size_t i = batch.front();
    const Instance& instance = instances_[i];
    const bool changed =
        options_.beam > 1 ? beam_.learn(instance.atoms, instance.columns, weights_, {&instance.gold, instance.prices})
                          : learn_greedily(instance, i, epoch);
    weights_.tick();
    return changed;
  }

  std::unique_ptr<Parser> freeze() const override {
    TransitionModel model = model_;
    model.weights = weights_.freeze({.least_updates = options_.least_updates,
                                     .most_rows = 0,
                                     .drop = options_.drop,
                                     .most_features = templates_.count()});
    return make_transition_parser(std::move(model));
  }
  DevScore score(const Parser& frozen, const std::vector<Sentence>& dev, int threads) override {
    return options_.select_lists ? score_lists(frozen, dev, options_.beam, threads)
                                 : score_on_dev(frozen, dev, threads);
  }
  void archive(Archive& archive) override { weights_.archive(archive); }

  KBestList list(const Sentence& sentence, bool labels) override { return search_.list(sentence, labels); }
  bool can_constrain() const override { return true; }
  std::vector<Candidate> best_given(const Sentence& sentence, const Constraints& given) override {
    return search_.list(sentence, given).take(1);
  }
  bool prefer(const Sentence& sentence, const Candidate& better, const Candidate& worse, double margin,
              bool own_step) override {
    SentenceAtoms atoms;
    atoms.encode(sentence, model_.columns, options_.direction);
    return beam_.prefer(atoms, better.derivation, worse.derivation, worse.score - better.score, margin, own_step,
                        weights_);
  }
  void tick() override { weights_.tick(); }

 private:
  using Instance = TransitionInstance;
  using Options = TransitionOptions;

  /// Reads the treebank: labels, actions, gold derivations. Returns weights of the right width.
  OnlineLinear prepare(const std::vector<Sentence>& treebank, const TrainContext& context) {
    model_.system = options_.system;
    model_.features = options_.features;
    model_.beam = options_.beam;
    model_.direction = options_.direction;
    const TransitionModel* init = options_.init.get();
    model_.columns = init ? init->columns : AtomColumns::of(treebank);
    model_.pseudo_projective =
        init ? init->pseudo_projective : options_.projectivity == Options::Crossing::kPseudo && !Space::kNonProjective;
    size_t rooted_twice = 0;
    for (const Sentence& sentence : treebank) rooted_twice += std::ranges::count(sentence.tokens, 0, &Token::head) > 1;
    model_.single_root = options_.root == Options::RootRule::kSingle;
    if (options_.root == Options::RootRule::kAuto)
      model_.single_root = init ? init->single_root : rooted_twice * 100 < treebank.size();
    space_.single_root = model_.single_root;
    if constexpr (requires { space_.late_left; }) space_.late_left = options_.oracle == Options::Oracle::kLate;
    if constexpr (requires { space_.reduce_early; }) space_.reduce_early = options_.oracle == Options::Oracle::kEager;

    Vocabulary labels;
    if (init)  // numbered as there: features know labels by their numbers
      for (const std::string& label : init->labels) labels.add(label);
    size_t not_trees = 0, crossing = 0;
    const Roots roots = model_.single_root ? Roots::kOne : Roots::kAny;
    for (const Sentence& original : treebank) {
      if (original.size() == 0) continue;
      if (is_partial(original)) {
        count_given_arcs(original, labels);
        continue;
      }
      if (!tree_problem(original, nullptr, roots).empty()) {
        ++not_trees;
        continue;
      }
      Sentence sentence = original;
      if (model_.pseudo_projective) encode_pseudo_projective(sentence);
      DependencyTree tree(sentence.size());
      for (int i = 1; i <= sentence.size(); ++i) {
        tree.head[static_cast<size_t>(i)] = sentence.word(i).head;
        tree.label[static_cast<size_t>(i)] = labels.add(sentence.word(i).deprel);
      }
      if (!Space::kNonProjective && !is_projective(tree.head)) {
        if (options_.projectivity == Options::Crossing::kNone) {
          ++crossing;
          continue;
        }
        projectivise(tree.head);
      }
      std::vector<ArcPrice> prices;
      if (options_.loss) prices = options_.loss->prices_in_words(sentence, tree.head);
      if (options_.direction == Direction::kRightToLeft) {
        mirror(tree);
        if (!prices.empty()) std::reverse(prices.begin() + 1, prices.end());
      }
      instances_.push_back({{}, Gold(tree), std::move(prices), {}});
      instances_.back().atoms.encode(sentence, model_.columns, options_.direction);
    }
    note_left_out(context, not_trees,
                  model_.single_root ? "not trees with one root (root=multiple allows several)" : "not trees");
    note_left_out(context, crossing, "they have crossing arcs (projectivity=none)");
    if (instances_.empty() && given_arcs_.empty()) throw Error(ErrorKind::kData, "there is no sentence to learn from");

    model_.labels = labels.texts();
    collect_actions(context);
    for (Instance& instance : instances_) {
      for_each_gold_step(instance.gold, [&](int move, int label) {
        instance.columns.push_back(model_.actions.column(move, label));
        return model_.actions.action(instance.columns.back()).label;
      });
    }
    OnlineLinear weights(model_.actions.columns(), options_.patient);
    if (init) weights.start_from(init->weights, columns_of_actions(model_.actions, init->actions));
    return weights;
  }

  /// Of a partial tree, which has no derivation yet.
  void count_given_arcs(const Sentence& sentence, Vocabulary& labels) {
    for (int i = 1; i <= sentence.size(); ++i) {
      const Token& token = sentence.word(i);
      if (token.head == Token::kNoHead || token.deprel == "_") continue;
      const bool left = (token.head > i) == (options_.direction == Direction::kLeftToRight);
      ++given_arcs_[{token.head == 0 ? Space::kRoot : left ? Space::kLeft : Space::kRight, labels.add(token.deprel)}];
    }
  }

  /// What the oracle's derivations do: only it knows by which of a system's moves an arc is built.
  void collect_actions(const TrainContext& context) {
    std::map<std::pair<int, int>, long> counts = given_arcs_;
    for (const Instance& instance : instances_) {
      for_each_gold_step(instance.gold, [&](int move, int label) {
        if (label >= 0) ++counts[{move, label}];
        return label;
      });
    }
    int columns = options_.columns;
    if (const TransitionModel* init =
            options_.init.get()) {  // what it can do stays possible, and nothing new is folded
      for (int column = 0; column < init->actions.columns(); ++column) {
        const auto& [move, label] = init->actions.action(column);
        if (label >= 0) ++counts[{move, label}];
      }
      columns = std::max(columns, static_cast<int>(counts.size()) + Space::kMoves);
    }
    std::vector<ActionTable::Count> actions;
    for (const auto& [action, count] : counts) actions.push_back({action.first, action.second, count});
    std::vector<bool> unlabelled(static_cast<size_t>(Space::kMoves));
    for (int move = 0; move < Space::kMoves; ++move) unlabelled[static_cast<size_t>(move)] = !Space::builds_arc(move);
    model_.actions = ActionTable(Space::kMoves, unlabelled, actions, columns, model_.labels);
    note_folded(context, model_.actions, actions, "relations");
  }

  /// Walks along the oracle's derivation; `use(move, gold label or -1)` says which label is taken.
  template <class Use>
  void for_each_gold_step(const Gold& gold, Use&& use) {
    auto state = space_.initial(arena_, gold.size());
    while (!space_.is_final(state, arena_)) {
      const int move = space_.oracle(state, arena_, gold);
      const Arc arc = space_.part(state, arena_, move);
      const int label = use(move, arc.dependent ? gold.label[static_cast<size_t>(arc.dependent)] : -1);
      space_.apply(state, arena_, move, label);
    }
  }

  int gold_column(const Gold& gold, Arc arc, int move) const {
    return model_.actions.column(move, arc.dependent ? gold.label[static_cast<size_t>(arc.dependent)] : -1);
  }
  void take(typename Space::State& state, typename Space::Arena& arena, int column) const {
    const auto& action = model_.actions.action(column);
    space_.apply(state, arena, action.move, action.label);
  }

  // ---- greedy ----

  /// The best column among those that keep the best reachable tree in reach, and the best of the others (-1: none).
  struct Choice {
    int right = -1, wrong = -1;
  };
  Choice choose(const typename Space::State& state, MoveSet legal, const float* row, const Instance& instance,
                size_t step) const {
    const ActionTable& actions = model_.actions;
    Choice choice;
    auto offer = [&](int& best, int column) {
      if (best < 0 || row[column] > row[best]) best = column;
    };
    for (; legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      const Arc arc = space_.part(state, arena_, move);
      bool free;
      int only = -1;  // the one right label, if it matters
      if constexpr (DynamicOracle<Space>) {
        free = space_.cost(state, arena_, instance.gold, move) == 0;
        // The label is free when the head is lost already: every tree in reach has that word wrong.
        if (arc.dependent && instance.gold.head[static_cast<size_t>(arc.dependent)] == arc.head)
          only = gold_column(instance.gold, arc, move);
      } else {
        only = instance.columns[step];
        free = actions.action(only).move == move;
      }
      for (int c = actions.begin(move); c < actions.end(move); ++c)
        offer(free && (only < 0 || c == only) ? choice.right : choice.wrong, c);
    }
    return choice;
  }

  bool learn_greedily(const Instance& instance, size_t index, int epoch) {
    const ActionTable& actions = model_.actions;
    Rng coin(seed_ + static_cast<uint64_t>(epoch) * 0x100000001u + index, "explore");
    const bool explore = DynamicOracle<Space> && options_.runs.epoch_of_run(epoch) >= options_.explore_from;
    bool changed = false;
    scorer_.reset(weights_, instance.atoms);
    auto state = space_.initial(arena_, instance.gold.size());
    for (size_t step = 0; !space_.is_final(state, arena_); ++step) {
      const MoveSet legal = space_.legal(state, arena_);
      int next = forced_column(legal, actions);
      if (next < 0) {
        const float* row = scorer_.row(state, arena_);
        const Choice choice = choose(state, legal, row, instance, step);
        next = choice.right;
        if (choice.wrong >= 0) {
          const float lead = row[choice.right] - row[choice.wrong];
          const bool mistaken = lead < 0 || (lead == 0 && choice.wrong < choice.right);
          if (explore && mistaken && (options_.explore >= 1 || coin.uniform() < options_.explore)) next = choice.wrong;
          changed |= correct(choice, lead, mistaken);
        }
      }
      take(state, arena_, next);
    }
    return changed;
  }

  /// One step of the learner for one decision.
  bool correct(Choice choice, float lead, bool mistaken) {
    const ActionTable& actions = model_.actions;
    const int right_move = actions.action(choice.right).move, wrong_move = actions.action(choice.wrong).move;
    const auto keys = scorer_.last_keys();
    float step = 1;
    if (options_.passive_aggressive()) {
      const auto norm = static_cast<float>(keys.size() * (right_move == wrong_move ? 2 : 4));
      step = passive_aggressive_step(options_.margin - lead, norm, options_.aggressiveness);
      if (step == 0) return false;
    } else if (!mistaken) {
      return false;
    }
    change_.assign(static_cast<size_t>(weights_.columns()), 0);
    auto add = [&](int begin, int end, float by) {
      for (int c = begin; c < end; ++c) change_[static_cast<size_t>(c)] += by;
    };
    add(choice.right, choice.right + 1, step);
    add(choice.wrong, choice.wrong + 1, -step);
    if (right_move != wrong_move) {
      add(actions.begin(right_move), actions.end(right_move), step);
      add(actions.begin(wrong_move), actions.end(wrong_move), -step);
    }
    uint32_t rows[kMostFeatures];
    weights_.locate(keys, rows);
    const auto known = std::remove(rows, rows + keys.size(), 0u);  // the index may have no room for a few
    weights_.change({rows, known}, change_);
    return true;
  }

  TransitionOptions options_;
  uint64_t seed_;
  Space space_;
  TransitionModel model_;
  typename Space::Arena arena_;
  std::vector<Instance> instances_;
  std::map<std::pair<int, int>, long> given_arcs_;  // of partial trees, by move and label
  OnlineLinear weights_;                            // after everything that `prepare` fills

  StackTemplates templates_{transition_templates(options_.system, options_.features)};
  StateScorer<StackTemplates, OnlineLinear> scorer_{templates_};
  ActionFactors factors_{model_.actions};
  BeamUpdate<Space, StackTemplates> beam_{space_, model_.actions, factors_, options_, templates_};
  TransitionSearch<Space, OnlineLinear> search_{model_, weights_, templates_};
  std::vector<float> change_;
};

template <class Space>
std::unique_ptr<RankingLearner> make_transition_learner(const TransitionOptions& options,
                                                        const std::vector<Sentence>& treebank,
                                                        const TrainContext& context) {
  return std::make_unique<TransitionLearner<Space>>(options, treebank, context);
}

}  // namespace espalier
