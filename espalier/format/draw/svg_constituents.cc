// Constituent trees. Words stand on the bottom line; a node is above its highest child, centred between its first and
// last one. Branches run along a bar below the parent and then straight down, so they do not cross. Nodes come after
// their parents in the array, so loops suffice instead of recursion. O(nodes). A tree that is too wide is drawn in
// lines: each has as many words as fit, with all nodes above them; "…" marks a node that continues on another line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "espalier/format/brackets.h"
#include "espalier/format/draw/svg.h"
#include "espalier/format/draw/text_width.h"

namespace espalier {
namespace {

constexpr double kCategorySize = 13;
constexpr double kGap = 16;          // between neighbours
constexpr double kNodeLevel = 40;    // between a node and its highest child
constexpr double kBar = 10;          // from a label down to the bar of its branches
constexpr double kBranchCorner = 6;  // of a branch

struct Box {
  double left = 0, width = 0, middle = 0;
  int height = 0;
};

/// A tree, or the part of one above some of its leaves.
struct DrawnPart {
  std::vector<ConstituentTree::Node> nodes;
  std::vector<size_t> numbers;  // in the whole tree
};

/// Leaves first..last, counted from 0 in their order, and the nodes above them.
DrawnPart part_of(const std::vector<ConstituentTree::Node>& nodes, size_t first, size_t last) {
  std::vector<std::pair<size_t, size_t>> leaves(nodes.size());  // of each node: its first one, and past the last
  // Visits the tree from the left with a
  // stack.
  std::vector<int> waiting;
  size_t count = 0;
  if (!nodes.empty()) waiting.push_back(0);
  std::vector<int> order;
  while (!waiting.empty()) {
    const int node = waiting.back();
    waiting.pop_back();
    order.push_back(node);
    const auto& children = nodes[node].children;
    if (children.empty()) leaves[node] = {count, count + 1}, ++count;
    for (size_t c = children.size(); c-- > 0;) waiting.push_back(children[c]);
  }
  for (size_t i = order.size(); i-- > 0;) {
    const auto& children = nodes[order[i]].children;
    if (children.empty()) continue;
    leaves[order[i]] = {leaves[children.front()].first, leaves[children.back()].second};
  }
  DrawnPart part;
  std::vector<int> place(nodes.size(), -1);
  for (size_t i = 0; i < nodes.size(); ++i) {
    const auto& [begin, end] = leaves[i];
    if (begin > last || end <= first) continue;
    place[i] = static_cast<int>(part.nodes.size());
    part.numbers.push_back(i);
    ConstituentTree::Node& node = part.nodes.emplace_back(nodes[i]);
    if (begin < first) node.label = "…" + node.label;
    if (end > last + 1) node.label += "…";
  }
  for (auto& node : part.nodes) {
    std::erase_if(node.children, [&](int child) { return place[child] < 0; });
    for (int& child : node.children) child = place[child];
  }
  return part;
}

/// Draws below `top`.
void draw_part(const Sentence& sentence, const DrawnPart& part, double top, SvgDrawing& drawing) {
  const auto& nodes = part.nodes;
  const auto word_of = [&](const ConstituentTree::Node& node) -> std::string_view {
    return node.word > 0 && node.word <= sentence.size() ? std::string_view(sentence.word(node.word).form) : node.trace;
  };

  std::vector<Box> boxes(nodes.size());
  const auto box = [&](int node) -> Box& { return boxes[node]; };
  std::vector<double> children_width(nodes.size(), 0);
  for (size_t i = nodes.size(); i-- > 0;) {
    const auto& node = nodes[i];
    const double label = font_width(node.label) * (node.is_leaf() ? kTagSize : kCategorySize);
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
    const double half = font_width(node.label) * kCategorySize / 2;
    own.middle = node.is_leaf() ? own.left + own.width / 2
                                : std::clamp((box(node.children.front()).middle + box(node.children.back()).middle) / 2,
                                             own.left + half, std::max(own.left + half, own.left + own.width - half));
  }

  const int levels = nodes.empty() ? 0 : boxes[0].height;
  const double width = (nodes.empty() ? 0 : boxes[0].width) + 2 * kMargin;
  drawing.width = std::max(drawing.width, width);
  drawing.height = top + 2 * kMargin + kNodeLevel * levels + kCategorySize + kWordSize + 12;
  const bool mirrored = reads_right_to_left(sentence);
  const auto x_of = [&](const Box& b) { return mirrored ? width - kMargin - b.middle : kMargin + b.middle; };
  const auto y_of = [&](const Box& b) { return top + kMargin + kCategorySize + kNodeLevel * (levels - b.height); };
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double x = x_of(boxes[i]), bar = y_of(boxes[i]) + kBar;
    if (nodes[i].is_leaf()) continue;
    drawing.body += fmt::format("<path class=\"branches\" data-node=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}", part.numbers[i],
                                x, bar - kBar + 4, bar);
    for (const int child : nodes[i].children) {
      const double to = x_of(box(child)), end = y_of(box(child)) - kCategorySize;
      const bool outer = child == nodes[i].children.front() || child == nodes[i].children.back();
      const double corner = outer ? std::min(std::abs(to - x), kBranchCorner) * (to < x ? -1 : 1) : 0;
      drawing.body += fmt::format("M{:.1f} {:.1f}H{:.1f}q{:.1f} 0 {:.1f} {:.1f}V{:.1f}", x, bar, to - corner, corner,
                                  corner, std::abs(corner), end);
    }
    drawing.body += "\" fill=\"none\" stroke=\"#9aa5b4\" stroke-width=\"1.2\"/>\n";
  }
  for (size_t i = 0; i < nodes.size(); ++i) {
    const double x = x_of(boxes[i]), y = y_of(boxes[i]);
    const auto& node = nodes[i];
    const std::string_view kind = !node.is_leaf() ? "phrase" : node.is_trace() ? "trace" : "word";
    drawing.body += fmt::format("<g class=\"{}\" data-node=\"{}\" data-label=\"{}\"", kind, part.numbers[i],
                                xml_text(sentence.constituents.nodes[part.numbers[i]].label));
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
          svg_text(x, y, kCategorySize, "class=\"category\" fill=\"#1d5fbf\" font-weight=\"bold\"", node.label);
    }
    drawing.body += "</g>\n";
  }
}

