#include "espalier/format/draw/arc_layout.h"

#include <cstdlib>
#include <utility>

#include "espalier/format/draw/text_width.h"

namespace espalier {
namespace {

constexpr double kWordGap = 16;  // least space between words
constexpr double kSlot = 8;      // between arcs that meet at a word
// Space between a label and its arc's ends: the corner, a straight piece, and a reserve for wider
// fonts.
constexpr double kLabelAir = kArcCorner + 8;
constexpr double kEdge = 4;         // from the picture's edge to where pieces of arcs end
constexpr int kLinesWithPiece = 8;  // the number of lines between its ends on which an arc is drawn, at most

/// The pieces of all arcs that reach into the line; `passing` are arcs over it as a whole.
std::vector<DrawnArc> arcs_of(const Sentence& sentence, const DrawnLine& line,
                              const std::vector<std::vector<int>>& dependents, const std::vector<int>& passing) {
  std::vector<int> words;  // whose arcs these are
  for (int i = line.first; i <= line.last; ++i) {
    if (has_arc(sentence, i)) words.push_back(i);
    for (const int dependent : dependents[i])
      if (!line.has(dependent)) words.push_back(dependent);
  }
  words.insert(words.end(), passing.begin(), passing.end());
  std::ranges::sort(words);
  std::vector<DrawnArc> arcs;
  for (const int word : words) {
    const Token& token = sentence.word(word);
    const int dependent = line.place_of(word), head = token.head == 0 ? dependent : line.place_of(token.head);
    arcs.push_back({word, std::min(head, dependent), std::max(head, dependent), dependent > head,
                    token.head == 0 ? 0 : std::abs(word - token.head), font_width(token.deprel) * kArcLabelSize});
  }
  return arcs;
}

/// Gives every end of an arc its place beside the others at its word; returns the room each word needs for them.
std::vector<double> place_arc_ends(DrawnLine& line) {
  const int words = line.words();
  std::vector<std::vector<DrawnArc*>> at_place(static_cast<size_t>(words) + 2);
  for (DrawnArc& arc : line.arcs) {
    if (!line.is_edge(arc.left)) at_place[arc.left].push_back(&arc);
    if (!arc.is_root() && !line.is_edge(arc.right)) at_place[arc.right].push_back(&arc);
  }
  std::vector<double> room(at_place.size(), 0);
  for (int place = 1; place <= words; ++place) {
    auto& ends = at_place[place];
    // Keys: arcs to the left -n + length, root 0, arcs to the right n - length. The length of an arc that leaves the
    // line is its whole length.
    std::ranges::stable_sort(ends, std::less<>(), [&](const DrawnArc* arc) {
      const int in_line = arc->left == place ? words + 2 - arc->length() : arc->length() - words - 2;
      return arc->is_root() ? std::pair(0, 0) : std::pair(in_line, arc->left == place ? -arc->span : arc->span);
    });
    const double width = kSlot * (static_cast<double>(ends.size()) - 1);
    for (size_t k = 0; k < ends.size(); ++k) ends[k]->x_at(place) = kSlot * static_cast<double>(k) - width / 2;
    room[place] = width;
  }
  return room;
}

/// Computes the middles of the places, as close together as words and labels allow. Arcs' ends become absolute.
void place_words(const Sentence& sentence, DrawnLine& line, const std::vector<double>& room) {
  const auto places = static_cast<size_t>(line.words()) + 2;
  std::vector<double> half(places, 0);
  for (size_t i = 1; i + 1 < places; ++i) {
    const Token& token = sentence.word(line.first - 1 + static_cast<int>(i));
    half[i] = std::max({font_width(token.form) * kWordSize, font_width(token.upos) * kTagSize, room[i]}) / 2;
  }
  std::vector<std::vector<DrawnArc*>> ending(places);  // by their right end
  for (DrawnArc& arc : line.arcs) {
    ending[arc.right].push_back(&arc);
    if (arc.is_root()) half[arc.left] = std::max(half[arc.left], arc.label_width / 2);
  }
  line.x.assign(places, kEdge);
  double end = kMargin;
  for (size_t i = 1; i < places; ++i) {
    const bool edge = i + 1 == places;
    line.x[i] = edge ? end - kWordGap + kMargin - kEdge : end + half[i];
    for (DrawnArc* arc : ending[i])
      if (!arc->is_root())
        line.x[i] =
            std::max(line.x[i], line.x[arc->left] + arc->left_x + arc->label_width + 2 * kLabelAir - arc->right_x);
    if (!edge) end = line.x[i] + half[i] + kWordGap;
  }
  line.width = line.x.back() + kEdge;
  for (DrawnArc& arc : line.arcs) {
    arc.left_x += line.x[arc.left];
    arc.right_x = arc.is_root() ? arc.left_x : arc.right_x + line.x[arc.right];
  }
}

/// Short arcs first, each just above what it spans. Root arrows reach above the arcs beside them.
void assign_levels(DrawnLine& line) {
  std::vector<int> top(line.words() + 1, 0);  // top[i]: level of the gap behind place i
  std::vector<DrawnArc*> by_length;
  for (DrawnArc& arc : line.arcs) by_length.push_back(&arc);
  std::ranges::stable_sort(by_length, std::less<>(), [&](const DrawnArc* arc) {
    return std::pair(arc->is_root() ? line.words() + 2 : arc->length(), arc->span);
  });
  for (DrawnArc* arc : by_length) {
    const auto begin = top.begin() + (arc->is_root() ? arc->left - 1 : arc->left);
    const auto end = top.begin() + (arc->is_root() ? arc->left + 1 : arc->right);
    arc->level = 1 + *std::max_element(begin, end);
    if (!arc->is_root()) std::fill(begin, end, arc->level);
    line.levels = std::max(line.levels, arc->level);
  }
}

/// Cuts a sentence into lines and lays each of them out.
class Layout {
 public:
  explicit Layout(const Sentence& sentence)
      : sentence_(sentence), dependents_(static_cast<size_t>(sentence.size()) + 1) {
    for (int i = 1; i <= sentence.size(); ++i)
      if (has_arc(sentence, i)) dependents_[sentence.word(i).head].push_back(i);
  }

