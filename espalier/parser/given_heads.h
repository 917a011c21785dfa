// Given heads and parsers that cannot search for them: projective searches take the part of them that a projective tree
// can have, and whatever a finished tree lacks is put right by changing as few of its other arcs as possible.
// Tested by given_heads_test.cc against enumeration.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/tree/analysis.h"
#include "espalier/tree/constraints.h"

namespace espalier {

/// Of given heads (entry 0 unused; they must be possible) as many as one projective tree has; the others become free.
std::vector<int> projective_part(std::span<const int> heads, Roots roots = Roots::kOne);

/// Makes a tree have the given heads and relations: the tree with them that shares most arcs with it. Given columns of
/// tags are written as they are.
void mend(const Constraints& given, Roots roots, Analysis& analysis);
/// The same for a sentence that has been parsed and the columns that were predicted.
void mend(const Constraints& given, const AboutParser& parser, Sentence& sentence);
/// The list, or `otherwise` where it is empty, with every candidate repaired; those that become equal appear once.
KBestList mended(KBestList list, const Constraints& given, Roots roots, std::optional<KBestList> otherwise = {});

}  // namespace espalier
