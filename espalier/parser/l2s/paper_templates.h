// The templates of the learning-to-search parser (Chang et al. 2015, Table 3): which groups of atoms of a state are
// joined to features. Tested by tests/l2s_parser_test.cc.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "espalier/features/feature_bag.h"

namespace espalier {

struct PaperTemplates {
  enum Set { kUnigram, kBigram, kAll, kRich };  // rich: other templates, features/zhang_nivre.h
  int features = kAll;
  bool printed = false, xpos = true, feats = true;

  // Places: s = stack from the top, b = buffer, l/r = their outermost left/right children. Each is a group {form, tag},
  // children also {label}. kState: small numbers and labels around s1 and b1. Then each place's XPOS and FEATS, apart.
  enum Place { s1, s2, s3, b1, b2, b3, s1l1, s1l2, s1r1, s1r2, b1l1, b1l2, s2l1, s2r1, kPlaces, kState = kPlaces };
  static constexpr int kXpos = kPlaces + 1, kFeats = kXpos + kPlaces, kGroups = kFeats + kPlaces;
  static constexpr uint64_t kNone = 0x6e6f6e65;  // the form of a word that there is not

  /// The table as printed, or with its likely misprints repaired and the authors' additions.
  std::vector<GroupTemplate> make() const {
    std::vector<GroupTemplate> all, conjoined;
    const auto append = [](std::vector<GroupTemplate>& to, std::vector<GroupTemplate> more) {
      to.insert(to.end(), more.begin(), more.end());
    };
    for (int8_t place = 0; place < kPlaces; ++place) all.push_back({place});
    if (features >= kBigram) {
      append(conjoined, {{s1, s1}, {s2, s2}, {s3, s3}, {b1, b1}, {b2, b2}, {b3, b3}, {s1, b1}, {s1, s2}, {b1, b2}});
      if (!printed) append(conjoined, {{s1, s1l1}, {s1, s1r1}, {b1, b1l1}});
    }
    if (features >= kAll) {
      append(conjoined, {{s1, s2, s3}, {s1, b1, b2}, {s1, s2, b1}, {s1, b1, b3}, {b1, b2, b3}, {b1, b1l1, b1l2}});
      append(conjoined,
             {{s1, s2, b1l1}, {s1, b1, s1l1}, {s1, b1, s2l1}, {s1, b1, b1l1}, {s1, s1r1, s2r1}, {s1, s1l2, b1l2}});
      if (!printed) append(conjoined, {{s1, s1r1, s1r2}, {s1, s1l1, s1l2}, {s1, b1, s1r1}, {s1, s2, s2}});
    }
    append(all, conjoined);
    if (!printed) all.push_back({kState});
    for (int8_t place : {s1, s2, s3, b1, b2, b3, kState})
      if (!printed && features >= kBigram) all.push_back({kState, place});
    // Fine tags beside the coarse ones: alone, with the form, and in the same conjunctions with each other.
    for (const auto& [wanted, first] : {std::pair(xpos, kXpos), std::pair(feats, kFeats)}) {
      const auto fine = [first = first](int8_t place) { return static_cast<int8_t>(place + first); };
      for (int8_t place = 0; wanted && place < kPlaces; ++place) all.push_back({fine(place)});
      for (const GroupTemplate& c : wanted ? conjoined : std::vector<GroupTemplate>()) {
        if (c.a == c.b || c.b == c.c) {
          all.push_back({fine(c.a), c.a});
        } else if (c.c < 0) {
          append(all, {{fine(c.a), fine(c.b)}, {fine(c.a), c.b}, {c.a, fine(c.b)}});
        } else {
          all.push_back({fine(c.a), fine(c.b), fine(c.c)});
        }
      }
    }
    return all;
  }
};

}  // namespace espalier
