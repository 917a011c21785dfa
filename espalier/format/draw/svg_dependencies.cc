// Draws a dependency tree as arc_layout.h lays it out.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <vector>

#include "espalier/format/draw/arc_layout.h"
#include "espalier/format/draw/svg.h"
#include "espalier/format/draw/text_width.h"

namespace espalier {
namespace {

constexpr double kArcLevel = 23;  // between arcs one above the other
constexpr double kArrow = 5;      // half its width

/// Each kind of relation has a colour; that of punctuation is pale.
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

class Picture {
 public:
  Picture(const Sentence& sentence, SvgDrawing& drawing) : sentence_(sentence), drawing_(drawing) {}

  /// Draws a line below the earlier ones.
  void draw(DrawnLine& line) {
    base_ = drawing_.height + kMargin + kArcLevel * line.levels;
    drawing_.height = base_ + 27 + kTagSize + kMargin;
    // High arcs first, so that lower ones are drawn on top of them.
    std::ranges::stable_sort(line.arcs, std::greater<>(), &DrawnArc::level);
    for (const DrawnArc& arc : line.arcs) draw_arc(line, arc);
    for (const DrawnArc& arc : line.arcs) draw_label(arc);
    for (int i = line.first; i <= line.last; ++i) draw_word(i, line.x[line.place_of(i)]);
  }

 private:
  double top_of(const DrawnArc& arc) const { return base_ - kArcLevel * arc.level + kArcLabelSize / 2; }

  /// Opens a group with data-* attributes for scripts and a title for users.
  void open(std::string_view kind, int word, std::string_view further = "") {
    const Token& token = sentence_.word(word);
    drawing_.body += fmt::format("<g class=\"{}\" data-word=\"{}\"", kind, word);
    if (has_arc(sentence_, word))
      drawing_.body += fmt::format(" data-head=\"{}\" data-label=\"{}\"", token.head, xml_text(token.deprel));
    drawing_.body += further;
    drawing_.body += '>';
  }
  void close() { drawing_.body += "</g>\n"; }

  void title_of_arc(int word) {
    const Token& token = sentence_.word(word);
    drawing_.body +=
        fmt::format("<title>{}: {} \u2192 {}</title>\n", xml_text(token.deprel),
                    token.head == 0 ? "root" : xml_text(sentence_.word(token.head).form), xml_text(token.form));
  }

  void draw_arc(const DrawnLine& line, const DrawnArc& arc) {
    const std::string_view colour = colour_of(sentence_.word(arc.dependent).deprel);
    const double tip = arc.rightwards ? arc.right_x : arc.left_x;
    open("arc", arc.dependent);
    title_of_arc(arc.dependent);
    drawing_.body += fmt::format("<path class=\"line\" d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.3\"/>\n",
                                 path(line, arc), colour);
    if (!line.is_edge(arc.tip())) {
      drawing_.body += fmt::format("<path class=\"arrow\" d=\"M{:.1f} {:.1f}l-{}-8h{}z\" fill=\"{}\"/>\n", tip, base_,
                                   kArrow - 1, 2 * (kArrow - 1), colour);
    }
    close();
  }

  std::string path(const DrawnLine& line, const DrawnArc& arc) const {
    const double top = top_of(arc);
    if (arc.is_root()) return fmt::format("M{:.1f} {:.1f}V{:.1f}", arc.left_x, top, base_ - kArrow);
    const double corner = std::min({kArcCorner, std::abs(arc.right_x - arc.left_x) / 2, base_ - top});
    const double towards = arc.right_x > arc.left_x ? corner : -corner;  // right to left: the left end is right
    const double foot_left = arc.rightwards ? base_ : base_ - kArrow,
                 foot_right = arc.rightwards ? base_ - kArrow : base_;
    std::string path;
    if (line.is_edge(arc.left)) {
      path = fmt::format("M{:.1f} {:.1f}", arc.left_x, top);
    } else {
      path = fmt::format("M{:.1f} {:.1f}V{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}", arc.left_x, foot_left, top + corner,
                         arc.left_x, top, arc.left_x + towards, top);
    }
    if (line.is_edge(arc.right)) return path + fmt::format("H{:.1f}", arc.right_x);
    return path + fmt::format("H{:.1f}Q{:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}", arc.right_x - towards, arc.right_x, top,
                              arc.right_x, top + corner, foot_right);
  }

  void draw_label(const DrawnArc& arc) {
    const std::string& label = sentence_.word(arc.dependent).deprel;
    const double top = top_of(arc), middle = (arc.left_x + arc.right_x) / 2;
    open("label", arc.dependent);
    title_of_arc(arc.dependent);
    drawing_.body += fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{}\" fill=\"#fff\"/>\n",
                                 middle - arc.label_width / 2 - 3, top - kArcLabelSize / 2 - 1, arc.label_width + 6,
                                 kArcLabelSize + 2);
    const std::string_view colour = label == "punct" ? "#8a94a3" : colour_of(label);
    drawing_.body +=
        svg_text(middle, top + kArcLabelSize * 0.36, kArcLabelSize, fmt::format("fill=\"{}\"", colour), label);
    close();
  }

  void draw_word(int word, double x) {
    const Token& token = sentence_.word(word);
    std::string further, title = xml_text(token.form);
    const auto add = [&](std::string_view name, const std::string& value) {
      if (value.empty() || value == "_") return;
      further += fmt::format(" data-{}=\"{}\"", name, xml_text(value));
      title += fmt::format("\n{}: {}", name, xml_text(value));
    };
    add("lemma", token.lemma);
    add("upos", token.upos);
    add("xpos", token.xpos);
    add("feats", token.feats);
    open("word", word, further);
    drawing_.body += fmt::format("<title>{}</title>\n", title);
    drawing_.body += svg_text(x, base_ + 20, kWordSize, "class=\"form\" fill=\"#111827\"", token.form);
    if (token.upos != "_")
      drawing_.body += svg_text(x, base_ + 27 + kTagSize, kTagSize, "class=\"upos\" fill=\"#8a94a3\"", token.upos);
    close();
  }

  const Sentence& sentence_;
  SvgDrawing& drawing_;
  double base_ = 0;  // where the line's words begin
};

/// The tree in words, for screen readers.
std::string description(const Sentence& sentence) {
  std::string text;
  for (int i = 1; i <= sentence.size(); ++i) {
    if (!has_arc(sentence, i)) continue;
    const Token& token = sentence.word(i);
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", token.form, token.deprel);
    if (token.head > 0) text += fmt::format(" of {}", sentence.word(token.head).form);
  }
  return text;
}

}  // namespace

SvgDrawing draw_svg_dependencies(const Sentence& sentence, double width) {
  SvgDrawing drawing;
  drawing.description = description(sentence);
  std::vector<DrawnLine> lines = lay_out_arcs(sentence, width);
  for (const DrawnLine& line : lines) drawing.width = std::max(drawing.width, line.width);
  Picture picture(sentence, drawing);
  const bool mirrored = reads_right_to_left(sentence);
  for (DrawnLine& line : lines) {
    if (mirrored) {
      for (double& x : line.x) x = drawing.width - x;
      for (DrawnArc& arc : line.arcs) {
        arc.left_x = drawing.width - arc.left_x;
        arc.right_x = drawing.width - arc.right_x;
      }
    }
    picture.draw(line);
  }
  return drawing;
}

}  // namespace espalier
