// Trees as pictures. Dependencies: words on one line, labelled arcs above them, no two on top of each other, labels
// always as wide as their arc; right-to-left scripts run right to left. Constituents: all words on the bottom line.
// Widths are estimated, so the drawing needs no font at hand. Tested by format/drawing_test.cc.
#pragma once

#include <string>
#include <string_view>

#include "espalier/tree/sentence.h"

namespace espalier {

/// A complete SVG document. A sentence with heads is drawn as dependencies, else its constituents are.
std::string draw_svg(const Sentence& sentence);

/// A drawing without the document around it.
struct SvgDrawing {
  double width = 0, height = 0;
  std::string body;
};
SvgDrawing draw_svg_dependencies(const Sentence& sentence);
SvgDrawing draw_svg_constituents(const Sentence& sentence);

/// Text that is safe in XML: markup escaped, what XML forbids replaced by U+FFFD.
std::string xml_text(std::string_view text);

}  // namespace espalier
