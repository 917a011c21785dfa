// Every dependency tree over a few words, for tests: the referee of all searches over trees.
#pragma once

#include <functional>
#include <vector>

namespace espalier {

/// True if no two arcs cross, the arc from 0 included.
inline bool arcs_do_not_cross(const std::vector<int>& heads) {
  const int n = static_cast<int>(heads.size()) - 1;
  for (int a = 1; a <= n; ++a)
    for (int b = 1; b <= n; ++b) {
      const int a1 = a < heads[a] ? a : heads[a], a2 = a < heads[a] ? heads[a] : a;
      const int b1 = b < heads[b] ? b : heads[b], b2 = b < heads[b] ? heads[b] : b;
      if (a1 < b1 && b1 < a2 && a2 < b2) return false;
    }
  return true;
}

/// Calls `visit(heads)` for every tree over 1..n rooted in 0 (heads[0] = 0 is unused).
inline void for_each_tree(int n, bool single_root, const std::function<void(const std::vector<int>&)>& visit) {
  std::vector<int> heads(n + 1, 0);
  const auto is_tree = [&] {
    int roots = 0;
    for (int m = 1; m <= n; ++m) {
      roots += heads[m] == 0;
      int steps = 0;
      for (int v = m; v != 0; v = heads[v])
        if (++steps > n) return false;
    }
    return !single_root || roots == 1;
  };
  const std::function<void(int)> extend = [&](int m) {
    if (m > n) {
      if (is_tree()) visit(heads);
      return;
    }
    for (int h = 0; h <= n; ++h)
      if (h != m) heads[m] = h, extend(m + 1);
  };
  extend(1);
}

}  // namespace espalier
