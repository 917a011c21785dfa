#include "espalier/eval/bracket.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <queue>
#include <string_view>
#include <vector>

#include "espalier/base/contains.h"

namespace espalier {
namespace {

constexpr std::string_view kDeletedTags[] = {",", ":", "``", "''", "."};
constexpr std::string_view kUncountedLabels[] = {"", "TOP", "ROOT", "S1"};
constexpr std::string_view kTrace = "-NONE-";

/// "NP-SBJ-1" → "NP", "-NONE-" as it is; PRT → ADVP.
std::string_view bracket_label(std::string_view label) {
  if (const size_t cut = label.find_first_of("-=", 1); cut != std::string_view::npos) label = label.substr(0, cut);
  return label == "PRT" ? "ADVP" : label;
}

struct Leaf {
  std::string_view tag, form;
  bool deleted = false;
};

struct Bracket {
  int begin, end;  ///< half open, in words that were not deleted
  std::string_view label;
  friend auto operator<=>(const Bracket&, const Bracket&) = default;
};

/// The words of the sentence that are under the tree, left to right, without traces. (No recursion: trees may be deep.)
std::vector<Leaf> leaves_of(const Sentence& sentence, const ConstituentTree& tree) {
  std::vector<Leaf> leaves;
  const auto& nodes = tree.nodes;
  std::vector<int> pending;
  if (!nodes.empty()) pending.push_back(0);
  while (!pending.empty()) {
    const auto& node = nodes[pending.back()];
    pending.pop_back();
    if (node.is_leaf() && node.word >= 1 && node.word <= sentence.size() && node.label != kTrace)
      leaves.push_back({node.label, sentence.word(node.word).form});
    pending.insert(pending.end(), node.children.rbegin(), node.children.rend());
  }
  return leaves;
}

/// The brackets over the remaining leaves, sorted. Empty nodes have none.
std::vector<Bracket> sorted_brackets(const ConstituentTree& tree, const std::vector<Leaf>& leaves, bool labelled) {
  std::vector<Bracket> brackets;
  struct Frame {
    int node;
    size_t child;
    int begin;
  };
  std::vector<Frame> stack;
  size_t leaf = 0;
  int position = 0;
  if (!tree.empty()) stack.push_back({0, 0, 0});
  while (!stack.empty()) {
    Frame& frame = stack.back();
    const auto& node = tree.nodes[frame.node];
    if (node.is_leaf()) {
      if (node.word != 0 && node.label != kTrace && leaf < leaves.size()) position += !leaves[leaf++].deleted;
      stack.pop_back();
    } else if (frame.child < node.children.size()) {
      stack.push_back({node.children[frame.child++], 0, position});
    } else {
      const std::string_view label = bracket_label(node.label);
      if (position > frame.begin && !contains(kUncountedLabels, label))
        brackets.push_back({frame.begin, position, labelled ? label : std::string_view()});
      stack.pop_back();
    }
  }
  std::ranges::sort(brackets);
  return brackets;
}

/// Tells whether a span crosses one of the given brackets, in O(1) after O(n log n).
/// [a, b) with a < c < b < d crosses [c, d) from the left: it is enough to know the smallest such b for each c; and
/// likewise the largest a with c < a < d < b for each d.
class CrossingTest {
 public:
  CrossingTest(std::vector<Bracket> brackets, int words) : first_end_(words + 1, words), last_begin_(words + 1, 0) {
    std::priority_queue<int, std::vector<int>, std::greater<>> ends;
    size_t next = 0;  // brackets are sorted by where they begin
    for (int c = 0; c <= words; ++c) {
      for (; next < brackets.size() && brackets[next].begin < c; ++next) ends.push(brackets[next].end);
      while (!ends.empty() && ends.top() <= c) ends.pop();
      if (!ends.empty()) first_end_[c] = ends.top();
    }
    std::ranges::sort(brackets, std::greater<>(), &Bracket::end);
    std::priority_queue<int> begins;
    next = 0;
    for (int d = words; d >= 0; --d) {
      for (; next < brackets.size() && brackets[next].end > d; ++next) begins.push(brackets[next].begin);
      while (!begins.empty() && begins.top() >= d) begins.pop();
      if (!begins.empty()) last_begin_[d] = begins.top();
    }
  }

  bool operator()(const Bracket& bracket) const {
    return first_end_[bracket.begin] < bracket.end || last_begin_[bracket.end] > bracket.begin;
  }

