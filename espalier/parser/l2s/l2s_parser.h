// A labelled dependency parser as a task of learning to search (recipe `l2s`): arc-hybrid transitions with their
// dynamic oracle, what their states look like, and the loop that ties them together (Chang et al. 2015).
// tests/l2s_parser_test.cc.
#pragma once

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "espalier/base/settings.h"
#include "espalier/base/unicode.h"
#include "espalier/loss/arc_loss.h"
#include "espalier/parser/l2s/imperative.h"
#include "espalier/parser/l2s/paper_templates.h"
#include "espalier/parser/l2s/rich_features.h"
#include "espalier/tree/projectivity.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

struct L2sParser {
  enum Move { kShift, kLeft, kRight };
  enum ArcKind { kRightArc, kLeftArc, kRootArc, kArcKinds };  // each has labels, and a learner, of its own

  struct Options : PaperTemplates {
    int history = 3;
    bool joint = false;
    NLOHMANN_DEFINE_TYPE_INTRUSIVE_WITH_DEFAULT(Options, features, history, joint, printed, xpos, feats)
  } options;
  std::array<Vocabulary, kArcKinds> labels;
  std::array<int, kArcKinds> first{};  // action of each kind of arcs
  std::array<std::vector<uint64_t>, kArcKinds> label_atoms;
  std::vector<GroupTemplate> templates;
  std::shared_ptr<const ArcLoss> loss = make_arc_loss("labelled-210");

  // --- A sentence under way -----------------------------------------------------------------------------------------
  struct Word {
    uint64_t form, upos, xpos, feats;
    int gold_head = -1, gold_label = -1;  // the label as a number among those of the gold arc's kind
    ArcPrice price{};                     // what another arc costs
    std::pair<int, float> gold_arc() const { return {gold_head, price.head}; }
  };
  enum Child { kL1, kL2, kR1, kR2 };  // leftmost, second leftmost, rightmost, second rightmost
  struct Node {
    int head = -1, label = -1;
    std::array<int, 4> child{-1, -1, -1, -1};
    int lefts = 0, rights = 0;
    uint64_t label_atom = 0, left_set = 0, right_set = 0;  // sets of labels: a bit each
    bool on_stack = false;
    float gold_in_buffer = 0, gold_on_stack = 0;  // what its gold dependents there are worth
  };
  struct State {
    std::vector<Node> nodes;  // 0 = the artificial root, at the bottom of the stack
    std::vector<int> stack;
    int next = 1;                  // first word of the buffer
    std::array<int, 8> history{};  // latest action first
    int size() const { return static_cast<int>(nodes.size()) - 1; }
    int s(size_t i) const { return i < stack.size() ? stack[stack.size() - 1 - i] : -1; }
    int b(int i) const { return next + i <= size() ? next + i : -1; }
    bool is_final() const { return next > size() && stack.size() == 1; }
  };

