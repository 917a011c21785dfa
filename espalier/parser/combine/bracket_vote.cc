#include "espalier/parser/combine/bracket_vote.h"

#include <algorithm>

#include "espalier/base/stop_point.h"

namespace espalier {

std::vector<BracketVotes::Chain> BracketVotes::chains_of(const ConstituentTree& tree) {
  std::vector<Phrase> phrases = phrases_of(tree);
  // Parents stay before their children.
  std::ranges::stable_sort(phrases, {}, [](const Phrase& phrase) { return std::pair(phrase.first, phrase.last); });
  std::vector<Chain> chains;
  for (const Phrase& phrase : phrases) {
    if (chains.empty() || chains.back().first != phrase.first || chains.back().last != phrase.last)
      chains.push_back({phrase.first, phrase.last, {}});
    chains.back().labels.push_back(phrase.label);
  }
  return chains;
}

template <class Visit>
void BracketVotes::for_each_name(const Chain& chain, Visit&& visit) {
  for (auto label = chain.labels.begin(); label != chain.labels.end(); ++label)
    visit(Name{chain.first, chain.last, *label, static_cast<int>(std::count(chain.labels.begin(), label, *label))});
}

void BracketVotes::add(const ConstituentTree& tree, double weight) {
  voters_.push_back({&tree, chains_of(tree)});
  all_ += weight;
  for (const Chain& chain : voters_.back().chains)
    for_each_name(chain, [&](const Name& name) { votes_[name] += weight; });
}

double BracketVotes::gain(const Chain& chain, double share) const {
  double sum = 0;
  for_each_name(chain, [&](const Name& name) {
    const auto votes = votes_.find(name);
    sum += (votes == votes_.end() ? 0 : votes->second) - share * all_;
  });
  return sum;
}

double BracketVotes::gain(const ConstituentTree& tree, double share) const {
  double sum = 0;
  for (const Chain& chain : chains_of(tree)) sum += gain(chain, share);
  return sum;
}

std::vector<BracketVotes::Span> BracketVotes::candidates(double share) const {
  std::map<std::pair<int, int>, Span> best;  // by last word and the negated first one
  for (const Voter& voter : voters_)
    for (const Chain& chain : voter.chains) {
      const double own = gain(chain, share);
      const auto [place, is_new] = best.try_emplace({chain.last, -chain.first}, Span{&chain, own, own});
      if (!is_new && own > place->second.own) place->second = {&chain, own, own};
    }
  std::vector<Span> spans;
  for (const auto& [words, span] : best)
    if (span.own > 0) spans.push_back(span);
  return spans;
}

/// The best spans side by side within one.
class BracketVotes::Schedule {
 public:
  Schedule(std::span<const Span> spans, int words) : spans_(spans), ending_(static_cast<size_t>(words) + 2) {
    size_t next = 0;
    for (int last = 0; last <= words + 1; ++last) {
      while (next < spans.size() && spans[next].chain->last < last) ++next;
      ending_[last] = next;
    }
    best_.resize(words + 1);
    choice_.resize(best_.size());
  }

  /// What can be gained by spans within first..last, `outer` and those after it left out.
  double fill(int first, int last, size_t outer) {
    stop_point();
    best_[first - 1] = 0;
    for (int word = first; word <= last; ++word) {
      const auto at = static_cast<size_t>(word);
      best_[at] = best_[at - 1];
      choice_[at] = kNone;
      const size_t end = std::min(ending_[at + 1], outer);
      for (size_t i = ending_[at]; i < end && spans_[i].chain->first >= first; ++i) {
        const double sum = best_[spans_[i].chain->first - 1] + spans_[i].total;
        if (sum > best_[at]) best_[at] = sum, choice_[at] = i;
      }
    }
    return best_[last];
  }
  /// After `fill`: the spans, from the left.
  std::vector<size_t> chosen(int first, int last) const {
    std::vector<size_t> all;
    for (int word = last; word >= first;) {
      const size_t i = choice_[word];
      if (i != kNone) all.push_back(i);
      word = i == kNone ? word - 1 : spans_[i].chain->first - 1;
    }
    std::ranges::reverse(all);
    return all;
  }

 private:
  static constexpr size_t kNone = static_cast<size_t>(-1);
  std::span<const Span> spans_;
  std::vector<size_t> ending_;  // where the spans that end at a word begin; longer ones come later
  std::vector<double> best_;
  std::vector<size_t> choice_;
};

ConstituentTree BracketVotes::best_tree(double share) const {
  ConstituentTree tree;
  if (voters_.empty() || voters_.front().tree->empty()) return tree;
  const ConstituentTree& first = *voters_.front().tree;
  std::vector<const ConstituentTree::Node*> leaves{nullptr};  // by word
  for (const auto& node : first.nodes)
    if (node.word > 0) {
      leaves.resize(std::max(leaves.size(), static_cast<size_t>(node.word) + 1));
      leaves[node.word] = &node;
    }
  const int words = static_cast<int>(leaves.size()) - 1;
  std::vector<Span> spans = candidates(share);
  Schedule schedule(spans, words);
  for (size_t i = 0; i < spans.size(); ++i)
    spans[i].total = spans[i].own + schedule.fill(spans[i].chain->first, spans[i].chain->last, i);

  const auto add = [&](int parent, std::string label, int word) {
    const int number = static_cast<int>(tree.nodes.size());
    tree.nodes.push_back({std::move(label), {}, word});
    if (parent >= 0) tree.nodes[parent].children.push_back(number);
    return number;
  };
  /// A node whose children are being added, from the left.
  struct Open {
    int node, word, last;
    std::vector<size_t> inside;
    size_t next = 0;
  };
  std::vector<Open> open;
  const auto open_node = [&](int node, int from, int to, size_t outer) {
    schedule.fill(from, to, outer);
    open.push_back({node, from, to, schedule.chosen(from, to)});
  };
  const auto open_chain = [&](int parent, size_t i) {
    const Chain& chain = *spans[i].chain;
    for (const std::string_view label : chain.labels) parent = add(parent, std::string(label), 0);
    open_node(parent, chain.first, chain.last, i);
  };
  const std::string& root = first.nodes[0].label;
  const bool whole = !spans.empty() && spans.back().chain->first == 1 && spans.back().chain->last == words;
  if (whole && spans.back().chain->labels.front() == root) {
    open_chain(-1, spans.size() - 1);
  } else {
    open_node(add(-1, root, 0), 1, words, spans.size());
  }
  while (!open.empty()) {
    Open& top = open.back();
    const bool done = top.next == top.inside.size();
    const int end = done ? top.last + 1 : spans[top.inside[top.next]].chain->first;
    for (; top.word < end; ++top.word) add(top.node, leaves[top.word]->label, top.word);
    if (done) {
      open.pop_back();
      continue;
    }
    const size_t i = top.inside[top.next++];
    top.word = spans[i].chain->last + 1;
    open_chain(top.node, i);  // `top` may have moved
  }
  return tree;
}

}  // namespace espalier
