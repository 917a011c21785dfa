// The templates of Hall, McDonald, Katz-Brown & Ringgaard (2011) for arc-eager: fourteen atoms and "all conjunctions"
// of them, here all pairs, and all triples of the eight that matter most. The paper's arc-factored set is in
// graph_templates.cc. Tested by tests/contract/parser_test.cc.
#pragma once

#include "espalier/features/templates.h"

namespace espalier {

/// The first eight are those of the triples.
inline constexpr Atom kHallAtoms[] = {N0 | P,  N1 | P, N2 | P, S0 | P,  S1 | P,   N0 | W,   S0 | W,
                                      S0Label, N3 | P, N1 | W, S0h | W, S0lLabel, S0rLabel, N0lLabel};

constexpr Template hall_template(size_t i) {
  constexpr size_t kSingles = std::size(kHallAtoms), kOfTriples = 8;
  if (i < kSingles) return {kHallAtoms[i]};
  i -= kSingles;
  for (size_t a = 0; a < kSingles; ++a)
    for (size_t b = a + 1; b < kSingles; ++b)
      if (i-- == 0) return {kHallAtoms[a], kHallAtoms[b]};
  for (size_t a = 0; a < kOfTriples; ++a)
    for (size_t b = a + 1; b < kOfTriples; ++b)
      for (size_t c = b + 1; c < kOfTriples; ++c)
        if (i-- == 0) return {kHallAtoms[a], kHallAtoms[b], kHallAtoms[c]};
  return {kHallAtoms[0]};  // there are no more
}

struct HallEager {
  static constexpr auto list = []<size_t... kIndex>(std::index_sequence<kIndex...>) {
    return std::array<Template, sizeof...(kIndex)>{hall_template(kIndex)...};
  }
  (std::make_index_sequence<14 + 91 + 56>());
};

}  // namespace espalier
