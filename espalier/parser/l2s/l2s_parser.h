// A labelled dependency parser as a task of learning to search (recipe `l2s`; Chang et al. 2015): `run` is the
// whole decoder, over any transition system with a dynamic oracle (space/sequential.h); the rest are features,
// reading and writing. examples/joint.cc is such a parser with its own transition system. Tested by
// tests/l2s_parser_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "espalier/base/settings.h"
#include "espalier/base/unicode.h"
#include "espalier/features/stack_view.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/parser/l2s/imperative.h"
#include "espalier/parser/l2s/paper_templates.h"
#include "espalier/parser/transition/transition_parser.h"
#include "espalier/parser/transition/transition_systems.h"
#include "espalier/tree/projectivity.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

/// The part of the parser that does not depend on the transition system.
struct L2sModel {
  enum ArcKind { kRightArc, kLeftArc, kRootArc, kArcKinds };  // each has labels, and a learner, of its own

  struct Options : PaperTemplates {
    int history = 3, beam = 1;
    double sharpness = 10;
    bool joint = false, single_root = true;
    std::string system = "arc-hybrid";
    NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options, features, history, beam, sharpness, joint, single_root, system,
                                                printed, xpos, feats)
  } options;
  std::array<Vocabulary, kArcKinds> labels;
  std::shared_ptr<const ArcLoss> loss = make_arc_loss("labelled-210");

  // Derived from these by `complete`. Labels are numbered across all kinds of arcs; `model` is for k-best
  // lists.
  std::vector<uint64_t> label_atoms;
  TransitionModel model;  // without weights; column c of its actions is action c, where they are decided jointly
  std::vector<GroupTemplate> templates;
  std::optional<StackTemplates> rich;  // those of recipe `greedy`, so that ways of learning can be compared
  std::shared_ptr<const StackView> view;

  // --- A sentence under way -----------------------------------------------------------------------------------------
  struct Word {
    uint64_t form, upos, xpos, feats;
    int gold_label = -1;  // as a number among those of the gold arc's kind
    ArcPrice price{};     // the price of a wrong arc
  };
  struct State {
    StackState stack;
    ItemArena arena;  // what the stack is made of
    DependencyTree tree;
    int root = 0;                  // the word with the best arc from the root
    float root_cost = 0;           // and its cost
    std::array<int, 8> history{};  // latest action first
  };
  struct Example {
    std::vector<Word> words;  // 0 = root
    std::optional<Gold> gold;
    State state;
    AtomGroups groups{PaperTemplates::kGroups};
    SentenceAtoms atoms;  // of rich features
    StateView seen;
    FeatureBag bag;
    bool shown = false;  // bag shows this state
    std::vector<int> open;
    std::vector<float> costs;
  };
  static ArcKind kind_of_arc(int head, int word) { return head == 0 ? kRootArc : head > word ? kLeftArc : kRightArc; }

  // --- Features -----------------------------------------------------------------------------------------------------
  void gather(Example& x, const StackState& c, const ItemArena& a) const {
    using enum PaperTemplates::Place;
    x.bag.clear();
    if (rich) {
      view->gather(c, a, x.atoms, x.seen);
      rich->all_keys(x.seen, x.bag.extend(static_cast<size_t>(rich->count())));
      return;
    }
    static const StackItem kNothing = [] { return ItemArena::fresh(-1); }();
    const auto item = [&](int index) -> const StackItem& { return index == StackItem::kNone ? kNothing : a[index]; };
    const StackItem &top = item(c.top), &second = item(top.below), &front = item(c.front);
    const auto buffer = [&](int ahead) { return c.b(a, ahead) == 0 ? -1 : c.b(a, ahead); };
    const std::array<int, kPlaces> at = {top.word,       second.word,    item(second.below).word,
                                         buffer(0),      buffer(1),      buffer(2),
                                         top.left[0],    top.left[1],    top.right[0],
                                         top.right[1],   front.left[0],  front.left[1],
                                         second.left[0], second.right[0]};
    const std::array<int, kPlaces - s1l1> label = {top.left_label[0],    top.left_label[1],    top.right_label[0],
                                                   top.right_label[1],   front.left_label[0],  front.left_label[1],
                                                   second.left_label[0], second.right_label[0]};
    x.groups.clear();
    for (int i = 0; i < kPlaces; ++i) {
      x.groups.add(i, at[i] < 0 ? options.kNone : x.words[at[i]].form);
      if (at[i] < 0) continue;
      x.groups.add(i, x.words[at[i]].upos);
      if (i >= s1l1) x.groups.add(i, label_atoms[label[i - s1l1]]);
      if (options.xpos) x.groups.add(options.kXpos + i, x.words[at[i]].xpos);
      if (options.feats) x.groups.add(options.kFeats + i, x.words[at[i]].feats);
    }
    const auto number = [&](int kind, int value) { x.groups.add(kState, mix(uint64_t(kind * 64 + value))); };
    const auto count = [&](int kind, int children) { number(kind, std::min(5, children)); };
    number(1, at[s1] <= 0 ? 6 : at[b1] < 0 ? 7 : std::min(5, at[b1] - at[s1]));
    count(2, top.left_count);
    count(3, top.right_count);
    count(4, front.left_count);
    for (int i : {s1l1, s1l2, s1r1, s1r2, b1l1, b1l2})
      x.groups.add(kState, mix((at[i] < 0 ? options.kNone : label_atoms[label[i - s1l1]]) + uint64_t(i)));
    if (top.head != StackItem::kNone) x.groups.add(kState, mix(label_atoms[top.label] + uint64_t(kPlaces)));
    x.groups.expand(templates, x.bag);
  }

  // --- In and out ---------------------------------------------------------------------------------------------------
  void configure(SettingsReader& settings) {
    options.system = settings.choice("system", "arc-hybrid", kSystemsWithDynamicOracle, "transition system");
    options.beam = settings.integer("beam", 1, 1, 4096, "states kept per step in parsing; 1 = greedy");
    options.sharpness =
        settings.real("sharpness", 10, 0.01, 100, "lists: factor of costs before they become probabilities");
    const std::vector<std::string> sets = {"unigram", "bigram", "all", "rich"};
    const std::string set = settings.choice("features", "rich", sets, "which templates; rich: those of recipe greedy");
    options.features = static_cast<int>(std::ranges::find(sets, set) - sets.begin());
    options.printed = settings.choice("l2s_templates", "fixed", {"paper", "fixed"},
                                      "templates as printed, or as the authors' code has them") == "paper";
    loss = make_arc_loss(settings.text("loss", "labelled-210", "what an arc costs (docs/objectives.md)"));
    options.joint = settings.choice("decisions", "joint", {"split", "joint"},
                                    "first the move, then the label of its arc; or both at once") == "joint";
    options.history = settings.integer("history", 3, 0, 8, "how many past actions are features");
    options.xpos = settings.flag("xpos", true, "XPOS atoms beside UPOS");
    options.feats = settings.flag("feats", true, "FEATS atoms beside UPOS");
  }
  Roots roots() const { return options.single_root ? Roots::kOne : Roots::kAny; }
  static std::vector<int> heads_of(const Sentence& sentence) {  // as a projective tree has them
    std::vector<int> heads(1, 0);
    for (const Token& token : sentence.tokens) heads.push_back(token.head);
    projectivise(heads);
    return heads;
  }
  void read(const Sentence& sentence, Example& x, bool gold) const {
    if (rich) x.atoms.encode(sentence, {options.xpos, options.feats});
    x.words.assign(sentence.tokens.size() + 1, {1, 2, 3, 4});
    for (int i = 1; i <= sentence.size(); ++i) {
      const Token& t = sentence.word(i);
      x.words[i] = {hash_string(lower_case(t.form), 1), hash_string(t.upos, 2), hash_string(t.xpos, 3),
                    hash_string(t.feats, 4)};
    }
    x.gold.reset();
    if (!gold) return;
    DependencyTree tree(sentence.size());
    tree.head = heads_of(sentence);
    x.gold.emplace(tree);
    const std::vector<ArcPrice> prices = loss->prices_in_words(sentence, tree.head);
    for (int i = 1; i <= sentence.size(); ++i) {
      x.words[i].price = prices[i];
      x.words[i].gold_label = labels[kind_of_arc(tree.head[i], i)].find(sentence.word(i).deprel);
      x.gold->worth[i] = static_cast<int>(std::lround(prices[i].head * kWorth));
    }
  }
  static constexpr float kWorth = 256;  // prices are whole 256ths
  nlohmann::json save() const {
    return {{"labels", {labels[0].texts(), labels[1].texts(), labels[2].texts()}}, {"options", options}};
  }
  void load(const nlohmann::json& json) {
    json.at("options").get_to(options);
    options.history = std::clamp(options.history, 0, 8);
    for (int kind = 0; kind < kArcKinds; ++kind)
      for (const auto& label : json.at("labels").at(kind)) labels[kind].add(label.get<std::string>());
  }
  /// Collects the labels of the trees that can be learned from (l2s.cc).
  void learn_labels(const std::vector<Sentence>& train);
  /// Moves that build nothing stand before these of the three kinds of arcs.
  void complete(int moves, const std::array<int, kArcKinds>& moves_of_arcs);
};