  // --- Transitions: arc-hybrid, one root word -----------------------------------------------------------------------
  static std::span<const int> allowed_moves(const State& c, std::array<int, 3>& moves) {
    size_t count = 0;
    const bool buffer = c.next <= c.size();
    if (buffer) moves[count++] = kShift;
    if (buffer && c.stack.size() > 1) moves[count++] = kLeft;
    if (c.stack.size() > 2 || (c.stack.size() == 2 && !buffer)) moves[count++] = kRight;
    return {moves.data(), count};
  }
  static int head_of_arc(const State& c, int move) { return move == kLeft ? c.b(0) : c.s(1); }
  static ArcKind kind_of_arc(int head, int word) { return head == 0 ? kRootArc : head > word ? kLeftArc : kRightArc; }
  static ArcKind kind_of_move(const State& c, int move) { return kind_of_arc(head_of_arc(c, move), c.s(0)); }
  void apply(State& c, const std::vector<Word>& words, int move, int label) const {
    std::shift_right(c.history.begin(), c.history.end(), 1);
    c.history[0] = move + 3 * (label + 1);
    const int word = move == kShift ? c.next : c.s(0);
    const auto [gold_head, worth] = words[word].gold_arc();
    c.nodes[word].on_stack = move == kShift;
    if (move == kShift) {
      if (gold_head >= 0) c.nodes[gold_head].gold_in_buffer -= worth, c.nodes[gold_head].gold_on_stack += worth;
      c.stack.push_back(c.next++);
      return;
    }
    const int head = head_of_arc(c, move);
    if (gold_head >= 0) c.nodes[gold_head].gold_on_stack -= worth;
    c.nodes[word].head = head;
    c.nodes[word].label = label;
    c.nodes[word].label_atom = label_atoms[kind_of_arc(head, word)][label];
    Node& parent = c.nodes[head];
    const Child outermost = move == kLeft ? kL1 : kR1;
    parent.child[outermost + 1] = parent.child[outermost];
    parent.child[outermost] = word;
    ++(move == kLeft ? parent.lefts : parent.rights);
    (move == kLeft ? parent.left_set : parent.right_set) |= uint64_t{1} << (c.nodes[word].label_atom & 63);
    c.stack.pop_back();
  }
  /// What the gold arcs that a move makes impossible are worth (Goldberg & Nivre 2013); exact for projective trees.
  static float lost_arcs(const State& c, const std::vector<Word>& words, int move) {
    const int s0 = c.s(0), b0 = c.b(0);
    const auto [head, worth] = move == kShift ? words[b0].gold_arc() : words[s0].gold_arc();
    if (move == kShift) return c.nodes[b0].gold_on_stack + worth * (head != s0 && head < b0 && c.nodes[head].on_stack);
    const float dependents = c.nodes[s0].gold_in_buffer;
    return dependents + worth * (move == kLeft ? head == c.s(1) || head > b0 : b0 > 0 && head >= b0);
  }

  // --- Features -----------------------------------------------------------------------------------------------------
  struct Example {
    std::vector<Word> words;  // 0 = root
    State state;
    AtomGroups groups{PaperTemplates::kGroups};
    SentenceAtoms atoms;  // of rich features
    FeatureBag bag;
    bool seen = false;  // bag shows this state
    std::vector<int> open;
    std::vector<float> costs;
  };
  void gather(Example& x) const {
    using enum PaperTemplates::Place;
    const State& c = x.state;
    if (options.features == Options::kRich) return rich_features(c, x.atoms, x.bag);
    const auto child = [&](int of, int which) { return of < 0 ? -1 : c.nodes[of].child[which]; };
    std::array<int, kPlaces> at = {c.s(0), c.s(1), c.s(2), c.b(0), c.b(1), c.b(2)};
    for (int which : {kL1, kL2, kR1, kR2}) at[s1l1 + which] = child(at[s1], which);
    for (int which : {kL1, kL2}) at[b1l1 + which] = child(at[b1], which);
    for (int which : {0, 1}) at[s2l1 + which] = child(at[s2], which == 0 ? kL1 : kR1);
    x.groups.clear();
    for (int i = 0; i < kPlaces; ++i) {
      x.groups.add(i, at[i] < 0 ? options.kNone : x.words[at[i]].form);
      if (at[i] < 0) continue;
      x.groups.add(i, x.words[at[i]].upos);
      if (i >= s1l1) x.groups.add(i, c.nodes[at[i]].label_atom);
      if (options.xpos) x.groups.add(options.kXpos + i, x.words[at[i]].xpos);
      if (options.feats) x.groups.add(options.kFeats + i, x.words[at[i]].feats);
    }
    const auto number = [&](int kind, int value) { x.groups.add(kState, mix(uint64_t(kind * 64 + value))); };
    number(1, at[s1] <= 0 ? 6 : at[b1] < 0 ? 7 : std::min(5, at[b1] - at[s1]));
    number(2, std::min(5, c.nodes[at[s1]].lefts));  // the stack is never empty
    number(3, std::min(5, c.nodes[at[s1]].rights));
    number(4, at[b1] < 0 ? 0 : std::min(5, c.nodes[at[b1]].lefts));
    for (int i : {s1l1, s1l2, s1r1, s1r2, b1l1, b1l2})
      x.groups.add(kState, mix((at[i] < 0 ? options.kNone : c.nodes[at[i]].label_atom) + uint64_t(i)));
    x.bag.clear();
    x.groups.expand(templates, x.bag);
  }

