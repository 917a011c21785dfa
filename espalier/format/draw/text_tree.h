// Trees for the terminal. Dependencies: one word per line, arcs at the left, each head with a rail of its own that its
// dependents branch off, an arrow at every dependent:
//
//       ╭─▶ Flying     VERB   amod
//     ╭─┴─▶ planes     NOUN   nsubj
//     ├───▶ can        AUX    aux
//     ├───▶ be         AUX    cop
//   ──┼───▶ dangerous  ADJ    root
//     ╰───▶ .          PUNCT  punct
//
// Where a rail only passes a branch (non-projective trees), the branch is interrupted. Constituents: an indented tree,
// unary chains on one line. Any heads can be drawn: cycles, several roots, none. Tested by format/draw/drawing_test.cc.
#pragma once

#include <string>

#include "espalier/tree/sentence.h"

namespace espalier {

/// Ends with a line end. A sentence with heads is drawn as dependencies, else its constituents are.
std::string draw_text(const Sentence& sentence);

}  // namespace espalier
