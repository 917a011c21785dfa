// A shift-reduce constituent parser as a task of learning to search (recipe `l2s-constituents`): the space, templates
// and lists of `shift-reduce`, decisions by predicted costs. Three learners decide: the move, the label of a new
// constituent, the chain of unary nodes above it. Tested by tests/l2s_constituents_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "espalier/parser/l2s/imperative.h"
#include "espalier/parser/shift_reduce/shift_reduce_parser.h"
#include "espalier/parser/shift_reduce/shift_reduce_templates.h"
#include "espalier/space/bracket_oracle.h"

namespace espalier {

struct L2sConstituents {
  enum Learner { kMove, kLabel, kChain };
  static constexpr int kMoveActions = ShiftReduce::kUnary;  // the moves before it: all but the unary steps

  ShiftReduceModel model;  // without weights
  double sharpness = 10;

  // Derived from the model by `complete`.
  ShiftReduce space;
  std::vector<int> labels;  // of constituents with several children, ascending; an action of kLabel is a label
  int chains = 0;           // actions of kChain are the columns of unary steps, and then: none

  // --- A sentence under way -----------------------------------------------------------------------------------------
  struct State {
    ConstituentState stack;
    ConstituentArena arena;  // what the stack is made of
  };
  struct Example {
    std::vector<int> words;
    ConstituentAtoms own;                     // of a sentence that was read
    const ConstituentAtoms* atoms = nullptr;  // of this sentence
    const BracketOracle* gold = nullptr;
    State state;
    ConstituentView seen;
    FeatureBag bag;
    bool shown = false;  // bag shows this state
    std::vector<int> open;
    std::vector<float> costs;
    std::array<std::vector<float>, ShiftReduce::kMoves> worth;  // of every label of a move
    BracketOracle::Scratch scratch;
  };

  void complete();
  std::vector<int> actions() const { return {kMoveActions, labels.back() + 1, chains + 1}; }
  void read(const Sentence& sentence, Example& x, bool gold = false) const;
  void write(const Example& x, Sentence& sentence) const;
  nlohmann::json save() const;

  void gather(Example& x, const ConstituentAtoms& atoms, const ConstituentState& state,
              const ConstituentArena& arena) const {
    ConstituentGatherer().gather(state, arena, atoms, x.seen);
    x.bag.clear();
    ShiftReduceFeatures::all_keys(x.seen, x.bag.extend(static_cast<size_t>(ShiftReduceFeatures::count())));
  }

  // --- The task -----------------------------------------------------------------------------------------------------
  void run(Search& search, Example& x) const {
    State& c = x.state;
    c.arena.tags = x.atoms->tags();
    c.stack = space.initial(c.arena, x.atoms->size());
    if (search.needs_reference()) search.loss(in_brackets(x.gold->all()));
    for (search.checkpoint(c); !space.is_final(c.stack, c.arena); search.checkpoint(c)) {
      x.shown = false;
      const auto& [move, label] = model.actions.action(decide(search, x));
      space.apply(c.stack, c.arena, move, label);
      if (search.needs_reference()) search.loss(-in_brackets(x.gold->worth_of_built(c.stack, c.arena, move)));
    }
  }
  /// Returns the column of the next action.
  int decide(Search& search, Example& x) const {
    if (x.state.stack.unary_due) return decide_chain(search, x);
    const int move = decide_move(search, x);
    return move == ShiftReduce::kShift ? model.actions.begin(move)
                                       : model.actions.column(move, decide_label(search, x, move));
  }
  int decide_move(Search& search, Example& x) const {
    x.open.clear(), x.costs.clear();
    for (MoveSet legal = space.legal(x.state.stack, x.state.arena); legal; legal &= legal - 1) {
      const int move = std::countr_zero(legal);
      x.open.push_back(move);
      if (search.needs_reference()) weigh(x, move), x.costs.push_back(std::ranges::max(x.worth[move]));
    }
    return ask(search, x, kMove);
  }
  int decide_label(Search& search, Example& x, int move) const {
    x.open.clear(), x.costs.clear();
    for (const int label : labels) {
      if (!space.allows(x.state.stack, x.state.arena, move, label)) continue;
      x.open.push_back(label);
      if (search.needs_reference()) x.costs.push_back(x.worth[move][label]);
    }
    return ask(search, x, kLabel);
  }
  int decide_chain(Search& search, Example& x) const {
    constexpr int kUnary = ShiftReduce::kUnary, kStay = ShiftReduce::kStay;
    const int first = model.actions.begin(kUnary);
    const bool may = space.legal(x.state.stack, x.state.arena) >> kUnary & 1;
    x.open.clear(), x.costs.clear();
    if (search.needs_reference() && may) weigh(x, kUnary), weigh(x, kStay);
    for (int chain = may ? 0 : chains; chain <= chains; ++chain) {
      x.open.push_back(chain);
      if (search.needs_reference())
        x.costs.push_back(!may             ? 0
                          : chain < chains ? x.worth[kUnary][model.actions.action(first + chain).label]
                                           : x.worth[kStay][0]);
    }
    const int chain = ask(search, x, kChain);
    return chain < chains ? first + chain : model.actions.begin(kStay);
  }

 private:
  static constexpr float kImpossible = -1e9F;
  static float in_brackets(int worth) { return static_cast<float>(worth) / BracketOracle::kBracket; }

  /// What the tree can still be worth after a move with each label; one entry, if the move has none.
  void weigh(Example& x, int move) const {
    State& c = x.state;
    const auto worth = [&](int label) {
      return in_brackets(x.gold->worth(space, c.stack, c.arena, move, label, x.scratch));
    };
    std::vector<float>& all = x.worth[move];
    if (move == ShiftReduce::kShift || move == ShiftReduce::kStay) return all.assign(1, worth(-1));
    all.assign(model.labels.size(), kImpossible);
    const std::vector<int>& of_gold = x.gold->labels(move == ShiftReduce::kUnary);
    float wrong = kImpossible;
    for (int column = model.actions.begin(move); column < model.actions.end(move); ++column) {
      const int label = model.actions.action(column).label;
      if (!space.allows(c.stack, c.arena, move, label)) continue;
      const bool known = std::ranges::binary_search(of_gold, label);
      if (!known && wrong == kImpossible) wrong = worth(label);
      all[label] = known ? worth(label) : wrong;  // all other labels are equally wrong
    }
  }
  /// Turns what actions are worth into costs.
  int ask(Search& search, Example& x, int learner) const {
    if (!x.shown && x.open.size() > 1 && search.needs_features())
      gather(x, *x.atoms, x.state.stack, x.state.arena), x.shown = true;
    if (!x.costs.empty()) {
      const float best = std::ranges::max(x.costs);
      for (float& cost : x.costs) cost = best - cost;
    }
    return search.predict(x.bag, x.open, Reference::costs(x.costs), learner);
  }
};

std::unique_ptr<Parser> make_l2s_constituent_parser(const L2sConstituents& task,
                                                    std::vector<HashedRegressor> regressors);
std::unique_ptr<Parser> load_l2s_constituent_parser(const ModelPart& part, SettingsReader& overrides);

}  // namespace espalier
