#include "espalier/learn/classify/boost/examples.h"

#include <algorithm>

namespace espalier {
namespace {

/// A constituent of the gold tree, to be inferred when all constituents below it are.
struct GoldNode {
  int label, start, end;
  int parent;   // among the gold nodes, -1 for TOP
  int pending;  // constituents right below that are not inferred yet
};

/// All constituents in the order of the strategy's unique derivation (l2r's where there are several).
class Derivation {
 public:
  Derivation(const ConstituentTree& tree, const std::vector<int>& labels, bool from_right)
      : tree_(tree), labels_(labels), from_right_(from_right) {
    visit(0);
  }
  std::vector<GoldNode> nodes;

 private:
  /// Returns the words covered and adds the node after what is below it.
  std::pair<int, int> visit(int at) {
    const auto& node = tree_.nodes[at];
    if (node.is_leaf()) return {node.word - 1, node.word};
    std::vector<int> order = node.children;
    if (from_right_) std::ranges::reverse(order);
    int start = 1 << 30, end = 0;
    std::vector<int> below;
    for (const int child : order) {
      const auto [child_start, child_end] = visit(child);
      start = std::min(start, child_start);
      end = std::max(end, child_end);
      if (!tree_.nodes[child].is_leaf()) below.push_back(static_cast<int>(nodes.size()) - 1);
    }
    for (const int child : below) nodes[child].parent = static_cast<int>(nodes.size());
    nodes.push_back({labels_[at], start, end, -1, static_cast<int>(below.size())});
    return {start, end};
  }

  const ConstituentTree& tree_;
  const std::vector<int>& labels_;
  bool from_right_;
};

bool same(const GoldNode& a, const GoldNode& b) { return a.label == b.label && a.start == b.start && a.end == b.end; }

ItemSpan locate(const GoldNode& node, const ForestState& state, const Forest& forest) {
  const auto frontier = state.frontier(forest);
  ItemSpan span{-1, 0};
  for (int p = 0; p < state.size; ++p) {
    const Item& item = forest.items[frontier[p]];
    if (item.start < node.start || item.end > node.end) continue;
    if (span.first < 0) span.first = p;
    ++span.count;
  }
  return span;
}

/// Whether these items are all of the constituent, and nothing else is.
bool covers(ItemSpan span, const GoldNode& node, const ForestState& state, const Forest& forest) {
  if (span.count == 0) return false;
  const auto item = [&](int at) { return forest.items[state.frontier(forest)[at]]; };
  return item(span.first).start == node.start && item(span.first + span.count - 1).end == node.end;
}

}  // namespace

int BoostExamples::head(const Forest& forest, const ForestState& state, ItemSpan span, int label) const {
  const auto frontier = state.frontier(forest);
  const auto symbol = [&](int i) { return forest.items[frontier[span.first + i]].symbol; };
  if (span.count <= BottomUp::kMaxChildren) {
    int symbols[BottomUp::kMaxChildren];
    for (int i = 0; i < span.count; ++i) symbols[i] = symbol(i);
    return span.first + heads_.head(label, {symbols, static_cast<size_t>(span.count)});
  }
  std::vector<int> symbols;
  for (int i = 0; i < span.count; ++i) symbols.push_back(symbol(i));
  return span.first + heads_.head(label, symbols);
}

size_t BoostExamples::state_of(uint32_t span) const {
  return static_cast<size_t>(std::ranges::upper_bound(states, span, {}, &State::begin) - states.begin()) - 1;
}

size_t BoostExamples::sentence_of(size_t state) const {
  return static_cast<size_t>(std::ranges::upper_bound(sentences, static_cast<uint32_t>(state), {}, &Sentence::begin) -
                             sentences.begin()) -
         1;
}

void BoostExamples::add_state(const ForestState& state, const std::vector<ItemSpan>& licensed,
                              const std::vector<Correct>& correct, const Forest& forest) {
  State example{state, static_cast<uint32_t>(spans.size()), 0, 0, 0};
  size_t allowed = 0;
  for (const ItemSpan span : licensed) {
    spans.push_back({static_cast<uint16_t>(span.first), static_cast<uint16_t>(span.count)});
    for (int label = 0; label < logic_.labels(); ++label) {
      allowed += logic_.allows(state, forest, span, label) && span.count <= BottomUp::kMaxChildren;
    }
  }
  const size_t wrong = allowed > correct.size() ? allowed - correct.size() : 0;
  candidates += correct.size() + wrong;
  example.positive_bias = value_ * 0.5F / static_cast<float>(correct.size());
  example.negative_bias = wrong ? value_ * 0.5F / static_cast<float>(wrong) : 0;
  const size_t first_positive = positives.size();
  for (const auto& [span, label] : correct) {
    const auto found = std::ranges::find(licensed, span);
    if (found != licensed.end() && span.count <= BottomUp::kMaxChildren) {
      const auto at = example.begin + static_cast<uint32_t>(found - licensed.begin());
      positives.push_back({at, label, example.positive_bias, false});
    } else {
      positives.push_back({static_cast<uint32_t>(spans.size()), label, example.positive_bias, true});
      spans.push_back({static_cast<uint16_t>(span.first), static_cast<uint16_t>(span.count)});
    }
  }
  // Several inferences may be correct, found in no order.
  std::ranges::sort(positives.begin() + static_cast<std::ptrdiff_t>(first_positive), positives.end(), {},
                    &Positive::span);
  example.end = static_cast<uint32_t>(spans.size());
  states.push_back(example);
}

bool BoostExamples::add(std::span<const int> terminals, std::vector<WordValues> words, const ConstituentTree& tree,
                        const std::vector<int>& labels, Rng& rng, size_t first_step) {
  if (tree.nodes[0].children.size() != 1 || terminals.size() > size_t{BottomUp::kMostWords}) return false;
  const bool deterministic = logic_.deterministic();
  auto nodes = Derivation(tree, labels, logic_.strategy() == Strategy::kRightToLeft).nodes;
  sentences.emplace_back();
  Sentence& sentence = sentences.back();
  sentence.words = std::move(words);
  sentence.begin = static_cast<uint32_t>(states.size());
  ForestState state = logic_.initial(terminals, sentence.forest);

  std::vector<int> ready;  // constituents that can be inferred now
  for (size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].pending == 0) ready.push_back(static_cast<int>(i));
  }
  std::vector<ItemSpan> licensed;
  std::vector<Correct> correct;
  for (size_t step = 0; step < nodes.size(); ++step) {
    const size_t pick = deterministic ? 0 : rng.below(ready.size());
    const int chosen = deterministic ? static_cast<int>(step) : ready[pick];
    logic_.spans(state, sentence.forest, licensed);
    correct.clear();
    for (const int next : deterministic ? std::vector<int>{chosen} : ready) {
      const GoldNode& node = nodes[next];
      correct.push_back({locate(node, state, sentence.forest), node.label});
    }
    if (step >= first_step) add_state(state, licensed, correct, sentence.forest);

    const GoldNode& node = nodes[chosen];
    const ItemSpan span = locate(node, state, sentence.forest);
    state = logic_.apply(state, sentence.forest, span, node.label,
                         head(sentence.forest, state, span, node.label) - span.first);
    if (!deterministic) ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(pick));
    if (node.parent >= 0 && --nodes[node.parent].pending == 0) ready.push_back(node.parent);
  }
  sentence.end = static_cast<uint32_t>(states.size());
  return true;
}