  // --- The task -----------------------------------------------------------------------------------------------------
  std::vector<int> actions() const {
    if (options.joint) return {first[kRootArc] + labels[kRootArc].size()};
    return {labels[0].size(), labels[1].size(), labels[2].size(), 3};
  }
  void run(Search& search, Example& x) const {
    State& c = x.state;
    for (start(x), search.checkpoint(c); !c.is_final(); search.checkpoint(c)) {
      x.seen = false;
      const auto [move, label] = options.joint ? decide_at_once(search, x) : decide_in_turn(search, x);
      if (move != kShift) {
        const Word& word = x.words[c.s(0)];
        search.loss(word.price.of(head_of_arc(c, move) == word.gold_head, label == word.gold_label));
      }
      apply(c, x.words, move, label);
    }
  }
  /// Move and label as one action: 0 shifts, then come the labels of left arcs, of right arcs and of the root's.
  std::pair<int, int> decide_at_once(Search& search, Example& x) const {
    std::array<int, 3> moves;
    x.open.clear(), x.costs.clear();
    for (int move : allowed_moves(x.state, moves)) {
      const float lost = search.needs_reference() ? lost_arcs(x.state, x.words, move) : 0;
      if (move == kShift) x.open.push_back(0), x.costs.push_back(lost);
      if (move != kShift) add_labels(x, move, lost);
    }
    const int action = ask(search, x, x.open, 0);
    const int move = action == 0 ? kShift : action < first[kRightArc] ? kLeft : kRight;
    return {move, action == 0 ? -1 : action - first[kind_of_move(x.state, move)]};
  }
  /// First the move, then a label for its arc, each by a learner of its own: the paper's way.
  std::pair<int, int> decide_in_turn(Search& search, Example& x) const {
    std::array<int, 3> moves;
    const std::span<const int> open = allowed_moves(x.state, moves);
    x.costs.clear();
    for (int move : open) x.costs.push_back(search.needs_reference() ? lost_arcs(x.state, x.words, move) : 0);
    const int move = ask(search, x, open, kArcKinds);
    if (move == kShift) return {move, -1};
    x.open.clear(), x.costs.clear();
    add_labels(x, move, 0);
    return {move, ask(search, x, x.open, kind_of_move(x.state, move))};
  }
  /// The labels of a move's arc, and what they cost: a label matters only if the head is right.
  void add_labels(Example& x, int move, float lost) const {
    const Word& word = x.words[x.state.s(0)];
    const ArcKind kind = kind_of_move(x.state, move);
    const bool right_head = head_of_arc(x.state, move) == word.gold_head;
    for (int label = 0; label < labels[kind].size(); ++label) {
      x.open.push_back(first[kind] + label);
      x.costs.push_back(lost + word.price.of(true, !right_head || label == word.gold_label));
    }
  }
  int ask(Search& search, Example& x, std::span<const int> open, int learner) const {
    if (!x.seen && search.needs_features()) gather(x), x.seen = true;
    const std::span past(x.state.history.data(), options.history);
    return search.predict(x.bag, open, Reference::costs(x.costs), learner, past);
  }
  void start(Example& x) const {
    x.state.stack.assign(1, 0);
    x.state.next = 1;
    x.state.history.fill(0);
    x.state.nodes.assign(x.words.size(), Node{});
    x.state.nodes[0].on_stack = true;
    for (const Word& word : x.words)
      if (word.gold_head >= 0) x.state.nodes[word.gold_head].gold_in_buffer += word.price.head;
  }

