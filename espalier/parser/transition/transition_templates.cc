#include <fmt/ranges.h>

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/features/zhang_nivre.h"
#include "espalier/parser/transition/hall.h"
#include "espalier/parser/transition/transition_systems.h"

namespace espalier {
namespace {

/// A system's tables, in the order of kTemplateSets; the last may be missing.
template <class... Table>
std::vector<StackTemplates (*)()> tables() {
  return {StackTemplates::of<Table>...};
}

/// To be specialised for every system; otherwise the program does not link.
template <class Space>
std::vector<StackTemplates (*)()> tables_of();
template <>
std::vector<StackTemplates (*)()> tables_of<ArcStandard>() {
  return tables<RichStandard, FastStandard, ZhangNivreStandard>();
}
template <>
std::vector<StackTemplates (*)()> tables_of<ArcStandardSwap>() {
  return tables_of<ArcStandard>();
}
template <>
std::vector<StackTemplates (*)()> tables_of<ArcHybrid>() {
  return tables<RichHybrid, FastHybrid, ZhangNivreHybrid>();
}
template <>
std::vector<StackTemplates (*)()> tables_of<ArcEager>() {
  return tables<RichEager, FastEager, ZhangNivreEager, HallEager>();
}

}  // namespace

void throw_unknown_system(const std::string& system) {
  throw usage_error("unknown system '{}'; known: {}", system, fmt::join(kTransitionSystems, ", "));
}

void throw_no_dynamic_oracle(const std::string& system) {
  throw usage_error("system={} has no dynamic oracle; those that have one: {}", system,
                    fmt::join(kSystemsWithDynamicOracle, ", "));
}

StackTemplates transition_templates(const std::string& system, const std::string& features) {
  const auto tables = [](const std::string& name) {
    return with_transition_system(name, []<class Space>() { return tables_of<Space>(); });
  };
  const auto number = static_cast<size_t>(std::ranges::find(kTemplateSets, features) - kTemplateSets.begin());
  if (const auto own = tables(system); number < own.size()) return own[number]();
  std::vector<std::string> others = kTransitionSystems;
  std::erase_if(others, [&](const std::string& name) { return number >= tables(name).size(); });
  if (others.empty()) throw usage_error("unknown features '{}'; known: {}", features, fmt::join(kTemplateSets, ", "));
  throw usage_error("features={} is not for system={}, but for {}", features, system, fmt::join(others, ", "));
}

}  // namespace espalier