double width_of(const Sentence& sentence, const DrawnPart& part) {
  SvgDrawing drawing;
  draw_part(sentence, part, 0, drawing);
  return drawing.width;
}

/// Where each line ends, with as many leaves as fit, at least one; 0 = all on one line.
std::vector<size_t> cut(const Sentence& sentence, size_t leaves, double width) {
  const auto& nodes = sentence.constituents.nodes;
  if (width <= 0 || leaves == 0) return {std::max<size_t>(leaves, 1)};
  std::vector<size_t> ends;
  for (size_t first = 0; first < leaves; first = ends.back()) {
    size_t fits = 1, last = leaves - first;
    if (width_of(sentence, part_of(nodes, first, leaves - 1)) <= width) fits = last;
    while (fits < last) {
      const size_t middle = (fits + last + 1) / 2;
      if (width_of(sentence, part_of(nodes, first, first + middle - 1)) > width)
        last = middle - 1;
      else
        fits = middle;
    }
    ends.push_back(first + fits);
  }
  return ends;
}

}  // namespace

SvgDrawing draw_svg_constituents(const Sentence& sentence, double width) {
  SvgDrawing drawing;
  const auto& nodes = sentence.constituents.nodes;
  const auto leaves =
      static_cast<size_t>(std::ranges::count_if(nodes, [](const auto& node) { return node.is_leaf(); }));
  append_brackets(sentence, drawing.description);
  const auto cut_at = [&](double less) { return cut(sentence, leaves, less); };
  std::vector<size_t> ends = cut_at(width);
  if (ends.size() > 1)
    ends = cut_at(balanced_width(width, ends.size(), [&](double less) { return cut_at(less).size(); }));
  size_t first = 0;
  for (const size_t end : ends) {
    draw_part(sentence, part_of(nodes, first, end - 1), drawing.height, drawing);
    first = end;
  }
  return drawing;
}

}  // namespace espalier
