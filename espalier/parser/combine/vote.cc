#include "espalier/parser/combine/vote.h"

#include <algorithm>

#include "espalier/search/kbest_trees.h"
#include "espalier/tree/projectivity.h"

namespace espalier {

void ArcVotes::reset(int words) {
  arcs_.reset(words);
  ballots_.resize(std::max(ballots_.size(), static_cast<size_t>(words) + 1));
  for (auto& of_word : ballots_) of_word.clear();
}

void ArcVotes::add(const Analysis& analysis, double weight) {
  for (int m = 1; m <= arcs_.words(); ++m) {
    const auto at = static_cast<size_t>(m);
    const int head = analysis.heads[at];
    float& votes = arcs_(head, m);
    votes = (votes == kNoArc ? 0 : votes) + static_cast<float>(weight);
    auto& ballots = ballots_[at];
    const auto same = std::ranges::find_if(
        ballots, [&](const Ballot& ballot) { return ballot.head == head && *ballot.relation == analysis.deprels[at]; });
    if (same != ballots.end()) {
      same->weight += weight;
    } else {
      ballots.push_back({head, &analysis.deprels[at], weight});
    }
  }
}

void ArcVotes::name(Analysis& analysis) const {
  analysis.deprels.assign(analysis.heads.size(), "");
  for (size_t m = 1; m < analysis.heads.size(); ++m) {
    const Ballot* best = nullptr;
    for (const Ballot& ballot : ballots_[m])
      if (ballot.head == analysis.heads[m] && (!best || ballot.weight > best->weight)) best = &ballot;
    analysis.deprels[m] = *best->relation;
  }
}

bool ArcVotes::best_tree(TreeKind kind, Analysis& analysis) {
  analysis.heads.assign(arcs_.words() + 1, -1);
  if (kind.projective) {
    if (arcs_.words() > 0 && chart_.fill(arcs_, kind.single_root) == kNoArc) return false;
    if (arcs_.words() > 0) chart_.best_heads(analysis.heads);
  } else if (spanning_.solve(arcs_, analysis.heads, kind.single_root) == kNoArc) {
    return false;
  }
  name(analysis);
  return true;
}

std::vector<Analysis> ArcVotes::best_trees(TreeKind kind, int k) {
  std::vector<Analysis> list(1);
  if (!best_tree(kind, list[0])) return {};
  if (arcs_.words() == 0) return list;
  // If the tree must be projective, other trees are skipped, up to a limit.
  int patience = 16 * k + 64;
  SpanningTreeEnumerator trees(arcs_, kind.single_root);
  SpanningTreeEnumerator::Tree tree;
  while (static_cast<int>(list.size()) < k && patience-- > 0 && trees.next(tree)) {
    if (kind.projective && !is_projective(tree.heads)) continue;
    Analysis next;
    next.heads = tree.heads;
    next.heads[0] = -1;
    if (next.heads == list[0].heads) continue;
    name(next);
    list.push_back(std::move(next));
  }
  return list;
}

double ArcVotes::votes(const Analysis& analysis) const {
  double sum = 0;
  for (int m = 1; m <= arcs_.words(); ++m) sum += arcs_(analysis.heads[m], m);
  return sum;
}

}  // namespace espalier
