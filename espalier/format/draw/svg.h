// Trees as SVG. Dependencies: words on one line, or on several to fit a width, with labelled arcs above them that never
// overlap and are at least as wide as their labels; right-to-left scripts run right to left. Constituents: all words of
// a line at its bottom. Widths are estimated, so no font is needed. Colours and sizes are attributes, so that content
// security policies for styles do not matter; classes, data-* attributes and titles serve pages, style sheets and
// screen readers (docs/drawing.md). Tested by format/draw/drawing_test.cc.
#pragma once

#include <string>
#include <string_view>

#include "espalier/tree/sentence.h"

namespace espalier {

/// A complete SVG document. A sentence with heads is drawn as dependencies, else its constituents are. It is wrapped to
/// the width, as far as words allow; 0 = one line.
std::string draw_svg(const Sentence& sentence, double width = 0);

constexpr double kWordSize = 16, kTagSize = 10.5;  ///< of fonts
constexpr double kMargin = 18;                     ///< around a drawing

/// Nearly the least width at which `lines_at` needs no more than `lines` lines, so that lines are of similar length; at
/// width `most` they suffice.
template <typename LinesAt>
double balanced_width(double most, size_t lines, const LinesAt& lines_at) {
  double least = most * static_cast<double>(lines - 1) / static_cast<double>(lines) / 2;
  while (most - least > 8) {
    const double middle = (least + most) / 2;
    (lines_at(middle) > lines ? least : most) = middle;
  }
  return most;
}

/// A drawing without the document around it.
struct SvgDrawing {
  double width = 0, height = 0;
  std::string body;
  std::string description;  ///< the tree in words
};
SvgDrawing draw_svg_dependencies(const Sentence& sentence, double width = 0);
SvgDrawing draw_svg_constituents(const Sentence& sentence, double width = 0);

/// Text that is safe in XML: markup escaped, what XML forbids replaced by U+FFFD.
std::string xml_text(std::string_view text);
/// A text element with its class.
std::string svg_text(double x, double y, double size, std::string_view style, std::string_view text);

}  // namespace espalier
