// Dependency arcs. An arc lies one level above every arc that it has a gap between words in common with, so arcs never
// touch; at a word, arcs leave side by side in the order that keeps nested arcs from crossing: to the left the shorter
// ones outside, then what comes from the root, then to the right the longer ones inside. O(n) for n words, plus the sum
// of the arcs' lengths.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "espalier/format/svg.h"
#include "espalier/format/text_width.h"

namespace espalier {
namespace {

constexpr double kMargin = 18, kWordSize = 16, kTagSize = 10.5, kLabelSize = 10.5;
constexpr double kWordGap = 16;   // least space between words
constexpr double kSlot = 8;       // between arcs that meet at a word
constexpr double kLevel = 23;     // between arcs one above the other
constexpr double kCorner = 10;    // radius of an arc's corners
constexpr double kLabelAir = 14;  // between a label and its arc's corners
constexpr double kArrow = 5;      // half its width

struct Arc {
  int head, dependent;  ///< 1..n; head 0 for the root
  double label_width;
  double head_x = 0, dependent_x = 0;  ///< first relative to the word, then absolute
  int level = 0;

  int left() const { return std::min(head, dependent); }
  int right() const { return std::max(head, dependent); }
  int length() const { return right() - left(); }
  bool is_root() const { return head == 0; }
  double& x_at(int word) { return word == dependent ? dependent_x : head_x; }
};

std::vector<Arc> arcs_of(const Sentence& sentence) {
  std::vector<Arc> arcs;
  for (int i = 1; i <= sentence.size(); ++i) {
    const Token& token = sentence.word(i);
    if (token.head >= 0 && token.head <= sentence.size() && token.head != i)
      arcs.push_back({token.head, i, font_width(token.deprel) * kLabelSize});
  }
  return arcs;
}

/// Gives every end of an arc its place beside the others at its word; returns the room each word needs for them.
std::vector<double> place_arc_ends(std::vector<Arc>& arcs, int words) {
  std::vector<std::vector<Arc*>> at_word(static_cast<size_t>(words) + 1);
  for (Arc& arc : arcs) {
    at_word[static_cast<size_t>(arc.dependent)].push_back(&arc);
    if (!arc.is_root()) at_word[static_cast<size_t>(arc.head)].push_back(&arc);
  }
  std::vector<double> room(at_word.size(), 0);
  for (int word = 1; word <= words; ++word) {
    auto& ends = at_word[static_cast<size_t>(word)];
    // Left-going arcs have negative keys: -n + length, root 0, right-going n - length.
    std::ranges::stable_sort(ends, std::less<>(), [&](const Arc* arc) {
      return arc->is_root() ? 0 : arc->left() == word ? words + 1 - arc->length() : arc->length() - words - 1;
    });
    const double width = kSlot * (static_cast<double>(ends.size()) - 1);
    for (size_t k = 0; k < ends.size(); ++k) ends[k]->x_at(word) = kSlot * static_cast<double>(k) - width / 2;
    room[static_cast<size_t>(word)] = width;
  }
  return room;
}

/// The words' middles, as close together as words and labels allow. Arcs' ends become absolute.
std::vector<double> place_words(const Sentence& sentence, std::vector<Arc>& arcs, const std::vector<double>& room,
                                double& end) {
  std::vector<double> half, x(static_cast<size_t>(sentence.size()) + 1, kMargin);
  half.push_back(0);
  for (int i = 1; i <= sentence.size(); ++i) {
    const Token& token = sentence.word(i);
    half.push_back(std::max({font_width(token.form) * kWordSize, font_width(token.upos) * kTagSize,
                             room[static_cast<size_t>(i)]}) /
                   2);
  }
  std::vector<std::vector<Arc*>> ending(x.size());  // by their right end
  for (Arc& arc : arcs) {
    ending[static_cast<size_t>(arc.right())].push_back(&arc);
    if (arc.is_root())
      half[static_cast<size_t>(arc.dependent)] =
          std::max(half[static_cast<size_t>(arc.dependent)], arc.label_width / 2);
  }
  end = kMargin;
  for (size_t i = 1; i < x.size(); ++i) {
    x[i] = end + half[i];
    for (Arc* arc : ending[i])
      if (!arc->is_root())
        x[i] = std::max(x[i], x[static_cast<size_t>(arc->left())] + arc->x_at(arc->left()) + arc->label_width +
                                  2 * kLabelAir - arc->x_at(arc->right()));
    end = x[i] + half[i] + kWordGap;
  }
  end += kMargin - kWordGap;
  for (Arc& arc : arcs) {
    arc.dependent_x += x[static_cast<size_t>(arc.dependent)];
    if (!arc.is_root()) arc.head_x += x[static_cast<size_t>(arc.head)];
  }
  return x;
}

/// Short arcs first, each just above what it spans. Root arrows reach above the arcs beside them.
int assign_levels(std::vector<Arc>& arcs, int words) {
  std::vector<int> top(static_cast<size_t>(words) + 1, 0);  // top[i]: level of the gap behind word i
  std::vector<Arc*> by_length;
  for (Arc& arc : arcs) by_length.push_back(&arc);
  std::ranges::stable_sort(by_length, std::less<>(),
                           [&](const Arc* arc) { return arc->is_root() ? words + 1 : arc->length(); });
  int highest = 0;
  for (Arc* arc : by_length) {
    const auto begin = top.begin() + (arc->is_root() ? arc->dependent - 1 : arc->left());
    const auto end = top.begin() + (arc->is_root() ? arc->dependent + 1 : arc->right());
    arc->level = 1 + *std::max_element(begin, end);
    if (!arc->is_root()) std::fill(begin, end, arc->level);
    highest = std::max(highest, arc->level);
  }
  return highest;
}

/// Colours tell kinds of relations apart at a glance; punctuation stays in the background.
std::string_view colour_of(std::string_view label) {
  const std::string_view universal = label.substr(0, label.find(':'));
  const auto is_one_of = [&](std::initializer_list<std::string_view> list) {
    return std::ranges::find(list, universal) != list.end();
  };
  if (universal == "root") return "#b42318";
  if (universal == "punct") return "#b4bcc8";
  if (is_one_of({"nsubj", "csubj", "obj", "iobj", "ccomp", "xcomp"})) return "#1d5fbf";
  if (is_one_of({"det", "case", "aux", "cop", "mark", "cc", "clf"})) return "#7a8699";
  return "#0f766e";
}

std::string arc_path(double x1, double x2, double base, double top) {
  const double corner = std::min({kCorner, std::abs(x2 - x1) / 2, base - top});
  const double towards = x2 > x1 ? corner : -corner;
  return fmt::format("M{:.1f} {:.1f}V{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}H{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}", x1,
                     base, top + corner, x1, top, x1 + towards, top, x2 - towards, x2, top, x2, top + corner,
                     base - kArrow);
}

std::string text_at(double x, double y, double size, std::string_view colour, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\" fill=\"{}\">{}</text>\n", x, y, size, colour,
                     xml_text(text));
}

}  // namespace