  // --- In and out ---------------------------------------------------------------------------------------------------
  void configure(SettingsReader& settings) {
    const std::vector<std::string> sets = {"unigram", "bigram", "all", "rich"};
    const std::string set = settings.choice("features", "rich", sets, "which templates; rich: those of recipe greedy");
    options.features = static_cast<int>(std::ranges::find(sets, set) - sets.begin());
    options.printed = settings.choice("l2s_templates", "fixed", {"paper", "fixed"},
                                      "templates as printed, or as the authors' code has them") == "paper";
    loss = make_arc_loss(settings.text("loss", "labelled-210", "what an arc costs (docs/objectives.md)"));
    options.joint = settings.choice("decisions", "joint", {"split", "joint"},
                                    "first the move, then the label of its arc; or both at once") == "joint";
    options.history = static_cast<int>(settings.integer("history", 3, 0, 8, "how many past actions are features"));
    options.xpos = settings.flag("xpos", true, "XPOS atoms beside UPOS");
    options.feats = settings.flag("feats", true, "FEATS atoms beside UPOS");
  }
  void learn_labels(const std::vector<Sentence>& train) {
    for (const Sentence& sentence : train) {
      if (!tree_problem(sentence).empty()) continue;
      Example x;
      read(sentence, x, true);
      for (int i = 1; i <= sentence.size(); ++i)
        labels[kind_of_arc(x.words[i].gold_head, i)].add(sentence.word(i).deprel);
    }
    complete();
  }
  void complete() {  // what follows from options and labels; there is always a label, whatever was trained on
    for (int kind = 0; kind < kArcKinds; ++kind) {
      if (labels[kind].size() == 0) labels[kind].add(kind == kRootArc ? "root" : "dep");
      for (const std::string& text : labels[kind].texts()) label_atoms[kind].push_back(hash_string(text, 5));
    }
    const int lefts = labels[kLeftArc].size();
    if (options.joint) first = {1 + lefts, 1, 1 + lefts + labels[kRightArc].size()};
    templates = options.make();
  }
  void read(const Sentence& sentence, Example& x, bool gold) const {
    if (options.features == Options::kRich) x.atoms.encode(sentence, {options.xpos, options.feats});
    x.words.assign(sentence.tokens.size() + 1, {1, 2, 3, 4});
    std::vector<int> heads(x.words.size(), 0);
    for (int i = 1; i <= sentence.size(); ++i) {
      const Token& t = sentence.word(i);
      x.words[i] = {hash_string(lower_case(t.form), 1), hash_string(t.upos, 2), hash_string(t.xpos, 3),
                    hash_string(t.feats, 4)};
      heads[i] = t.head;
    }
    if (!gold) return;
    projectivise(heads);
    const std::vector<ArcPrice> prices = loss->prices_in_words(sentence, heads);
    for (int i = 1; i <= sentence.size(); ++i) {
      x.words[i].price = prices[i];
      x.words[i].gold_head = heads[i];
      x.words[i].gold_label = labels[kind_of_arc(heads[i], i)].find(sentence.word(i).deprel);
    }
  }
  void write(const Example& x, Sentence& sentence) const {
    for (int i = 1; i <= sentence.size(); ++i) {
      const Node& node = x.state.nodes[i];
      sentence.word(i).head = node.head;
      sentence.word(i).deprel = labels[kind_of_arc(node.head, i)].text(node.label);
    }
  }
  nlohmann::json save() const {
    return {{"labels", {labels[0].texts(), labels[1].texts(), labels[2].texts()}}, {"options", options}};
  }
  void load(const nlohmann::json& json) {
    json.at("options").get_to(options);
    options.history = std::clamp(options.history, 0, 8);
    for (int kind = 0; kind < kArcKinds; ++kind)
      for (const auto& label : json.at("labels").at(kind)) labels[kind].add(label.get<std::string>());
    complete();
  }
};

}  // namespace espalier