 private:
  std::vector<int> first_end_, last_begin_;
};

/// Takes words out of both sides by gold's tags; false if the words that remain differ.
bool delete_and_compare(std::vector<Leaf>& gold, std::vector<Leaf>& system) {
  if (gold.size() != system.size()) return false;
  for (size_t i = 0; i < gold.size(); ++i) {
    gold[i].deleted = system[i].deleted = contains(kDeletedTags, gold[i].tag);
    if (!gold[i].deleted && gold[i].form != system[i].form) return false;
  }
  return true;
}

/// Of sorted brackets.
Overlap overlap(const std::vector<Bracket>& gold, const std::vector<Bracket>& system, BracketsByLabel* by_label) {
  std::vector<Bracket> matched;
  std::ranges::set_intersection(gold, system, std::back_inserter(matched));
  if (by_label) {
    const auto entry = [&](const Bracket& bracket) -> Overlap& { return (*by_label)[std::string(bracket.label)]; };
    for (const Bracket& bracket : matched) ++entry(bracket).correct;
    for (const Bracket& bracket : gold) ++entry(bracket).gold;
    for (const Bracket& bracket : system) ++entry(bracket).system;
  }
  return {static_cast<long>(matched.size()), static_cast<long>(gold.size()), static_cast<long>(system.size())};
}

}  // namespace

int length_without_traces(const Sentence& sentence) {
  return static_cast<int>(leaves_of(sentence, sentence.constituents).size());
}

BracketScore& BracketScore::operator+=(const BracketScore& other) {
  sentences += other.sentences;
  errors += other.errors;
  failures += other.failures;
  brackets += other.brackets;
  exact += other.exact;
  crossing += other.crossing;
  no_crossing += other.no_crossing;
  at_most_two_crossing += other.at_most_two_crossing;
  tags += other.tags;
  return *this;
}

BracketScore score_brackets(const Sentence& gold, const Sentence& system, const BracketOptions& options,
                            BracketsByLabel* by_label) {
  BracketScore score;
  score.sentences = 1;
  std::vector<Leaf> gold_leaves = leaves_of(gold, gold.constituents),
                    system_leaves = leaves_of(system, system.constituents);
  const bool failed = system_leaves.empty() && !gold_leaves.empty();
  score.failures = failed;
  if (failed && options.skip_failures) return score;
  if (failed) {
    system_leaves = gold_leaves;
    for (Leaf& leaf : system_leaves) leaf.tag = {};
  }
  if (!delete_and_compare(gold_leaves, system_leaves)) {
    score.errors = 1;
    return score;
  }

  const auto gold_brackets = sorted_brackets(gold.constituents, gold_leaves, options.labelled);
  const auto system_brackets =
      failed ? std::vector<Bracket>() : sorted_brackets(system.constituents, system_leaves, options.labelled);
  score.brackets = overlap(gold_brackets, system_brackets, by_label);
  score.exact.add(score.brackets.correct == score.brackets.gold && score.brackets.correct == score.brackets.system);
  score.crossing =
      std::ranges::count_if(system_brackets, CrossingTest(gold_brackets, static_cast<int>(gold_leaves.size())));
  score.no_crossing.add(score.crossing == 0);
  score.at_most_two_crossing.add(score.crossing <= 2);
  for (size_t i = 0; i < gold_leaves.size(); ++i)
    if (!gold_leaves[i].deleted) score.tags.add(gold_leaves[i].tag == system_leaves[i].tag);

  return score;
}

Overlap overlap_of_brackets(const Sentence& gold, const ConstituentTree& system, BracketsByLabel* by_label) {
  std::vector<Leaf> gold_leaves = leaves_of(gold, gold.constituents), system_leaves = leaves_of(gold, system);
  const bool whole = system_leaves.size() == gold_leaves.size();
  if (!whole) system_leaves = gold_leaves;
  const bool comparable = delete_and_compare(gold_leaves, system_leaves) && whole;
  const auto right = sorted_brackets(gold.constituents, gold_leaves, true);
  const auto found = comparable ? sorted_brackets(system, system_leaves, true) : std::vector<Bracket>();
  return overlap(right, found, by_label);
}

std::vector<Phrase> brackets_of(const ConstituentTree& tree) {
  std::vector<Phrase> phrases = phrases_of(tree);
  std::erase_if(phrases, [](const Phrase& phrase) { return contains(kUncountedLabels, bracket_label(phrase.label)); });
  return phrases;
}

std::vector<bool> right_brackets(const Sentence& gold, const ConstituentTree& system) {
  std::vector<Leaf> leaves = leaves_of(gold, gold.constituents), system_leaves = leaves_of(gold, system);
  const std::vector<Phrase> phrases = brackets_of(system);
  std::vector<bool> right(phrases.size(), false);
  if (!delete_and_compare(leaves, system_leaves)) return right;
  std::vector<int> before(leaves.size() + 1, 0);  // words that count
  for (size_t i = 0; i < leaves.size(); ++i) before[i + 1] = before[i] + !leaves[i].deleted;
  std::vector<Bracket> wanted = sorted_brackets(gold.constituents, leaves, true);
  for (size_t i = 0; i < phrases.size(); ++i) {
    const Bracket own{before.at(static_cast<size_t>(phrases[i].first - 1)),
                      before.at(static_cast<size_t>(phrases[i].last)), bracket_label(phrases[i].label)};
    const auto found = std::ranges::find(wanted, own);
    right[i] = own.begin == own.end || found != wanted.end();  // nothing is wrong with what does not count
    if (found != wanted.end()) wanted.erase(found);
  }
  return right;
}

BracketScore score_brackets(std::span<const Sentence> gold, std::span<const Sentence> system,
                            const BracketOptions& options) {
  static const Sentence none;
  BracketScore total;
  for (size_t i = 0; i < gold.size(); ++i)
    total += score_brackets(gold[i], i < system.size() ? system[i] : none, options);
  return total;
}

}  // namespace espalier
