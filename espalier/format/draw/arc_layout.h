// The layout of a dependency tree. An arc lies one level above every arc over a common gap between words, so arcs never
// touch. At a word, arcs leave side by side in the order in which nested arcs do not cross: to the left the shorter
// ones outside, then the root arc, then to the right the longer ones inside.
//
// A sentence that is too wide is cut into lines of about the same length and the same width. An
// arc between lines becomes a piece on each line, which runs to the line's edge: an edge is a
// place like a word, so that pieces are laid out like arcs. Arcs over very many lines are drawn
// only near their ends. O(n) for n words, plus the sum of the arcs' lengths. Tested by
// drawing_test.cc.
#pragma once

#include <algorithm>
#include <vector>

#include "espalier/format/draw/svg.h"
#include "espalier/tree/sentence.h"

namespace espalier {

constexpr double kArcLabelSize = 11;  ///< of fonts
constexpr double kArcCorner = 10;     ///< radius of an arc's corners

/// An arc, or its piece on one line.
struct DrawnArc {
  int dependent;    ///< the number of its dependent
  int left, right;  ///< its ends, places in the line: 1..words, 0 and words+1 are the edges; the same for a root
  bool rightwards;  ///< the dependent is the right end
  int span;         ///< length of the whole arc, in words
  double label_width;
  double left_x = 0, right_x = 0;  ///< first relative to the word, then absolute
  int level = 0;

  int length() const { return right - left; }
  bool is_root() const { return left == right; }
  double& x_at(int place) { return place == left ? left_x : right_x; }
  int tip() const { return rightwards ? right : left; }
};

/// Words first..last of the sentence, 1..n, on a line of their own.
struct DrawnLine {
  int first, last;
  std::vector<DrawnArc> arcs = {};
  std::vector<double> x = {};  ///< the middle of each place
  int levels = 0;
  double width = 0;

  int words() const { return last - first + 1; }
  bool has(int word) const { return word >= first && word <= last; }
  /// Arcs that leave the line end at its edge.
  bool is_edge(int place) const { return place == 0 || place == words() + 1; }
  int place_of(int word) const { return std::clamp(word - first + 1, 0, words() + 1); }
};

/// False if the word has no head, or one that cannot be drawn.
bool has_arc(const Sentence& sentence, int word);

/// One line if `width` is 0; else as few lines as possible, none wider than that unless a single word is.
std::vector<DrawnLine> lay_out_arcs(const Sentence& sentence, double width);

}  // namespace espalier
