// The only list of transition systems and of their template tables: names to types.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/features/hall.h"
#include "espalier/features/zhang_nivre.h"
#include "espalier/space/arc_eager.h"
#include "espalier/space/arc_hybrid.h"
#include "espalier/space/arc_standard.h"

namespace espalier {

inline const std::vector<std::string> kTransitionSystems = {"arc-standard", "arc-eager", "arc-hybrid", "swap"};
inline const std::vector<std::string> kTemplateSets = {"rich", "fast", "zn11", "hall"};

/// Calls use.template operator()<Space, Features>() for the named system and template set.
template <class Use>
auto with_transition_system(const std::string& system, const std::string& features, Use&& use) {
  auto with_tables = [&]<class Space, class Rich, class Fast, class ZhangNivre>() {
    if (features == "rich") return use.template operator()<Space, TemplateFeatures<Rich>>();
    if (features == "fast") return use.template operator()<Space, TemplateFeatures<Fast>>();
    if (features == "zn11") return use.template operator()<Space, TemplateFeatures<ZhangNivre>>();
    throw usage_error("unknown features '{}'; known: rich, fast, zn11, hall (arc-eager)", features);
  };
  if (system == ArcStandard::kName)
    return with_tables.template operator()<ArcStandard, RichStandard, FastStandard, ZhangNivreStandard>();
  if (system == ArcStandardSwap::kName)
    return with_tables.template operator()<ArcStandardSwap, RichStandard, FastStandard, ZhangNivreStandard>();
  if (system == ArcHybrid::kName)
    return with_tables.template operator()<ArcHybrid, RichHybrid, FastHybrid, ZhangNivreHybrid>();
  if (system == ArcEager::kName && features == "hall")
    return use.template operator()<ArcEager, TemplateFeatures<HallEager>>();
  if (system == ArcEager::kName)
    return with_tables.template operator()<ArcEager, RichEager, FastEager, ZhangNivreEager>();
  throw usage_error("unknown system '{}'; known: arc-standard, arc-eager, arc-hybrid, swap", system);
}

}  // namespace espalier
