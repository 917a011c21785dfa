#include "espalier/learn/transition_trainer.h"

#include <algorithm>
#include <map>
#include <span>

#include "espalier/base/rng.h"
#include "espalier/learn/feature_delta.h"
#include "espalier/learn/online.h"
#include "espalier/learn/transition_options.h"
#include "espalier/parser/transition_parser.h"
#include "espalier/search/beam.h"
#include "espalier/search/state_scorer.h"
#include "espalier/tree/projectivity.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {
namespace {

/// A training sentence in numbers.
struct Instance {
  SentenceAtoms atoms;
  Gold gold;
  std::vector<int32_t> columns;  // the gold derivation
};

template <class Space, class Features>
class TransitionLearner final : public OnlineLearner {
 public:
  TransitionLearner(TransitionOptions options, const std::vector<Sentence>& treebank, uint64_t seed)
      : options_(std::move(options)), seed_(seed), weights_(prepare(treebank)) {}

  size_t size() const override { return instances_.size(); }

  bool learn(size_t i, int epoch) override {
    const Instance& instance = instances_[i];
    scorer_.reset(weights_, instance.atoms);
    const bool changed = options_.beam > 1 ? learn_by_beam(instance) : learn_greedily(instance, i, epoch);
    weights_.tick();
    return changed;
  }

  std::unique_ptr<Parser> freeze() const override {
    TransitionModel model = model_;
    model.weights = weights_.freeze({.least_updates = options_.least_updates,
                                     .most_rows = 0,
                                     .drop = options_.drop,
                                     .most_features = Features::kCount});
    return make_transition_parser(std::move(model));
  }
  std::string save() const override { return weights_.save(); }
  void restore(std::string_view state) override { weights_ = OnlineLinear::restore(state); }

 private:
  static int move_for(int head, int dependent) {
    return head == 0 ? Space::kRoot : head < dependent ? Space::kRight : Space::kLeft;
  }

  /// Reads the treebank: labels, actions, gold derivations. Returns weights of the right width.
  OnlineLinear prepare(const std::vector<Sentence>& treebank) {
    model_.system = options_.system;
    model_.features = options_.features;
    model_.beam = options_.beam;
    model_.columns = AtomColumns::of(treebank);
    model_.pseudo_projective = options_.projectivity == "pseudo" && !Space::kNonProjective;
    size_t rooted_twice = 0;
    for (const Sentence& sentence : treebank) rooted_twice += std::ranges::count(sentence.tokens, 0, &Token::head) > 1;
    model_.single_root = options_.root == "single" || (options_.root == "auto" && rooted_twice * 100 < treebank.size());
    space_.single_root = model_.single_root;
    if constexpr (requires { space_.late_left; }) space_.late_left = options_.oracle == "late";
    if constexpr (requires { space_.reduce_early; }) space_.reduce_early = options_.oracle == "eager";

    Vocabulary labels;
    std::map<std::pair<int, int>, long> counts;
    for (const Sentence& original : treebank) {
      if (original.size() == 0 || (model_.single_root && !tree_problem(original).empty())) continue;
      Sentence sentence = original;
      if (model_.pseudo_projective) encode_pseudo_projective(sentence);
      DependencyTree tree(sentence.size());
      for (int i = 1; i <= sentence.size(); ++i) {
        tree.head[static_cast<size_t>(i)] = sentence.word(i).head;
        tree.label[static_cast<size_t>(i)] = labels.add(sentence.word(i).deprel);
      }
      if (!Space::kNonProjective && !is_projective(tree.head)) {
        if (options_.projectivity == "none") continue;
        projectivise(tree.head);
      }
      for (int i = 1; i <= sentence.size(); ++i)
        ++counts[{move_for(tree.head[static_cast<size_t>(i)], i), tree.label[static_cast<size_t>(i)]}];
      instances_.push_back({{}, Gold(tree), {}});
      instances_.back().atoms.encode(sentence, model_.columns);
    }
    if (instances_.empty()) throw Error(ErrorKind::kData, "there is no sentence to learn from");

    std::vector<ActionTable::Count> actions;
    for (const auto& [action, count] : counts) actions.push_back({action.first, action.second, count});
    std::vector<bool> unlabelled(static_cast<size_t>(Space::kMoves), true);
    for (const int move : {int{Space::kLeft}, int{Space::kRight}, int{Space::kRoot}})
      unlabelled[static_cast<size_t>(move)] = false;
    model_.labels = labels.texts();
    model_.actions = ActionTable(Space::kMoves, unlabelled, std::move(actions), options_.columns, model_.labels);
    for (Instance& instance : instances_) derive(instance);
    return OnlineLinear(model_.actions.columns());
  }

