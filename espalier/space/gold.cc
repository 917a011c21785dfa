#include "espalier/space/gold.h"

#include <utility>

namespace espalier {

Gold::Gold(const DependencyTree& tree) : head(tree.head), label(tree.label) {
  const size_t words = head.size();
  dependents_.resize(words);
  worth.assign(words, 1);
  left_count.assign(words, 0);
  right_count.assign(words, 0);
  for (size_t d = 1; d < words; ++d) {
    if (head[d] < 0) continue;
    const auto h = static_cast<size_t>(head[d]);
    dependents_[h].push_back(static_cast<int>(d));
    ++(d < h ? left_count : right_count)[h];
  }

  // In-order walk with an explicit stack: (word, next dependent to visit).
  order.assign(words, 0);
  int rank = 0;
  std::vector<std::pair<size_t, size_t>> path{{0, 0}};
  std::vector<bool> placed(words, false);
  while (!path.empty()) {
    auto& [word, next] = path.back();
    const auto& kids = dependents_[word];
    if (!placed[word] && (next == kids.size() || kids[next] > static_cast<int>(word))) {
      placed[word] = true;
      order[word] = rank++;
    }
    if (next == kids.size()) {
      path.pop_back();
    } else {
      path.emplace_back(static_cast<size_t>(kids[next++]), 0);
    }
  }

  // The arc-standard oracle without SWAP, as far as it gets: what it joins is a maximal projective component.
  std::vector<int> attached(words, 0), parent(words, 0), stack{0};
  auto complete = [&](int word) { return attached[word] == static_cast<int>(dependents_[word].size()); };
  for (int next = 1;;) {
    const size_t depth = stack.size();
    if (depth >= 2) {
      const int s0 = stack[depth - 1], s1 = stack[depth - 2];
      const auto z0 = static_cast<size_t>(s0), z1 = static_cast<size_t>(s1);
      if (s1 != 0 && head[z1] == s0 && complete(s1)) {
        parent[z1] = s0;
        ++attached[z0];
        stack.erase(stack.end() - 2);
        continue;
      }
      if (head[z0] == s1 && complete(s0)) {
        parent[z0] = s1;
        ++attached[z1];
        stack.pop_back();
        continue;
      }
    }
    if (next == static_cast<int>(words)) break;
    stack.push_back(next++);
  }
  component.assign(words, 0);
  for (size_t i = 0; i < words; ++i) {
    size_t up = i;
    while (parent[up] != 0) up = static_cast<size_t>(parent[up]);
    component[i] = static_cast<int>(up);
  }
}

int Gold::dependents_from(int word, int from) const {
  const auto& kids = dependents_[word];
  int count = 0;
  for (size_t i = kids.size(); i-- > 0 && kids[i] >= from;) ++count;
  return count;
}

int Gold::worth_from(int word, int from) const {
  const auto& kids = dependents_[word];
  int sum = 0;
  for (size_t i = kids.size(); i-- > 0 && kids[i] >= from;) sum += worth[kids[i]];
  return sum;
}

}  // namespace espalier
