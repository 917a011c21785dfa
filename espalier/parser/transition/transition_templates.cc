#include "espalier/base/error.h"
#include "espalier/features/hall.h"
#include "espalier/features/zhang_nivre.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {

template <class Rich, class Fast, class ZhangNivre>
static StackTemplates table_named(const std::string& features) {
  if (features == "rich") return StackTemplates::of<Rich>();
  if (features == "fast") return StackTemplates::of<Fast>();
  if (features == "zn11") return StackTemplates::of<ZhangNivre>();
  throw usage_error("unknown features '{}'; known: rich, fast, zn11, hall (arc-eager)", features);
}

StackTemplates transition_templates(const std::string& system, const std::string& features) {
  if (system == ArcStandard::kName || system == ArcStandardSwap::kName)
    return table_named<RichStandard, FastStandard, ZhangNivreStandard>(features);
  if (system == ArcHybrid::kName) return table_named<RichHybrid, FastHybrid, ZhangNivreHybrid>(features);
  if (system == ArcEager::kName && features == "hall") return StackTemplates::of<HallEager>();
  if (system == ArcEager::kName) return table_named<RichEager, FastEager, ZhangNivreEager>(features);
  throw unknown_system(system);
}

}  // namespace espalier
