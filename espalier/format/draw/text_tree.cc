#include "espalier/format/draw/text_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "espalier/format/draw/text_width.h"
#include "espalier/format/formats.h"

namespace espalier {
namespace {

constexpr int kMostRails = 100;   // a tree that needs more is written with head numbers instead of arcs
constexpr size_t kDeepest = 100;  // constituents below this depth are not indented further

/// The rail of a head: a vertical line along its dependents and itself.
struct Rail {
  int lane = 0;  ///< 1 is next to the words; 0: no dependents, no rail
  int first = 0, last = 0;
};

/// Heads that can be drawn: 0..n, others are as good as missing.
std::vector<int> drawable_heads(const Sentence& sentence) {
  std::vector<int> heads(sentence.size() + 1, Token::kNoHead);
  for (int i = 1; i <= sentence.size(); ++i)
    if (const int head = sentence.word(i).head; head >= 0 && head <= sentence.size() && head != i) heads[i] = head;
  return heads;
}

/// Words such that dependents come before their heads (as far as there are no cycles).
std::vector<int> bottom_up(const std::vector<int>& heads) {
  const int n = static_cast<int>(heads.size()) - 1;
  std::vector<int> waiting(heads.size(), 0), order;
  for (int i = 1; i <= n; ++i)
    if (heads[i] > 0) ++waiting[heads[i]];
  for (int i = 1; i <= n; ++i)
    if (waiting[i] == 0) order.push_back(i);
  for (size_t k = 0; k < order.size(); ++k)
    if (const int head = heads[order[k]]; head > 0 && --waiting[head] == 0) order.push_back(head);
  for (int i = 1; i <= n; ++i)
    if (waiting[i] > 0) order.push_back(i);
  return order;
}

/// A head's rail lies left of those of its dependents, so that in a projective tree nothing crosses; rails in one lane
/// do not touch.
std::vector<Rail> lay_rails(const std::vector<int>& heads) {
  std::vector<Rail> rails(heads.size());
  std::vector<int> nearest(heads.size(), 1);  // the nearest lane that is left of the dependents' rails
  for (int i = 1; i < static_cast<int>(heads.size()); ++i) {
    if (heads[i] <= 0) continue;
    const int head = heads[i];
    Rail& rail = rails[head];
    rail.first = std::min({rail.first ? rail.first : head, head, i});
    rail.last = std::max({rail.last, head, i});
  }
  std::vector<std::vector<Rail>> lanes(1);
  for (const int i : bottom_up(heads)) {
    Rail& rail = rails[i];
    if (rail.first == 0) continue;
    const auto touches = [&](const Rail& other) { return other.first <= rail.last && rail.first <= other.last; };
    size_t lane = static_cast<size_t>(nearest[i]);
    while (lane < lanes.size() && std::ranges::any_of(lanes[lane], touches)) ++lane;
    rail.lane = static_cast<int>(lane);
    lanes.resize(std::max(lanes.size(), lane + 1));
    lanes[lane].push_back(rail);
    if (const int head = heads[i]; head > 0) nearest[head] = std::max(nearest[head], rail.lane + 1);
  }
  return rails;
}

/// A character of the drawing by the directions in which lines leave it.
enum Direction { kUp = 1, kDown = 2, kLeft = 4, kRight = 8 };

const char* line_character(int directions) {
  static const char* const characters[16] = {" ", "╵", "╷", "│", "╴", "╯", "╮", "┤",
                                             "╶", "╰", "╭", "├", "─", "┴", "┬", "┼"};
  return characters[directions];
}

std::string arcs_of_row(int row, const std::vector<int>& heads, const std::vector<Rail>& rails, int lanes) {
  const auto column = [&](int lane) { return 2 * (lanes - lane) + 2; };
  const auto vertical = [&](const Rail& rail) { return (rail.first < row ? kUp : 0) | (rail.last > row ? kDown : 0); };
  const int width = 2 * lanes + 2;
  std::vector<int> cells(width, 0);
  const int head = heads[row];
  const Rail& own = rails[row];
  const int from = head > 0 ? column(rails[head].lane) : head == 0 ? 0 : width;
  const int begin = std::min(from, own.lane ? column(own.lane) : width);
  for (int x = begin; x < width; ++x) cells[x] = (x > begin ? kLeft : 0) | kRight;
  if (begin == 0) cells[0] = kLeft | kRight;
  for (int k = 1; k < static_cast<int>(rails.size()); ++k) {
    const Rail& rail = rails[k];
    if (rail.lane == 0 || row < rail.first || row > rail.last) continue;
    int& cell = cells[column(rail.lane)];
    const bool joined = k == row || k == head;
    cell = joined ? cell | vertical(rail) : kUp | kDown;
  }
  std::string text;
  for (const int cell : cells) text += line_character(cell);
  return text + (head >= 0 ? "▶ " : begin < width ? "─ " : "  ");
}

std::string padded(std::string_view text, int columns) {
  return std::string(text) + std::string(static_cast<size_t>(std::max(columns - terminal_columns(text), 0)), ' ');
}

std::string draw_dependencies(const Sentence& sentence) {
  const std::vector<int> heads = drawable_heads(sentence);
  const std::vector<Rail> rails = lay_rails(heads);
  int lanes = 0, forms = 0, tags = 0;
  for (const Rail& rail : rails) lanes = std::max(lanes, rail.lane);
  for (const Token& token : sentence.tokens) {
    forms = std::max(forms, terminal_columns(token.form));
    tags = std::max(tags, terminal_columns(token.upos));
  }
  // Terminals that know about writing directions would turn a line that has only Arabic letters around.
  const std::string_view mark = reads_right_to_left(sentence) ? "\u200e" : "";
  std::string out;
  for (int i = 1; i <= sentence.size(); ++i) {
    const Token& token = sentence.word(i);
    const std::string arcs =
        lanes <= kMostRails ? arcs_of_row(i, heads, rails, lanes) : fmt::format("{:>6} ◀ {:<6} ", i, heads[i]);
    out += fmt::format("{}{}{}{}  {}  {}\n", mark, arcs, padded(token.form, forms), mark, padded(token.upos, tags),
                       token.deprel);
  }
  return out;
}

std::string draw_constituents(const Sentence& sentence) {
  const auto& nodes = sentence.constituents.nodes;
  struct Pending {
    int node;
    std::string indent, branch;
    size_t depth;
  };
  std::vector<Pending> pending = {{0, "", "", 0}};
  std::string out;
  while (!pending.empty()) {
    const Pending next = std::move(pending.back());
    pending.pop_back();
    out += next.indent + next.branch;
    const auto* node = &nodes[next.node];
    while (node->children.size() == 1) {
      out += node->label + " ─ ";
      node = &nodes[node->children[0]];
    }
    out += node->label;
    if (node->is_trace()) out += " " + node->trace;
    if (node->word > 0 && node->word <= sentence.size()) out += " " + sentence.word(node->word).form;
    out += '\n';
    const std::string_view below = next.branch.empty() ? "" : next.branch.starts_with("╰") ? "   " : "│  ";
    const std::string indent = next.depth > kDeepest ? next.indent : next.indent + std::string(below);
    for (size_t k = node->children.size(); k-- > 0;)
      pending.push_back({node->children[k], indent, k + 1 == node->children.size() ? "╰─ " : "├─ ", next.depth + 1});
  }
  return out;
}

class TextTreeWriter final : public BufferedWriter {
 public:
  using BufferedWriter::BufferedWriter;

 private:
  void append(const Sentence& sentence, std::string& out) override { out += draw_text(sentence) + '\n'; }
};

}  // namespace

std::string draw_text(const Sentence& sentence) {
  const bool heads = std::ranges::any_of(sentence.tokens, [](const Token& t) { return t.head != Token::kNoHead; });
  return sentence.constituents.empty() || heads ? draw_dependencies(sentence) : draw_constituents(sentence);
}

std::unique_ptr<Writer> make_text_tree_writer(std::ostream& output) { return std::make_unique<TextTreeWriter>(output); }

}  // namespace espalier
