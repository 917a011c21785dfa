// The rules of Universal Dependencies for single columns. Each function returns a message for the user, or "" if
// nothing is wrong. Tested by ud_rules_test.cc and tests/ud_validator_test.cc.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier {

/// Parts between separators; of an empty text one, which is empty.
std::vector<std::string_view> split_at(std::string_view text, char separator);

/// Any white space of Unicode.
bool has_space(std::string_view text);
/// Whether there is white space at either end, or two in a row.
bool has_odd_spaces(std::string_view text);
bool begins_with_space(std::string_view text);
bool ends_with_space(std::string_view text);
/// Composed characters, as UD wants them (NFC).
bool is_composed(std::string_view text);

std::string problem_of_upos(std::string_view upos);
std::string problem_of_features(std::string_view feats);
std::string problem_of_relation(std::string_view deprel);
std::string problem_of_misc(std::string_view misc);

/// A word (3, 0) or an empty node (3, 1).
using NodeId = std::pair<int, int>;
/// False if the text is not a node's number; leading zeros are not allowed.
bool parse_node(std::string_view text, NodeId& id);

struct EnhancedArc {
  NodeId head;
  std::string_view relation;
};
/// Fills `arcs` as far as it can be read. `id` is the word's own, `known(head)` says whether there is such a node.
template <class Known>
std::string problem_of_deps(std::string_view deps, NodeId id, Known&& known, std::vector<EnhancedArc>& arcs);

/// The same without the test whether heads exist.
std::string problem_of_arcs(std::string_view deps, NodeId id, std::vector<EnhancedArc>& arcs);

template <class Known>
std::string problem_of_deps(std::string_view deps, NodeId id, Known&& known, std::vector<EnhancedArc>& arcs) {
  arcs.clear();
  std::string problem = problem_of_arcs(deps, id, arcs);
  for (const EnhancedArc& arc : arcs)
    if (!known(arc.head))
      return "a head in DEPS, " + std::to_string(arc.head.first) +
             (arc.head.second ? "." + std::to_string(arc.head.second) : "") + ", is not there";
  return problem;
}

}  // namespace espalier
