// A labelled dependency parser as a task of learning to search (recipe `l2s`): arc-hybrid transitions with their
// dynamic oracle, the features of Chang et al. 2015 (Table 3), and the loop that ties them together.
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
#include "espalier/parser/l2s/rich_features.h"
#include "espalier/tree/projectivity.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

struct L2sParser {
  enum Move { kShift, kLeft, kRight };
  enum ArcKind { kRightArc, kLeftArc, kRootArc, kArcKinds };  // each has labels, and a learner, of its own
  enum Features { kUnigram, kBigram, kAll, kRich };           // rich: the templates of recipe greedy

  struct Options {
    int features = kAll, history = 3;
    bool printed = false, xpos = true, feats = true;
    NLOHMANN_DEFINE_TYPE_INTRUSIVE(Options, features, history, printed, xpos, feats)
  } options;
  std::array<Vocabulary, kArcKinds> labels;
  std::array<std::vector<int>, kArcKinds> all_labels;  // 0, 1, 2, ...: what predict may choose from
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
  static size_t allowed_moves(const State& c, std::array<int, 3>& moves) {
    size_t count = 0;
    const bool buffer = c.next <= c.size();
    if (buffer) moves[count++] = kShift;
    if (buffer && c.stack.size() > 1) moves[count++] = kLeft;
    if (c.stack.size() > 2 || (c.stack.size() == 2 && !buffer)) moves[count++] = kRight;
    return count;
  }
  static int head_of_arc(const State& c, int move) { return move == kLeft ? c.b(0) : c.s(1); }
  static ArcKind kind_of_arc(int head, int word) { return head == 0 ? kRootArc : head > word ? kLeftArc : kRightArc; }
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
  // Places: s = stack from the top, b = buffer, l/r = their outermost left/right children. Each is a group {form, tag},
  // children also {label}. kState: small numbers and labels around s1 and b1. Then each place's XPOS and FEATS, apart.
  enum Place { s1, s2, s3, b1, b2, b3, s1l1, s1l2, s1r1, s1r2, b1l1, b1l2, s2l1, s2r1, kPlaces, kState = kPlaces };
  static constexpr int kXpos = kPlaces + 1, kFeats = kXpos + kPlaces, kGroups = kFeats + kPlaces;
  static constexpr uint64_t kNone = 0x6e6f6e65;

