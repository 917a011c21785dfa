// The only list of transition systems: names to types. transition_templates.cc has their template tables.
#pragma once

#include <string>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/features/stack_templates.h"
#include "espalier/space/arc_eager.h"
#include "espalier/space/arc_hybrid.h"
#include "espalier/space/arc_standard.h"

namespace espalier {

inline const std::vector<std::string> kTransitionSystems = {"arc-standard", "arc-eager", "arc-hybrid", "swap"};
inline const std::vector<std::string> kTemplateSets = {"rich", "fast", "zn11", "hall"};

inline Error unknown_system(const std::string& system) {
  return usage_error("unknown system '{}'; known: arc-standard, arc-eager, arc-hybrid, swap", system);
}

/// Calls use.template operator()<Space>() for the named system.
template <class Use>
auto with_transition_system(const std::string& system, Use&& use) {
  if (system == ArcStandard::kName) return use.template operator()<ArcStandard>();
  if (system == ArcStandardSwap::kName) return use.template operator()<ArcStandardSwap>();
  if (system == ArcHybrid::kName) return use.template operator()<ArcHybrid>();
  if (system == ArcEager::kName) return use.template operator()<ArcEager>();
  throw unknown_system(system);
}

/// The named table of templates for a system. Throws a usage Error if it has none of that name.
StackTemplates transition_templates(const std::string& system, const std::string& features);

}  // namespace espalier
