// Crossing arcs: detects them, lifts them for projective parsers, and moves lifted arcs back after parsing (Nivre &
// Nilsson 2005). Tested by projectivity_test.cc.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/analysis.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// True if no two arcs cross, the arc from the artificial root (position 0) included. head[1..n]; head[0] is ignored.
bool is_projective(std::span<const int> head);

/// Reattaches the dependent of the shortest non-projective arc (ties: the leftmost dependent) to its head's head, until
/// the tree is projective. The heads must form a tree. Returns the number of lifted words; `lifted[i]` (if given)
/// becomes true for them.
int projectivise(std::span<int> head, std::vector<bool>* lifted = nullptr);

/// Pseudo-projective `head` encoding: a lifted word's label becomes "label↑label of its true head".
/// Returns the number of lifted words.
int encode_pseudo_projective(Sentence& sentence);

/// Whether a label has this encoding.
bool is_pseudo_projective(std::string_view label);

/// The inverse: moves each word with an encoded label back down, breadth first from its head, and restores its label.
void decode_pseudo_projective(Analysis& analysis);

}  // namespace espalier
