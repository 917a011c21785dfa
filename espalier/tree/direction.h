// The direction in which a parser reads sentences. From the right it sees the words in the opposite order and learns
// from mirrored trees; nothing else differs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/tree/dependency_tree.h"

namespace espalier {

enum class Direction { kLeftToRight, kRightToLeft };

/// In the order of the enumeration.
inline const std::vector<std::string> kDirectionNames = {"l2r", "r2l"};

inline std::string name_of(Direction direction) { return kDirectionNames[static_cast<size_t>(direction)]; }

inline Direction direction_named(const std::string& name) {
  for (const Direction direction : {Direction::kLeftToRight, Direction::kRightToLeft})
    if (name == name_of(direction)) return direction;
  throw usage_error("unknown direction '{}'; known: l2r, r2l", name);
}

/// Turns the tree into that over the same words in the opposite order; its own inverse.
inline void mirror(DependencyTree& tree) {
  std::reverse(tree.head.begin() + 1, tree.head.end());
  std::reverse(tree.label.begin() + 1, tree.label.end());
  const int past = tree.size() + 1;
  for (size_t i = 1; i < tree.head.size(); ++i)
    if (tree.head[i] > 0) tree.head[i] = past - tree.head[i];
}

}  // namespace espalier
