// Removes annotation beyond categories from a constituent tree: function tags (NP-SBJ), coindices (NP-1, S=2) and
// traces, with the constituents that are then empty. Only labels of constituents are cut, since tags of words may have
// hyphens. Linear time. Tested by strip_annotation_test.cc.
#pragma once

#include "espalier/tree/constituent_tree.h"

namespace espalier {

/// How many of each kind were removed.
struct Stripped {
  long function_tags = 0, coindices = 0, traces = 0;
  long constituents = 0;  ///< constituents of traces only

  Stripped& operator+=(const Stripped& other);
  friend bool operator==(const Stripped&, const Stripped&) = default;
};

Stripped strip_annotation(ConstituentTree& tree);

}  // namespace espalier
