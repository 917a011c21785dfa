// Noun chunks: nouns, names and pronouns with what belongs to them in the same phrase, by the relations and tags of
// Universal Dependencies alone, so in any language.
//
//   [My old neighbour] sold [the house] with [the red roof] .       [Annas Bruder] las [drei dicke Bücher] .
//
// A chunk is a head (NOUN, PROPN or PRON) and the stretch of words around it that belong to it: its determiners,
// adjectives, numerals, classifiers, parts of compounds and names, and possessors without an adposition ("Anna's",
// "her"), each with what hangs on it. Clauses never belong to it; nor does, behind the head, another noun ("a man proud
// of [his son]": before the head it does, where it stands between a determiner and its noun). Adpositions, copulas and
// marks at the edge, and what is coordinated with the head, stay outside: "[cats] and [dogs]". Chunks do not overlap:
// within a chunk there is no other. Linear in the sentence but for the depth of its tree. Tested by
// noun_chunks_test.cc.
#pragma once

#include <vector>

#include "espalier/base/export.h"
#include "espalier/tree/sentence.h"

namespace espalier {

/// Words `first` to `last`, among them the head.
struct NounChunk {
  int first, last, head;
  friend bool operator==(const NounChunk&, const NounChunk&) = default;
};

/// In order. A sentence without heads or universal tags has none; heads that are no tree do no harm.
ESPALIER_API std::vector<NounChunk> noun_chunks(const Sentence& sentence);

}  // namespace espalier
