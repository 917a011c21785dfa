#include "espalier/search/kbest_trees.h"

#include <algorithm>
#include <cmath>

#include "espalier/base/stop_point.h"

namespace espalier {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();

/// enter[v] <= enter[x] and leave[x] <= leave[v] iff x is v or below it.
void number_tree(const std::vector<int>& heads, std::vector<int>& enter, std::vector<int>& leave) {
  const size_t n = heads.size();
  std::vector<std::vector<int>> children(n);
  for (size_t m = 1; m < n; ++m) children[heads[m]].push_back(static_cast<int>(m));
  enter.assign(n, 0);
  leave.assign(n, 0);
  int clock = 0;
  std::vector<std::pair<int, size_t>> stack{{0, 0}};
  enter[0] = clock++;
  while (!stack.empty()) {
    auto& [v, next] = stack.back();
    const auto& below = children[v];
    if (next == below.size()) {
      leave[v] = clock++;
      stack.pop_back();
    } else {
      const int child = below[next++];
      enter[child] = clock++;
      stack.push_back({child, 0});
    }
  }
}

}  // namespace

SpanningTreeEnumerator::SpanningTreeEnumerator(const ArcMatrix& scores, bool single_root)
    : scores_(scores), single_root_(single_root) {
  const int n = scores.words();
  if (!single_root) return;
  // A penalty on root arcs that exceeds the difference of any two trees: all trees with one root arc come first.
  double largest = 0;
  for (int h = 0; h <= n; ++h)
    for (int m = 1; m <= n; ++m)
      if (h != m && scores(h, m) != kNoArc) largest = std::max(largest, std::abs(static_cast<double>(scores(h, m))));
  // A power of two: subtracting it and adding it back loses the fewest bits of a float.
  root_penalty_ = std::exp2(std::ceil(std::log2(4.0 * n * largest + 1)));
}

void SpanningTreeEnumerator::restrict(const Subset& subset, ArcMatrix& allowed) const {
  const int n = scores_.words();
  allowed = scores_;
  for (const auto& [h, m] : subset.banned) allowed(h, m) = kNoArc;
  for (int m = 1; m <= n; ++m)
    if (subset.forced[m])
      for (int h = 0; h <= n; ++h)
        if (h != subset.heads[m]) allowed(h, m) = kNoArc;
}

void SpanningTreeEnumerator::push(std::shared_ptr<const Subset> subset) {
  restrict(*subset, allowed_);
  const Removal removal = cheapest_removal(allowed_, subset->heads, subset->forced);
  if (removal.loss != kInfinite)
    queue_.push({subset->score - removal.loss, pushed_++, removal.modifier, std::move(subset)});
}

bool SpanningTreeEnumerator::next(Tree& tree) {
  const int n = scores_.words();
  tree.heads.assign(n + 1, 0);
  if (!started_) {
    started_ = true;
    tree.score = solver_.solve(scores_, tree.heads, single_root_);
    if (tree.score == -kInfinite) return false;
    if (n == 0) return true;
    auto all = std::make_shared<Subset>();
    all->heads = tree.heads;
    all->forced.assign(n + 1, 0);
    all->score = tree.score - (single_root_ ? root_penalty_ : 0);
    push(std::move(all));
    return true;
  }
  if (queue_.empty()) return false;
  const Entry top = queue_.top();
  queue_.pop();
  const int m = top.modifier, h = top.subset->heads[m];
  // The trees without the arc: their best tree is the next one to deliver.
  auto without = std::make_shared<Subset>(*top.subset);
  without->banned.push_back({h, m});
  restrict(*without, allowed_);
  const double score = solver_.solve(allowed_, tree.heads, single_root_);
  if (score == -kInfinite) {  // only trees with several roots are left
    queue_ = {};
    return false;
  }
  without->heads = tree.heads;
  without->score = score - (single_root_ ? root_penalty_ : 0);
  tree.score = score;
  // The trees with the arc: the best tree stays, and the arc is forced.
  auto with = std::make_shared<Subset>(*top.subset);
  with->forced[m] = 1;
  push(std::move(with));
  push(std::move(without));
  return true;
}

SpanningTreeEnumerator::Removal SpanningTreeEnumerator::cheapest_removal(const ArcMatrix& allowed,
                                                                         const std::vector<int>& heads,
                                                                         const std::vector<char>& forced) const {
  const int n = allowed.words();
  const auto size = static_cast<size_t>(n) + 1;
  std::vector<int> enter, leave;
  number_tree(heads, enter, leave);
  const auto below = [&](int x, int v) { return enter[v] <= enter[x] && leave[x] <= leave[v]; };
  // Contracted groups of words. paid[m]: the scores of the arcs that enter the groups inside m's group; the adjusted
  // score of h -> m is its score less paid[m].
  std::vector<std::vector<int>> members(size);
  std::vector<int> group(size);
  std::vector<double> paid(size, 0);
  for (int v = 0; v <= n; ++v) members[v] = {v}, group[v] = v;
  std::vector<char> done(size, 0);
  done[0] = 1;
  const auto adjusted = [&](int h, int m) { return allowed(h, m) - (h == 0 ? root_penalty_ : 0) - paid[m]; };
  Removal best{kInfinite, 0};
  std::vector<int> path;
  std::vector<double> chosen(size, 0);
  for (int start = 1; start <= n; ++start) {
    int v = group[start];
    if (done[v]) continue;
    path.assign(1, v);
    while (true) {
      stop_point();
      v = path.back();
      // The best arc into the group; among equal ones an arc of the tree.
      double score = -kInfinite;
      int head = -1, modifier = -1;
      bool of_tree = false;
      for (const int m : members[v])
        for (int h = 0; h <= n; ++h) {
          if (group[h] == v || allowed(h, m) == kNoArc) continue;
          const double here = adjusted(h, m);
          const bool mine = heads[m] == h;
          if (here > score || (here == score && mine && !of_tree)) score = here, head = h, modifier = m, of_tree = mine;
        }
      chosen[v] = score;
      if (of_tree && !forced[modifier])
        for (const int m : members[v])
          for (int h = 0; h <= n; ++h) {
            if (allowed(h, m) == kNoArc || group[h] == v || (h == head && m == modifier) || below(h, modifier))
              continue;
            if (const double loss = score - adjusted(h, m); loss < best.loss) best = {loss, modifier};
          }
      const int u = group[head];
      if (done[u]) {
        for (const int x : path) done[x] = 1;
        break;
      }
      const auto first = std::find(path.begin(), path.end(), u);
      if (first == path.end()) {
        path.push_back(u);
        continue;
      }
      for (auto x = first; x != path.end(); ++x)
        for (const int m : members[*x]) paid[m] += chosen[*x];
      for (auto x = first + 1; x != path.end(); ++x) {
        auto& moved = members[*x];
        for (const int m : moved) group[m] = u;
        members[u].insert(members[u].end(), moved.begin(), moved.end());
        moved.clear();
      }
      path.erase(first + 1, path.end());
    }
  }
  // A loss of that size means a tree with a second root word.
  return single_root_ && best.loss > root_penalty_ / 2 ? Removal{kInfinite, 0} : best;
}

}  // namespace espalier
