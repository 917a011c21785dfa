// How many words of a sentence may have the head 0: setting `root`, for parsers that can do either. Tested by
// transition/transition_trainer_test.cc.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "espalier/base/settings.h"
#include "espalier/tree/sentence.h"

namespace espalier {

enum class RootRule { kSingle, kMultiple, kAuto };

inline RootRule read_root_rule(SettingsReader& settings) {
  return settings.choice("root", RootRule::kAuto, {"single", "multiple", "auto"},
                         "how many words may hang on the root; auto asks the training data");
}

/// kAuto: several, if at least one in a hundred of the training sentences has several.
inline bool has_single_roots(RootRule rule, const std::vector<Sentence>& treebank) {
  if (rule != RootRule::kAuto) return rule == RootRule::kSingle;
  const auto rooted_twice = std::ranges::count_if(
      treebank, [](const Sentence& sentence) { return std::ranges::count(sentence.tokens, 0, &Token::head) > 1; });
  return static_cast<size_t>(rooted_twice) * 100 < treebank.size();
}

/// Why sentences are left out, for note_left_out.
inline std::string_view why_no_tree(bool single_root) {
  return single_root ? "not trees with one root (root=multiple allows several)" : "not trees";
}

}  // namespace espalier