  /// The paper's table as printed, or with its likely misprints repaired and the authors' additions.
  std::vector<GroupTemplate> make_templates() const {
    std::vector<GroupTemplate> all, conjoined;
    const auto append = [](std::vector<GroupTemplate>& to, std::vector<GroupTemplate> more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    for (int8_t place = 0; place < kPlaces; ++place) all.push_back({place});
    if (options.features >= kBigram) {
      append(conjoined, {{s1, s1}, {s2, s2}, {s3, s3}, {b1, b1}, {b2, b2}, {b3, b3}, {s1, b1}, {s1, s2}, {b1, b2}});
      if (!options.printed) append(conjoined, {{s1, s1l1}, {s1, s1r1}, {b1, b1l1}});
    }
    if (options.features >= kAll) {
      append(conjoined, {{s1, s2, s3}, {s1, b1, b2}, {s1, s2, b1}, {s1, b1, b3}, {b1, b2, b3}, {b1, b1l1, b1l2}});
      append(conjoined,
             {{s1, s2, b1l1}, {s1, b1, s1l1}, {s1, b1, s2l1}, {s1, b1, b1l1}, {s1, s1r1, s2r1}, {s1, s1l2, b1l2}});
      if (!options.printed) append(conjoined, {{s1, s1r1, s1r2}, {s1, s1l1, s1l2}, {s1, b1, s1r1}, {s1, s2, s2}});
    }
    append(all, conjoined);
    if (!options.printed) all.push_back({kState});
    for (int8_t place : {s1, s2, s3, b1, b2, b3, kState})
      if (!options.printed && options.features >= kBigram) all.push_back({kState, place});
    // Fine tags beside the coarse ones: alone, with the form, and in the same conjunctions with each other.
    for (const auto& [wanted, first] : {std::pair(options.xpos, kXpos), std::pair(options.feats, kFeats)}) {
      const auto fine = [first = first](int8_t place) { return static_cast<int8_t>(place + first); };
      for (int8_t place = 0; wanted && place < kPlaces; ++place) all.push_back({fine(place)});
      for (const GroupTemplate& c : wanted ? conjoined : std::vector<GroupTemplate>()) {
        if (c.a == c.b || c.b == c.c) {
          all.push_back({fine(c.a), c.a});
        } else if (c.c < 0) {
          append(all, {{fine(c.a), fine(c.b)}, {fine(c.a), c.b}, {c.a, fine(c.b)}});
        } else {
          all.push_back({fine(c.a), fine(c.b), fine(c.c)});
        }
      }
    }
    return all;
  }

  struct Example {
    std::vector<Word> words;  // 0 = root
    State state;
    AtomGroups groups{kGroups};
    SentenceAtoms atoms;  // of rich features
    FeatureBag bag;
    std::vector<float> costs;
  };
  void gather(Example& x) const {
    const State& c = x.state;
    if (options.features == kRich) return rich_features(c, x.atoms, x.bag);
    const auto child = [&](int of, int which) { return of < 0 ? -1 : c.nodes[of].child[which]; };
    std::array<int, kPlaces> at = {c.s(0), c.s(1), c.s(2), c.b(0), c.b(1), c.b(2)};
    for (int which : {kL1, kL2, kR1, kR2}) at[s1l1 + which] = child(at[s1], which);
    for (int which : {kL1, kL2}) at[b1l1 + which] = child(at[b1], which);
    for (int which : {0, 1}) at[s2l1 + which] = child(at[s2], which == 0 ? kL1 : kR1);
    x.groups.clear();
    for (int i = 0; i < kPlaces; ++i) {
      x.groups.add(i, at[i] < 0 ? kNone : x.words[at[i]].form);
      if (at[i] < 0) continue;
      x.groups.add(i, x.words[at[i]].upos);
      if (i >= s1l1) x.groups.add(i, c.nodes[at[i]].label_atom);
      if (options.xpos) x.groups.add(kXpos + i, x.words[at[i]].xpos);
      if (options.feats) x.groups.add(kFeats + i, x.words[at[i]].feats);
    }
    const auto number = [&](int kind, int value) { x.groups.add(kState, mix(uint64_t(kind * 64 + value))); };
    number(1, at[s1] <= 0 ? 6 : at[b1] < 0 ? 7 : std::min(5, at[b1] - at[s1]));
    number(2, std::min(5, c.nodes[at[s1]].lefts));  // the stack is never empty
    number(3, std::min(5, c.nodes[at[s1]].rights));
    number(4, at[b1] < 0 ? 0 : std::min(5, c.nodes[at[b1]].lefts));
    for (int i : {s1l1, s1l2, s1r1, s1r2, b1l1, b1l2})
      x.groups.add(kState, mix((at[i] < 0 ? kNone : c.nodes[at[i]].label_atom) + uint64_t(i)));
    x.bag.clear();
    x.groups.expand(templates, x.bag);
  }

  // --- The task -----------------------------------------------------------------------------------------------------
  std::vector<int> actions() const { return {labels[0].size(), labels[1].size(), labels[2].size(), 3}; }
  void run(Search& search, Example& x) const {
    State& c = x.state;
    for (start(x), search.checkpoint(c); !c.is_final(); search.checkpoint(c)) {
      bool seen = false;
      const auto look = [&] {
        if (!seen && search.needs_features()) gather(x), seen = true;
      };
      const std::span past(c.history.data(), options.history);
      std::array<int, 3> moves;
      std::array<float, 3> costs{};
      const std::span open(moves.data(), allowed_moves(c, moves));
      for (size_t i = 0; i < open.size() && search.needs_reference(); ++i) costs[i] = lost_arcs(c, x.words, open[i]);
      look();
      const int move = search.predict(x.bag, open, Reference::costs({costs.data(), open.size()}), kArcKinds, past);
      int label = -1;
      if (move != kShift) {
        // A label matters only if the head is right; otherwise every label costs the same: nothing.
        const Word& word = x.words[c.s(0)];
        const int head = head_of_arc(c, move);
        const ArcKind kind = kind_of_arc(head, c.s(0));
        x.costs.assign(all_labels[kind].size(), head == word.gold_head ? word.price.label : 0);
        if (word.gold_label >= 0 && head == word.gold_head) x.costs[word.gold_label] = 0;
        look();
        label = search.predict(x.bag, all_labels[kind], Reference::costs(x.costs), kind, past);
        search.loss(word.price.of(head == word.gold_head, label == word.gold_label));
      }
      apply(c, x.words, move, label);
    }
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
    const auto level = settings.choice("features", "all", {"unigram", "bigram", "all", "rich"}, "which templates");
    options.features = level == "unigram" ? kUnigram : level == "bigram" ? kBigram : level == "all" ? kAll : kRich;
    options.printed = settings.choice("l2s_templates", "fixed", {"paper", "fixed"},
                                      "templates as printed, or as the authors' code has them") == "paper";
    loss = make_arc_loss(settings.text("loss", "labelled-210", "what an arc costs (docs/losses.md)"));
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
      for (int label = 0; label < labels[kind].size(); ++label) {
        all_labels[kind].push_back(label);
        label_atoms[kind].push_back(hash_string(labels[kind].text(label), 5));
      }
    }
    templates = make_templates();
  }
  void read(const Sentence& sentence, Example& x, bool gold) const {
    if (options.features == kRich) x.atoms.encode(sentence, {options.xpos, options.feats});
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
