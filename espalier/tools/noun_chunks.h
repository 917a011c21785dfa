// Noun chunks: nouns, names and pronouns with the words that belong to them, by the relations and tags of Universal
// Dependencies alone, and so for any language.
//
//   [My old neighbour] sold [the house] with [the red roof] .       [Annas Bruder] las [drei dicke Bücher] .
//
// A chunk is a head (NOUN, PROPN or PRON) and the stretch of words around it that belong to it: its
// determiners, adjectives, numerals, classifiers, parts of compounds and names, and possessors
// without an adposition ("Anna's", "her"), each with its dependents. Clauses never belong to it.
// Another noun belongs to it before the head, between a determiner and its noun, but not behind the
// head ("a man proud of [his son]"). Adpositions, copulas and punctuation at the edge, and conjuncts
// of the head, stay outside: "[cats] and [dogs]". Chunks neither overlap nor nest. Tested by
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

/// In text order. A sentence without heads or universal tags has none; heads need not form a tree.
ESPALIER_API std::vector<NounChunk> noun_chunks(const Sentence& sentence);

}  // namespace espalier
