// Given heads for parsers that cannot guarantee them: projective searches are constrained to those that a projective
// tree can have, and a finished tree that lacks some is repaired by changing as few of its other arcs as possible.
// Tested by given_heads_test.cc against enumeration.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "espalier/parser/parser.h"
#include "espalier/tree/analysis.h"
#include "espalier/tree/constraints.h"

namespace espalier {

/// Keeps as many of the given heads (entry 0 unused) as one projective tree can have; the others become free.
std::vector<int> projective_part(std::span<const int> heads, Roots roots = Roots::kOne);

/// Replaces a tree by the one with the given heads and relations that has most arcs in common with it. Given tags are
/// written into the analysis.
void mend(const Constraints& given, Roots roots, Analysis& analysis);
/// The same for a parsed sentence and the columns that the parser predicts.
void mend(const Constraints& given, const AboutParser& parser, Sentence& sentence);
/// The list, or `otherwise` if it is empty, with every candidate repaired and duplicates removed.
KBestList mended(KBestList list, const Constraints& given, Roots roots, std::optional<KBestList> otherwise = {});

}  // namespace espalier
