// A labelled dependency tree in numbers, as search spaces build it.
#pragma once

#include <cstddef>
#include <vector>

namespace espalier {

/// head[i] and label[i] of word i, 1..n; entry 0 (the artificial root) is unused. Labels are ids of the model.
struct DependencyTree {
  std::vector<int> head, label;

  DependencyTree() = default;
  explicit DependencyTree(int words) : head(words + 1, -1), label(words + 1, -1) {}

  int size() const { return static_cast<int>(head.size()) - 1; }
  friend bool operator==(const DependencyTree&, const DependencyTree&) = default;
};

}  // namespace espalier
