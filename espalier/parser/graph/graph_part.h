// One part of a dependency tree for the features of graph parsers, and the columns of its labels' weights.
#pragma once

#include <array>
#include <cstdint>

#include "espalier/base/hash.h"
#include "espalier/parser/graph/graph_templates.h"

namespace espalier {

/// Words by role, contexts, and the labels for which its features have copies. Comparable as bytes.
struct GraphPart {
  int32_t kind = 0;
  std::array<int32_t, kMaxRoles> words{};
  int32_t context = 0;                          // fine
  int32_t label = -1;                           // of the modifier; -1 = none
  int32_t outer_label = -1;                     // of the other arc; -1 = none
  uint64_t inner_labels = 0, outer_labels = 0;  // frames only

  friend bool operator==(const GraphPart&, const GraphPart&) = default;
  uint64_t hash() const {
    uint64_t h =
        combine(static_cast<uint64_t>(kind) << 32 | static_cast<uint32_t>(context),
                static_cast<uint64_t>(static_cast<uint32_t>(label)) << 32 | static_cast<uint32_t>(outer_label));
    for (const int w : words) h = combine(h, static_cast<uint64_t>(w));
    return combine(combine(h, inner_labels), outer_labels);
  }
};

/// A higher-order feature's row holds its unlabelled weight and those of labels and pairs of labels, each in the column
/// that the feature's key and the label's hash select (weights/linear.h).
inline constexpr uint32_t kUnlabelled = 0;
inline uint32_t label_hash(int label) { return static_cast<uint32_t>(mix(static_cast<uint64_t>(label) + 17)); }
inline uint32_t label_pair_hash(int outer, int label) {
  return static_cast<uint32_t>(mix(static_cast<uint64_t>(outer) * 4099 + static_cast<uint64_t>(label) + 100003));
}

}  // namespace espalier
