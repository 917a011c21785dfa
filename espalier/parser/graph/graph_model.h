// What a graph parser knows beside its weights: what parts look like, the arc filter, and how to search.
#pragma once

#include "espalier/parser/graph/arc_filter.h"
#include "espalier/parser/graph/part_model.h"

namespace espalier {

struct GraphModel : PartModel {
  bool projective = true;          ///< Eisner or cube; else spanning trees
  bool pseudo_projective = false;  ///< labels encode lifted arcs
  ArcFilter filter;
  static constexpr float kLargestGap = 1e6f;
  float arc_gap = 0;    ///< of the arcs that the filter left, which to drop when they are scored; 0 = none
  float label_gap = 0;  ///< of an arc's labels, which to drop before parts are scored; 0 = none
};

}  // namespace espalier
