// Width and direction of text, for drawings.
// Tested by format/draw/drawing_test.cc.
#pragma once

#include <string_view>

#include "espalier/tree/sentence.h"

namespace espalier {

/// Columns on a terminal: 2 for wide East Asian characters and emoji, 0 for combining marks.
int terminal_columns(std::string_view text);

/// Estimated width in a proportional sans-serif font of size 1. Fonts differ: leave some air.
double font_width(std::string_view text);

/// True if most letters of the words belong to a right-to-left script (Unicode bidi classes R and AL).
bool reads_right_to_left(const Sentence& sentence);

}  // namespace espalier
