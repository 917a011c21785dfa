// What treebanks say beyond categories, taken out of a constituent tree: function tags (NP-SBJ), coindices (NP-1, S=2)
// and traces, with the constituents that nothing is left of. Only labels of constituents are cut: a word's tag may have
// a hyphen of its own. Linear time. Tested by strip_annotation_test.cc.
#pragma once

#include "espalier/tree/constituent_tree.h"

namespace espalier {

/// How many of each were taken out.
struct Stripped {
  long function_tags = 0, coindices = 0, traces = 0;
  long constituents = 0;  ///< that held nothing but traces

  Stripped& operator+=(const Stripped& other);
  friend bool operator==(const Stripped&, const Stripped&) = default;
};

Stripped strip_annotation(ConstituentTree& tree);

}  // namespace espalier