  std::vector<DrawnLine> lines(double width) {
    const DrawnLine whole = laid_out({1, sentence_.size()});
    if (width <= 0 || sentence_.size() == 0) return {whole};
    std::vector<DrawnLine> lines = cut(whole, width);
    if (lines.size() == 1) return lines;
    lines = cut(whole, balanced_width(width, lines.size(), [&](double less) { return cut(whole, less).size(); }));
    // Arcs that continue run to the edge, which is the same for all lines.
    double widest = 0;
    for (const DrawnLine& line : lines) widest = std::max(widest, line.width);
    for (DrawnLine& line : lines) {
      for (DrawnArc& arc : line.arcs)
        if (!arc.is_root() && arc.right == line.words() + 1) arc.right_x += widest - line.width;
      line.x.back() += widest - line.width;
      line.width = widest;
    }
    return lines;
  }

 private:
  /// Puts as many words on each line as fit.
  std::vector<DrawnLine> cut(const DrawnLine& whole, double width) {
    std::vector<DrawnLine> lines;
    open_.clear();
    const auto x = [&](int word) { return whole.x[word]; };
    for (int first = 1; first <= sentence_.size(); first = lines.back().last + 1) {
      int last = first;
      while (last < sentence_.size() && x(last + 1) - x(first) + 4 * kMargin <= width) ++last;
      DrawnLine line = laid_out({first, last});
      // Labels of arcs from and to other lines may need more room.
      while (line.width > width && line.words() > 1) line = laid_out({first, line.last - 1});
      pass(line);
      lines.push_back(std::move(line));
    }
    return lines;
  }

  DrawnLine laid_out(DrawnLine line) const {
    line.arcs = arcs_of(sentence_, line, dependents_, over(line));
    const std::vector<double> room = place_arc_ends(line);
    place_words(sentence_, line, room);
    assign_levels(line);
    return line;
  }

  /// Arcs that began on a line before and end behind this one.
  std::vector<int> over(const DrawnLine& line) const {
    std::vector<int> result;
    for (const auto& [word, lines] : open_)
      if (std::max(word, sentence_.word(word).head) > line.last) result.push_back(word);
    return result;
  }

  /// Ends a line: updates the arcs that continue on the next one, and on how many lines each is still drawn.
  void pass(const DrawnLine& line) {
    for (auto& [word, lines] : open_) --lines;
    std::erase_if(open_, [&](const auto& entry) {
      return entry.second == 0 || std::max(entry.first, sentence_.word(entry.first).head) <= line.last;
    });
    for (const DrawnArc& arc : line.arcs)
      if (!line.is_edge(arc.left) && arc.right == line.words() + 1) open_.emplace_back(arc.dependent, kLinesWithPiece);
  }

  const Sentence& sentence_;
  std::vector<std::vector<int>> dependents_;
  std::vector<std::pair<int, int>> open_;  // arcs over the next line, and on how many lines they are still drawn
};

}  // namespace

bool has_arc(const Sentence& sentence, int word) {
  const int head = sentence.word(word).head;
  return head >= 0 && head <= sentence.size() && head != word;
}

std::vector<DrawnLine> lay_out_arcs(const Sentence& sentence, double width) { return Layout(sentence).lines(width); }

}  // namespace espalier
