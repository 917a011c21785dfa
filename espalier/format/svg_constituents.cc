// Constituent trees. Words stand on the bottom line; a node is above its highest child and in the middle of its first
// and last one. Branches run along a bar below the parent and then straight down, so they cross nothing. Nodes come
// after their parents, so plain loops do what recursion would. O(nodes).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/format/brackets.h"
#include "espalier/format/svg.h"
#include "espalier/format/text_width.h"

namespace espalier {
namespace {

constexpr double kMargin = 18, kWordSize = 16, kLabelSize = 13, kTagSize = 11;
constexpr double kGap = 16;    // between neighbours
constexpr double kLevel = 40;  // between a node and its highest child
constexpr double kBar = 10;    // from a label down to the bar of its branches
constexpr double kCorner = 6;  // of a branch

struct Box {
  double left = 0, width = 0, middle = 0;
  int height = 0;
};

}  // namespace

SvgDrawing draw_svg_constituents(const Sentence& sentence) {
  SvgDrawing drawing;
  const auto& nodes = sentence.constituents.nodes;
  const auto word_of = [&](const ConstituentTree::Node& node) -> std::string_view {
    return node.word > 0 && node.word <= sentence.size() ? std::string_view(sentence.word(node.word).form) : node.trace;
  };

  std::vector<Box> boxes(nodes.size());
  const auto box = [&](int node) -> Box& { return boxes[static_cast<size_t>(node)]; };
  std::vector<double> children_width(nodes.size(), 0);
  for (size_t i = nodes.size(); i-- > 0;) {
    const auto& node = nodes[i];
    const double label = font_width(node.label) * (node.is_leaf() ? kTagSize : kLabelSize);
    boxes[i].width = std::max(label, node.is_leaf() ? font_width(word_of(node)) * kWordSize : 0) + kGap;
    for (const int child : node.children) {
      children_width[i] += box(child).width;
      boxes[i].height = std::max(boxes[i].height, box(child).height + 1);
    }
    boxes[i].width = std::max(boxes[i].width, children_width[i]);
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    double left = boxes[i].left + (boxes[i].width - children_width[i]) / 2;
    for (const int child : nodes[i].children) {
      box(child).left = left;
      left += box(child).width;
    }
  }
  for (size_t i = nodes.size(); i-- > 0;) {
    const auto& node = nodes[i];
    Box& own = boxes[i];
    const double half = font_width(node.label) * kLabelSize / 2;
    own.middle = node.is_leaf() ? own.left + own.width / 2
                                : std::clamp((box(node.children.front()).middle + box(node.children.back()).middle) / 2,
                                             own.left + half, std::max(own.left + half, own.left + own.width - half));
  }

  const int levels = nodes.empty() ? 0 : boxes[0].height;
  drawing.width = (nodes.empty() ? 0 : boxes[0].width) + 2 * kMargin;
  drawing.height = 2 * kMargin + kLevel * levels + kLabelSize + kWordSize + 12;
  const bool mirrored = reads_right_to_left(sentence);
  const auto x_of = [&](const Box& b) { return mirrored ? drawing.width - kMargin - b.middle : kMargin + b.middle; };
  const auto y_of = [&](const Box& b) { return kMargin + kLabelSize + kLevel * (levels - b.height); };
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double x = x_of(boxes[i]), bar = y_of(boxes[i]) + kBar;
    if (nodes[i].is_leaf()) continue;
    drawing.body +=
        fmt::format("<path class=\"branches\" data-node=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}", i, x, bar - kBar + 4, bar);
    for (const int child : nodes[i].children) {
      const double to = x_of(box(child)), end = y_of(box(child)) - kLabelSize;
      const bool outer = child == nodes[i].children.front() || child == nodes[i].children.back();
      const double corner = outer ? std::min(std::abs(to - x), kCorner) * (to < x ? -1 : 1) : 0;
      drawing.body += fmt::format("M{:.1f} {:.1f}H{:.1f}q{:.1f} 0 {:.1f} {:.1f}V{:.1f}", x, bar, to - corner, corner,
                                  corner, std::abs(corner), end);
    }
    drawing.body += "\" fill=\"none\" stroke=\"#9aa5b4\" stroke-width=\"1.2\"/>\n";
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double x = x_of(boxes[i]), y = y_of(boxes[i]);
    const auto& node = nodes[i];
    const std::string_view kind = !node.is_leaf() ? "phrase" : node.is_trace() ? "trace" : "word";
    drawing.body += fmt::format("<g class=\"{}\" data-node=\"{}\" data-label=\"{}\"", kind, i, xml_text(node.label));
    if (node.word > 0) drawing.body += fmt::format(" data-word=\"{}\"", node.word);
    drawing.body += '>';
    if (node.is_leaf()) {
      drawing.body += svg_text(x, y, kTagSize, "class=\"tag\" fill=\"#7a8699\"", node.label);
      drawing.body += svg_text(
          x, y + kWordSize + 6, kWordSize,
          node.is_trace() ? "class=\"form\" fill=\"#8a94a3\" font-style=\"italic\"" : "class=\"form\" fill=\"#111827\"",
          word_of(node));
    } else {
      drawing.body +=
          svg_text(x, y, kLabelSize, "class=\"category\" fill=\"#1d5fbf\" font-weight=\"bold\"", node.label);
    }
    drawing.body += "</g>\n";
  }
  append_brackets(sentence, drawing.description);
  return drawing;
}

}  // namespace espalier