  void derive(Instance& instance) {
    auto state = space_.initial(arena_, instance.gold.size());
    while (!space_.is_final(state, arena_)) {
      const int move = space_.oracle(state, arena_, instance.gold);
      const int column = gold_column(instance.gold, space_.part(state, arena_, move), move);
      instance.columns.push_back(column);
      take(state, arena_, column);
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
    const bool explore = DynamicOracle<Space> && epoch >= options_.explore_from;
    bool changed = false;
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
    if (options_.learner == "pa") {
      const float loss = options_.margin - lead;
      const auto norm = static_cast<float>(keys.size() * (right_move == wrong_move ? 2 : 4));
      if (loss <= 0) return false;
      step = std::min(options_.aggressiveness, loss / norm);
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

  // ---- beam ----

  bool learn_by_beam(const Instance& instance) {
    const int words = instance.gold.size();
    const auto length = static_cast<int>(instance.columns.size());
    auto rows = [&](const auto& state) { return scorer_.remembered_row(state, arena_); };

    // Scores of the gold prefixes; the beam finds their rows in the memo again.
    gold_scores_.assign(1, 0);
    auto gold_state = space_.initial(arena_, words);
    for (const int32_t column : instance.columns) {
      const bool forced = forced_column(space_.legal(gold_state, arena_), model_.actions) >= 0;
      gold_scores_.push_back(gold_scores_.back() + (forced ? 0.0 : static_cast<double>(rows(gold_state)[column])));
      take(gold_state, arena_, column);
    }

    // The violation curve: how far the beam's best prefix is above the gold one, step by step.
    int gold_node = 0, at_step = -1, at_node = -1;
    double worst = 0;
    // Where the beam stands on the gold path, every other action gets a bonus: gold must be ahead by a margin.
    const float bonus = options_.learner == "pa" ? 0 : options_.margin;
    auto augmented = [&](const auto& state, int node) {
      const float* row = rows(state);
      if (bonus == 0 || node != gold_node) return row;
      change_.assign(row, row + weights_.columns());
      for (float& score : change_) score += bonus;
      change_[static_cast<size_t>(expected_)] -= bonus;
      return static_cast<const float*>(change_.data());
    };
    expected_ = instance.columns[0];
    const bool early = options_.update == "early", standard = options_.update == "standard";
    beam_.run(space_, model_.actions, words, options_.beam, arena_, augmented,
              [&](int step, std::span<const typename Beam<Space>::Node> survivors, int first) {
                const int expected = expected_;
                expected_ = step < length ? instance.columns[static_cast<size_t>(step)] : -1;
                int found = -1;
                for (size_t i = 0; i < survivors.size() && found < 0 && gold_node >= 0; ++i)
                  if (survivors[i].parent == gold_node && survivors[i].column == expected)
                    found = first + static_cast<int>(i);
                gold_node = found;
                if (gold_node == first) {
                  if (standard || early) at_node = -1;
                  return true;
                }
                const double violation = survivors[0].score - gold_scores_[static_cast<size_t>(std::min(step, length))];
                if (standard || early || at_node < 0 || violation >= worst) {
                  worst = violation;
                  at_step = step;
                  at_node = first;
                }
                return !(early && gold_node < 0);
              });
    if (at_node < 0 || (!standard && worst < 0)) return false;

    beam_.derivation(at_node, predicted_);
    const auto steps = static_cast<size_t>(std::min(at_step, length));
    size_t common = 0;
    while (common < std::min(steps, predicted_.size()) && predicted_[common] == instance.columns[common]) ++common;
    delta_.clear();
    int disagreements = collect(std::span(instance.columns).first(steps), common, words, 1);
    collect(predicted_, common, words, -1);
    for (size_t i = common; i < std::min(steps, predicted_.size()); ++i)
      disagreements -= predicted_[i] == instance.columns[i];
    float step = 1;
    if (options_.learner == "pa") {
      const double norm = delta_.squared_norm();
      const double loss = options_.margin * std::max(disagreements, 1) + worst;
      if (norm == 0 || loss <= 0) return false;
      step = static_cast<float>(std::min<double>(options_.aggressiveness, loss / norm));
    }
    delta_.apply(weights_, model_.actions, step);
    return true;
  }

  /// Adds a derivation's features from step `from` on to the difference; returns the number of steps looked at.
  int collect(std::span<const int32_t> columns, size_t from, int words, float sign) {
    auto state = space_.initial(arena_, words);
    for (size_t i = 0; i < columns.size(); ++i) {
      if (i >= from && forced_column(space_.legal(state, arena_), model_.actions) < 0)
        delta_.add(scorer_.keys(state, arena_), model_.actions, columns[i], sign);
      take(state, arena_, columns[i]);
    }
    return static_cast<int>(columns.size() - std::min(from, columns.size()));
  }

  TransitionOptions options_;
  uint64_t seed_;
  Space space_;
  TransitionModel model_;
  typename Space::Arena arena_;
  std::vector<Instance> instances_;
  OnlineLinear weights_;  // after everything that `prepare` fills

  StateScorer<Features, OnlineLinear> scorer_;
  Beam<Space> beam_;
  FeatureDelta delta_;
  std::vector<double> gold_scores_;
  std::vector<float> change_;
  std::vector<int32_t> predicted_;
  int expected_ = -1;  // the gold column of the step that the beam is at
};

}  // namespace

Trained train_transition(const Settings& settings, const TrainData& data, const TrainContext& context) {
  const TransitionOptions options = TransitionOptions::from(settings);
  settings.check_all_known();
  return with_transition_system(options.system, options.features, [&]<class Space, class Features>() {
    TransitionLearner<Space, Features> learner(options, data.train, context.seed);
    const std::string identity = settings.to_json().dump() + " seed " + std::to_string(context.seed) + " sentences " +
                                 std::to_string(learner.size());
    return train_online(learner, options.epochs, identity, data, context);
  });
}

}  // namespace espalier
