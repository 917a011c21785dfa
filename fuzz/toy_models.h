// Tiny models of every kind to begin with, trained when a fuzzer starts.
#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/learn/trainer.h"
#include "tests/contract/parser_kinds.h"

namespace espalier::fuzz {

/// As the contract trains the kind, but smaller, and all in some kilobytes: fuzzers live on speed.
inline Settings small_settings(const ParserKind& kind) {
  Settings settings;
  std::istringstream pairs(kind.settings);
  for (std::string pair; pairs >> pair;) settings.set_pair(pair);
  const std::string_view name = kind.name;
  if (name.starts_with("l2s") || name == "tokenizer") settings.set("bits", "8");
  if (name.starts_with("beam") || name.starts_with("shift_reduce") || name == "chart") settings.set("patient", "false");
  if (name.starts_with("cube") || name.starts_with("mst")) settings.set("filter_bits", "8");
  if (name == "committee") settings.set("member.2.filter_bits", "8");
  if (name.starts_with("classify")) {
    settings.set("max_trees", "3");
    settings.set("sample", "100");
    settings.set("gamma", "30");
  }
  return settings;
}

inline TrainData small_data(const ParserKind& kind) {
  const bool needs_more = std::string_view(kind.name).starts_with("classify") || std::string_view(kind.name) == "hc";
  return {kind.treebank(needs_more ? 4 : 2, 1), kind.treebank(needs_more ? 2 : 1, 2)};
}

inline std::vector<ParserKind> fuzzed_kinds() {
  std::vector<ParserKind> kinds = parser_kinds();
  kinds.push_back(
      {"hc", toy_treebank, "recipe=hc base.recipe=beam base.epochs=1 folds=2 list=4 width=4 epochs=1 min_lists=1"});
  return kinds;
}

}  // namespace espalier::fuzz