SvgDrawing draw_svg_dependencies(const Sentence& sentence) {
  SvgDrawing drawing;
  std::vector<Arc> arcs = arcs_of(sentence);
  const std::vector<double> room = place_arc_ends(arcs, sentence.size());
  std::vector<double> x = place_words(sentence, arcs, room, drawing.width);
  const int levels = assign_levels(arcs, sentence.size());
  if (reads_right_to_left(sentence)) {
    for (double& middle : x) middle = drawing.width - middle;
    for (Arc& arc : arcs) {
      arc.head_x = drawing.width - arc.head_x;
      arc.dependent_x = drawing.width - arc.dependent_x;
    }
  }
  const double base = kMargin + kLevel * levels;
  drawing.height = base + 27 + kTagSize + kMargin;
  const auto top_of = [&](const Arc& arc) { return base - kLevel * arc.level + kLabelSize / 2; };

  // Long arcs first: what crosses them lies on top.
  std::ranges::stable_sort(arcs, std::greater<>(), &Arc::level);
  std::string labels;
  for (const Arc& arc : arcs) {
    const std::string& label = sentence.word(arc.dependent).deprel;
    const std::string_view colour = colour_of(label);
    const double top = top_of(arc), tip = arc.dependent_x;
    const std::string path = arc.is_root() ? fmt::format("M{:.1f} {:.1f}V{:.1f}", tip, top, base - kArrow)
                                           : arc_path(arc.head_x, tip, base, top);
    drawing.body += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\"/>\n", path, colour);
    drawing.body += fmt::format("<path d=\"M{:.1f} {:.1f}l-{}-8h{}z\" fill=\"{}\"/>\n", tip, base, kArrow - 1,
                                2 * (kArrow - 1), colour);
    const double middle = arc.is_root() ? tip : (arc.head_x + tip) / 2;
    labels +=
        fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"#fff\"/>\n",
                    middle - arc.label_width / 2 - 3, top - kLabelSize / 2 - 1, arc.label_width + 6, kLabelSize + 2);
    labels += text_at(middle, top + kLabelSize * 0.36, kLabelSize, label == "punct" ? "#8a94a3" : colour, label);
  }
  drawing.body += labels;
  for (int i = 1; i <= sentence.size(); ++i) {
    const Token& token = sentence.word(i);
    drawing.body += text_at(x[static_cast<size_t>(i)], base + 20, kWordSize, "#111827", token.form);
    if (token.upos != "_")
      drawing.body += text_at(x[static_cast<size_t>(i)], base + 27 + kTagSize, kTagSize, "#8a94a3", token.upos);
  }
  return drawing;
}

}  // namespace espalier
