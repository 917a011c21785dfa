#include "espalier/tree/projectivity.h"

#include <algorithm>
#include <cstdlib>
#include <deque>

namespace espalier {
namespace {

constexpr std::string_view kLifted = "\u2191";  // stands in no treebank's labels

size_t at(int i) { return static_cast<size_t>(i); }

// An arc is projective if every word between its ends is a descendant of the head. Climbing from each such word takes
// as many steps as its depth, which is small in real trees.
bool arc_is_projective(std::span<const int> head, int dependent) {
  const int h = head[at(dependent)];
  if (h == 0) return true;
  for (int i = std::min(h, dependent) + 1; i < std::max(h, dependent); ++i) {
    int up = i;
    while (up != 0 && up != h && up != dependent) up = head[at(up)];
    if (up == 0) return false;
  }
  return true;
}

bool descends_from(std::span<const int> heads, int word, int ancestor) {
  for (; word != 0; word = heads[word])
    if (word == ancestor) return true;
  return false;
}

}  // namespace

bool is_projective(std::span<const int> head) {
  // No word strictly inside an arc may attach outside it.
  const int n = static_cast<int>(head.size()) - 1;
  for (int d = 1; d <= n; ++d) {
    const int l = std::min(d, head[at(d)]), r = std::max(d, head[at(d)]);
    for (int e = l + 1; e < r; ++e)
      if (head[at(e)] < l || head[at(e)] > r) return false;
  }
  return true;
}

int projectivise(std::span<int> head, std::vector<bool>* lifted) {
  const int n = static_cast<int>(head.size()) - 1;
  std::vector<bool> moved(at(n) + 1, false);
  if (!is_projective(head)) {
    for (;;) {
      int best = 0;
      for (int d = 1; d <= n; ++d)
        if ((best == 0 || std::abs(head[at(d)] - d) < std::abs(head[at(best)] - best)) && !arc_is_projective(head, d))
          best = d;
      if (best == 0) break;
      head[at(best)] = head[at(head[at(best)])];
      moved[at(best)] = true;
    }
  }
  const int count = static_cast<int>(std::ranges::count(moved, true));
  if (lifted) *lifted = std::move(moved);
  return count;
}

int encode_pseudo_projective(Sentence& sentence) {
  std::vector<int> head{0};
  for (const Token& token : sentence.tokens) head.push_back(token.head);
  std::vector<bool> lifted;
  const int count = projectivise(head, &lifted);
  std::vector<std::string> labels;
  for (const Token& token : sentence.tokens) labels.push_back(token.deprel);
  for (int i = 1; i <= sentence.size(); ++i) {
    if (!lifted[at(i)]) continue;
    Token& token = sentence.word(i);
    token.deprel += std::string(kLifted) + labels[at(token.head - 1)];
  }
  for (int i = 1; i <= sentence.size(); ++i) sentence.word(i).head = head[at(i)];
  return count;
}

bool is_pseudo_projective(std::string_view label) { return label.find(kLifted) != std::string_view::npos; }

void decode_pseudo_projective(Analysis& analysis) {
  auto& heads = analysis.heads;
  auto& deprels = analysis.deprels;
  const int n = static_cast<int>(heads.size()) - 1;
  struct Lifted {
    int depth, word;
    std::string target;
  };
  std::vector<Lifted> moves;
  for (int i = 1; i <= n; ++i) {
    std::string& label = deprels[i];
    const size_t mark = label.find(kLifted);
    if (mark == std::string::npos) continue;
    int depth = 0;
    for (int up = i; up != 0; up = heads[up]) ++depth;
    moves.push_back({depth, i, label.substr(mark + kLifted.size())});
    label.resize(mark);
  }
  std::ranges::stable_sort(moves, {}, &Lifted::depth);
  for (const Lifted& move : moves) {
    int& head = heads[move.word];
    std::deque<int> queue{head};
    for (bool found = false; !queue.empty() && !found; queue.pop_front()) {
      for (int child = 1; child <= n && !found; ++child) {
        if (heads[child] != queue.front() || descends_from(heads, child, move.word)) continue;
        if (deprels[child] == move.target) {
          head = child;
          found = true;
        }
        queue.push_back(child);
      }
    }
  }
}

}  // namespace espalier