size_t BoostExamples::add_mistakes(std::span<const int> terminals, std::vector<WordValues> words,
                                   const ConstituentTree& gold, const std::vector<int>& gold_labels,
                                   const ConstituentTree& parsed, const std::vector<int>& parsed_labels) {
  if (terminals.size() > size_t{BottomUp::kMostWords}) return 0;
  const bool from_right = logic_.strategy() == Strategy::kRightToLeft;
  const auto wanted = Derivation(gold, gold_labels, from_right).nodes;
  const auto taken = Derivation(parsed, parsed_labels, from_right).nodes;
  sentences.emplace_back();
  Sentence& sentence = sentences.back();
  sentence.words = std::move(words);
  sentence.begin = static_cast<uint32_t>(states.size());
  ForestState state = logic_.initial(terminals, sentence.forest);
  std::vector<ItemSpan> licensed;
  bool strayed = false;
  int since_mistake = 0;
  size_t next = 0;  // constituents before it are built, or can be no more: the order is that of the derivation
  for (const GoldNode& step : taken) {
    logic_.spans(state, sentence.forest, licensed);
    // The first constituent that can still be built.
    size_t correct = next;
    ItemSpan span;
    for (; correct < wanted.size(); ++correct) {
      span = locate(wanted[correct], state, sentence.forest);
      if (covers(span, wanted[correct], state, sentence.forest) && span.count <= BottomUp::kMaxChildren &&
          std::ranges::find(licensed, span) != licensed.end() &&
          logic_.allows(state, sentence.forest, span, wanted[correct].label)) {
        break;
      }
    }
    const bool mistaken = correct == wanted.size() || !same(step, wanted[correct]);
    since_mistake = mistaken ? 0 : since_mistake + 1;
    if (strayed && since_mistake <= kAftermath && correct < wanted.size())
      add_state(state, licensed, {{span, wanted[correct].label}}, sentence.forest);
    strayed = strayed || mistaken;
    if (const auto built = std::ranges::find_if(wanted, [&](const GoldNode& node) { return same(node, step); });
        built != wanted.end()) {
      next = std::max(next, static_cast<size_t>(built - wanted.begin()) + 1);
    }
    span = locate(step, state, sentence.forest);
    state = logic_.apply(state, sentence.forest, span, step.label,
                         head(sentence.forest, state, span, step.label) - span.first);
  }
  sentence.end = static_cast<uint32_t>(states.size());
  const size_t added = sentence.end - sentence.begin;
  if (added == 0) sentences.pop_back();
  return added;
}

size_t BoostExamples::add_preference(std::span<const int> terminals, const std::vector<WordValues>& words,
                                     const ConstituentTree& better, const std::vector<int>& better_labels,
                                     const ConstituentTree& worse, const std::vector<int>& worse_labels, float value) {
  const bool from_right = logic_.strategy() == Strategy::kRightToLeft;
  const auto wanted = Derivation(better, better_labels, from_right).nodes;
  const auto taken = Derivation(worse, worse_labels, from_right).nodes;
  const auto [parts, other] = std::ranges::mismatch(wanted, taken, same);
  const size_t before = states.size();
  value_ = value;
  Rng unused(0, "derivations");  // there is one
  if (add(terminals, words, better, better_labels, unused, static_cast<size_t>(parts - wanted.begin())))
    add_mistakes(terminals, words, better, better_labels, worse, worse_labels);
  value_ = 1;
  return states.size() - before;
}

}  // namespace espalier
