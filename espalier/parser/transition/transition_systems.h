// The only list of transition systems. Tested by tests/contract/space_test.cc and tests/contract/parser_test.cc.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "espalier/parser/transition/stack_templates.h"
#include "espalier/space/arc_eager.h"
#include "espalier/space/arc_hybrid.h"
#include "espalier/space/arc_standard.h"

namespace espalier {

using TransitionSystems = std::tuple<ArcStandard, ArcEager, ArcHybrid, ArcStandardSwap>;

inline const std::vector<std::string> kTransitionSystems = std::apply(
    [](const auto&... system) { return std::vector<std::string>{std::string(system.kName)...}; }, TransitionSystems());
inline const std::vector<std::string> kTemplateSets = {"rich", "fast", "zn11", "hall"};

/// A usage Error that lists them.
[[noreturn]] void throw_unknown_system(const std::string& system);

/// Calls use.template operator()<Space>() for the named system.
template <size_t kFirst = 0, class Use>
auto with_transition_system(const std::string& system, Use&& use) {
  using Space = std::tuple_element_t<kFirst, TransitionSystems>;
  if (system == Space::kName) return use.template operator()<Space>();
  if constexpr (kFirst + 1 < std::tuple_size_v<TransitionSystems>)
    return with_transition_system<kFirst + 1>(system, use);
  else
    throw_unknown_system(system);
}

/// The systems with a dynamic oracle, and the same functions for them.
inline const std::vector<std::string> kSystemsWithDynamicOracle = std::apply(
    []<class... Space>(const Space&...) {
      std::vector<std::string> names;
      const auto add = [&](std::string_view name, bool has) {
        if (has) names.emplace_back(name);
      };
      (add(Space::kName, DynamicOracle<Space>), ...);
      return names;
    },
    TransitionSystems());
[[noreturn]] void throw_no_dynamic_oracle(const std::string& system);
template <class Use>
auto with_dynamic_oracle(const std::string& system, Use&& use) {
  using Result = decltype(use.template operator()<ArcHybrid>());
  return with_transition_system(system, [&]<class Space>() -> Result {
    if constexpr (DynamicOracle<Space>)
      return use.template operator()<Space>();
    else
      throw_no_dynamic_oracle(system);
  });
}

/// The named table of templates for a system. Throws a usage Error if it has none of that name.
StackTemplates transition_templates(const std::string& system, const std::string& features, bool clusters = false);

}  // namespace espalier
