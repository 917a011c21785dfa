#include "espalier/search/chu_liu_edmonds.h"

#include <algorithm>
#include <cmath>

#include "espalier/base/stop_point.h"

namespace espalier {
namespace {
constexpr int kFresh = -1, kDone = -2;
constexpr double kNone = -std::numeric_limits<double>::infinity();
}  // namespace

double ChuLiuEdmonds::solve(const ArcMatrix& scores, std::span<int> heads, bool single_root) {
  const int n = scores.words();
  if (n == 0) return 0;
  if (!contract_and_expand(scores, 0, heads)) return kNone;
  if (single_root && std::count(heads.begin() + 1, heads.begin() + n + 1, 0) != 1) {
    // A penalty on root arcs that exceeds the difference of any two trees makes their number the first criterion.
    double largest = 0;
    for (int h = 0; h <= n; ++h)
      for (int m = 1; m <= n; ++m)
        if (scores(h, m) != kNoArc && h != m) largest = std::max(largest, std::abs(static_cast<double>(scores(h, m))));
    if (!contract_and_expand(scores, 2.0 * n * largest + 1, heads) ||
        std::count(heads.begin() + 1, heads.begin() + n + 1, 0) != 1)
      return kNone;
  }
  double total = 0;
  for (int m = 1; m <= n; ++m) total += scores(heads[m], m);
  return total;
}

bool ChuLiuEdmonds::contract_and_expand(const ArcMatrix& scores, double root_penalty, std::span<int> heads) {
  const int n = scores.words();
  stride_ = static_cast<size_t>(n) + 1;
  in_.resize(stride_ * stride_);
  best_.assign(2 * stride_, {kNone, -1, -1});
  parent_.assign(2 * stride_, -1);
  node_of_.resize(stride_);
  place_.assign(stride_, kFresh);
  for (int v = 0; v <= n; ++v) {
    node_of_[v] = v;
    for (int u = 0; u <= n; ++u)
      in_[static_cast<size_t>(v) * stride_ + static_cast<size_t>(u)] = {
          v == 0 || u == v ? kNone : scores(u, v) - (u == 0 ? root_penalty : 0), u, v};
  }
  const auto in = [&](int v, int u) -> Arc& { return in_[static_cast<size_t>(v) * stride_ + static_cast<size_t>(u)]; };
  const auto better = [](const Arc& a, const Arc& b) {
    return a.score > b.score || (a.score == b.score && a.head < b.head);
  };
  int nodes = n + 1;
  place_[0] = kDone;
  for (int start = 1; start <= n; ++start) {
    if (node_of_[start] < 0 || place_[start] == kDone) continue;
    path_.assign(1, start);
    place_[start] = 0;
    while (true) {
      stop_point();
      const int v = path_.back();
      int u = -1;
      for (int slot = 0; slot <= n; ++slot)
        if (slot != v && node_of_[slot] >= 0 && (u < 0 || better(in(v, slot), in(v, u)))) u = slot;
      if (u < 0 || in(v, u).score == kNone) return false;
      best_[node_of_[v]] = in(v, u);
      if (place_[u] == kDone) {
        for (const int slot : path_) place_[slot] = kDone;
        break;
      }
      if (place_[u] == kFresh) {
        place_[u] = static_cast<int>(path_.size());
        path_.push_back(u);
        continue;
      }
      // A cycle: path_ from u on. Its supernode takes the slot of u.
      const auto first = path_.begin() + place_[u];
      const int super = nodes++;
      for (auto x = first; x != path_.end(); ++x) parent_[node_of_[*x]] = super;
      for (int w = 0; w <= n; ++w) {
        if (node_of_[w] < 0 || std::find(first, path_.end(), w) != path_.end()) continue;
        Arc enter{kNone, -1, -1}, leave{kNone, -1, -1};
        for (auto x = first; x != path_.end(); ++x) {
          Arc arc = in(*x, w);
          arc.score -= best_[node_of_[*x]].score;
          if (enter.head < 0 || better(arc, enter)) enter = arc;
          if (leave.head < 0 || better(in(w, *x), leave)) leave = in(w, *x);
        }
        in(u, w) = enter;
        in(w, u) = leave;
      }
      for (auto x = first; x != path_.end(); ++x) node_of_[*x] = -1;
      node_of_[u] = super;
      path_.erase(first + 1, path_.end());
    }
  }
  // Expand supernodes, latest first: the arc that enters one enters one of its members.
  for (int super = nodes - 1; super > n; --super) {
    const Arc arc = best_[super];
    int member = arc.modifier;
    while (parent_[member] != super) member = parent_[member];
    best_[member] = arc;
  }
  for (int m = 1; m <= n; ++m) heads[m] = best_[m].head;
  return true;
}

}  // namespace espalier