template <class Space>
struct L2sParser : L2sModel {
  // Numbers of moves; kRoot and kRight are never legal together and share a number.
  static constexpr int kChoices = Space::kMoves - 1;
  static_assert(DynamicOracle<Space> && int{Space::kRoot} == kChoices && int{Space::kLeft} < int{Space::kRight});
  Space space;

  void complete() {
    space.single_root = options.single_root;
    L2sModel::complete(Space::kMoves, {Space::kRight, Space::kLeft, Space::kRoot});
  }
  void learn_labels(const std::vector<Sentence>& train) { L2sModel::learn_labels(train), complete(); }
  void load(const nlohmann::json& json) { L2sModel::load(json), complete(); }

  static ArcKind kind_of(int move) {
    return move == Space::kRoot ? kRootArc : move == Space::kLeft ? kLeftArc : kRightArc;
  }
  static int choice_of(int move) { return move == Space::kRoot ? int{Space::kRight} : move; }
  /// What the history says of an action; -1 is none.
  int code_of(int column) const {
    const int move = column < 0 ? -1 : model.actions.action(column).move;
    if (move < 0) return 0;
    return choice_of(move) + (Space::builds_arc(move) ? kChoices * (column - model.actions.begin(move) + 1) : 0);
  }

  // --- The task -----------------------------------------------------------------------------------------------------
  std::vector<int> actions() const {
    if (options.joint) return {model.actions.columns()};
    return {labels[0].size(), labels[1].size(), labels[2].size(), kChoices};
  }
  void run(Search& search, Example& x) const {
    State& c = x.state;
    for (start(x), search.checkpoint(c); !space.is_final(c.stack, c.arena); search.checkpoint(c)) {
      x.shown = false;
      const int column = options.joint ? decide_at_once(search, x) : decide_in_turn(search, x);
      const auto& [move, label] = model.actions.action(column);
      if (const Arc arc = space.part(c.stack, c.arena, move); arc.dependent != 0) {
        if (search.needs_reference()) {
          const Word& word = x.words[arc.dependent];
          const bool right_head = arc.head == x.gold->head[arc.dependent];
          search.loss(word.price.of(right_head, column - model.actions.begin(move) == word.gold_label));
        }
        c.tree.head[arc.dependent] = arc.head;
        c.tree.label[arc.dependent] = label;
        if (arc.head == 0) note_root(c, arc.dependent, search.predicted_costs(), column);
      }
      std::shift_right(c.history.begin(), c.history.end(), 1);
      c.history[0] = code_of(column);
      space.apply(c.stack, c.arena, move, label);
    }
  }
  void start(Example& x) const {
    x.state.stack = space.initial(x.state.arena, static_cast<int>(x.words.size()) - 1);
    x.state.tree.head.assign(x.words.size(), -1);
    x.state.tree.label.assign(x.words.size(), -1);
    x.state.root = 0;
    x.state.history.fill(0);
  }
  /// Move and label as one action: a column of the table of actions.
  int decide_at_once(Search& search, Example& x) const {
    x.open.clear(), x.costs.clear();
    for (MoveSet legal = space.legal(x.state.stack, x.state.arena); legal; legal &= legal - 1)
      add_labels(search, x, std::countr_zero(legal), model.actions.begin(std::countr_zero(legal)), true);
    return ask(search, x, 0);
  }
  /// First the move, then a label for its arc, each by a learner of its own: the paper's way.
  int decide_in_turn(Search& search, Example& x) const {
    const MoveSet legal = space.legal(x.state.stack, x.state.arena);
    x.open.clear(), x.costs.clear();
    for (MoveSet left = legal; left; left &= left - 1) {
      x.open.push_back(choice_of(std::countr_zero(left)));
      x.costs.push_back(lost(search, x, std::countr_zero(left)));
    }
    const int choice = ask(search, x, kArcKinds);
    const int move = choice == Space::kRight && legal >> Space::kRoot & 1 ? int{Space::kRoot} : choice;
    if (!Space::builds_arc(move)) return model.actions.begin(move);
    x.open.clear(), x.costs.clear();
    add_labels(search, x, move, 0, false);
    return model.actions.begin(move) + ask(search, x, kind_of(move));
  }
  /// Adds a move's actions, numbered from `first`, and their costs: a label can be wrong only if the head is right.
  void add_labels(Search& search, Example& x, int move, int first, bool with_move) const {
    const float before = with_move ? lost(search, x, move) : 0;
    const Arc arc = space.part(x.state.stack, x.state.arena, move);
    const Word& word = x.words[arc.dependent];
    const bool matters = x.gold && arc.dependent != 0 && arc.head == x.gold->head[arc.dependent];
    for (int label = 0; label < model.actions.end(move) - model.actions.begin(move); ++label) {
      x.open.push_back(first + label);
      x.costs.push_back(before + word.price.of(true, !matters || label == word.gold_label));
    }
  }
  /// The worth of the gold arcs that a move makes impossible (Goldberg & Nivre 2013); exact for projective trees.
  float lost(const Search& search, const Example& x, int move) const {
    return search.needs_reference()
               ? static_cast<float>(space.cost(x.state.stack, x.state.arena, *x.gold, move)) / kWorth
               : 0;
  }
  int ask(Search& search, Example& x, int learner) const {
    if (!x.shown && search.needs_features()) gather(x, x.state.stack, x.state.arena), x.shown = true;
    const std::span past(x.state.history.data(), static_cast<size_t>(options.history));
    return search.predict(x.bag, x.open, Reference::costs(x.costs), learner, past);
  }
  /// Arc-eager may give several words the head 0; the best one keeps it, of equal ones the leftmost.
  void note_root(State& c, int word, std::span<const float> costs, int column) const {
    const float cost = options.joint && !costs.empty() ? costs[column] : 0;
    if (c.root == 0 || cost < c.root_cost || (cost == c.root_cost && word < c.root)) c.root = word, c.root_cost = cost;
  }
  void write(const Example& x, Sentence& sentence) const {
    const DependencyTree& tree = x.state.tree;
    for (int i = 1; i <= sentence.size(); ++i) {
      const bool joined = options.single_root && tree.head[i] == 0 && i != x.state.root;
      const int usual = model.actions.begin(i < x.state.root ? Space::kLeft : Space::kRight);
      sentence.word(i).head = joined ? x.state.root : tree.head[i];
      sentence.word(i).deprel = model.labels[joined ? model.actions.action(usual).label : tree.label[i]];
    }
  }
};

}  // namespace espalier
