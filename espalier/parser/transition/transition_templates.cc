#include <fmt/ranges.h>

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/features/zhang_nivre.h"
#include "espalier/parser/transition/hall.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {
namespace {

/// A system's tables without and with classes of words, in the order of kTemplateSets; the last ones may be missing.
struct Tables {
  std::vector<StackTemplates (*)()> plain, with_clusters;
};

/// Words A and B are those that arcs join.
template <Slot A, Slot B, Slot Other, class Rich, class Fast, class... Table>
Tables tables() {
  return {{StackTemplates::of<Rich>, StackTemplates::of<Fast>, StackTemplates::of<Table>...},
          {StackTemplates::of<WithClusters<Rich, A, B, Other>>, StackTemplates::of<WithClusters<Fast, A, B, Other>>}};
}

/// To be specialised for every system; otherwise the program does not link.
template <class Space>
Tables tables_of();
template <>
Tables tables_of<ArcStandard>() {
  return tables<S1, S0, N0, RichStandard, FastStandard, ZhangNivreStandard>();
}
template <>
Tables tables_of<ArcStandardSwap>() {
  return tables_of<ArcStandard>();
}
template <>
Tables tables_of<ArcHybrid>() {
  return tables<S0, N0, S1, RichHybrid, FastHybrid, ZhangNivreHybrid>();
}
template <>
Tables tables_of<ArcEager>() {
  return tables<S0, N0, S1, RichEager, FastEager, ZhangNivreEager, HallEager>();
}

}  // namespace

void throw_unknown_system(const std::string& system) {
  throw usage_error("unknown system '{}'; known: {}", system, fmt::join(kTransitionSystems, ", "));
}

void throw_no_dynamic_oracle(const std::string& system) {
  throw usage_error("system={} has no dynamic oracle; those that have one: {}", system,
                    fmt::join(kSystemsWithDynamicOracle, ", "));
}

StackTemplates transition_templates(const std::string& system, const std::string& features, bool clusters) {
  const auto tables = [&](const std::string& name) {
    const Tables own = with_transition_system(name, []<class Space>() { return tables_of<Space>(); });
    return clusters ? own.with_clusters : own.plain;
  };
  const auto number = static_cast<size_t>(std::ranges::find(kTemplateSets, features) - kTemplateSets.begin());
  if (const auto own = tables(system); number < own.size()) return own[number]();
  std::vector<std::string> others = kTransitionSystems;
  std::erase_if(others, [&](const std::string& name) { return number >= tables(name).size(); });
  if (others.empty() && clusters && std::ranges::find(kTemplateSets, features) != kTemplateSets.end())
    throw usage_error("features={} has no templates for clusters: use rich or fast", features);
  if (others.empty()) throw usage_error("unknown features '{}'; known: {}", features, fmt::join(kTemplateSets, ", "));
  throw usage_error("features={} is not for system={}, but for {}", features, system, fmt::join(others, ", "));
}

}  // namespace espalier
