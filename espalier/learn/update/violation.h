// Where to update after an inexact hypergraph search (Zhang, Huang, Zhao & McDonald 2013): at the root, at the item of
// the gold derivation with the largest violation, or on the frontier of such items. Pure functions over the gold
// derivation's tree of items. Tested by violation_test.cc.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace espalier {

enum class ViolationUpdate { kStandard, kSkip, kSingleMax, kParallelMax };
/// In the order of the enumeration; the setting `update`.
inline const std::vector<std::string>& violation_updates() {
  static const std::vector<std::string> names = {"standard", "skip", "s-max", "p-max"};
  return names;
}

/// An item of the gold derivation; children come before parents, the last one is the root.
struct GoldItem {
  float violation;            ///< best in beam minus gold, at this item
  bool same;                  ///< the best in the beam is the gold derivation itself
  int start, width;           ///< the words it spans
  int left = -1, right = -1;  ///< its children; -1 = a bare word, whose violation is 0
};

/// The items to update at. `standard` gives the root even if there is no violation.
inline std::vector<int> items_to_update(const std::vector<GoldItem>& items, ViolationUpdate update) {
  const int root = static_cast<int>(items.size()) - 1;
  if (root < 0) return {};
  const auto usable = [&](int i) { return !items[i].same && items[i].violation >= 0; };
  std::vector<int> chosen;
  switch (update) {
    case ViolationUpdate::kStandard:
      if (!items[root].same) chosen.push_back(root);
      break;
    case ViolationUpdate::kSkip:
      if (usable(root)) chosen.push_back(root);
      break;
    case ViolationUpdate::kSingleMax: {
      int best = -1;
      for (int i = 0; i <= root; ++i) {
        if (!usable(i)) continue;
        const GoldItem& a = items[i];
        if (best < 0 || a.violation > items[best].violation ||
            (a.violation == items[best].violation &&
             (a.width > items[best].width || (a.width == items[best].width && a.start < items[best].start))))
          best = i;
      }
      if (best >= 0) chosen.push_back(best);
      break;
    }
    case ViolationUpdate::kParallelMax: {
      // The largest violation below and including each item; an item is on the frontier if its own is that.
      std::vector<float> most(items.size());
      for (int i = 0; i <= root; ++i) {
        most[i] = items[i].violation;
        for (const int child : {items[i].left, items[i].right})
          most[i] = std::max(most[i], child < 0 ? 0.f : most[child]);
      }
      std::vector<int> open{root};
      while (!open.empty()) {
        const int i = open.back();
        open.pop_back();
        if (items[i].violation >= most[i]) {
          if (usable(i)) chosen.push_back(i);
          continue;
        }
        for (const int child : {items[i].left, items[i].right})
          if (child >= 0) open.push_back(child);
      }
      break;
    }
  }
  return chosen;
}

}  // namespace espalier
