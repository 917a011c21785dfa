#include "espalier/parser/long_sentence.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "espalier/parser/given_heads.h"

namespace espalier {
namespace {

bool ends_clause(const Token& token) {
  return token.form == "." || token.form == ";" || token.form == ":" || token.form == "!" || token.form == "?" ||
         token.form == "," || token.upos == "PUNCT";
}

/// Words begin + 1..end as a sentence of their own, without columns that refer to other words.
Sentence piece(const Sentence& sentence, int begin, int end) {
  Sentence part;
  part.line = sentence.line;
  part.tokens.assign(sentence.tokens.begin() + begin, sentence.tokens.begin() + end);
  for (Token& token : part.tokens) token.head = Token::kNoHead;
  return part;
}

/// Heads of a piece, in the numbers of the whole; `root` is the root of the first piece, 0 in that piece itself.
void join_heads(const Sentence& part, int begin, int& root, Sentence& whole) {
  const int outer = root;
  for (int i = 1; i <= part.size(); ++i) {
    Token& token = whole.word(begin + i);
    token = part.word(i);
    if (token.head > 0) token.head += begin;
    if (token.head != 0) continue;
    if (root == 0) root = begin + i;
    if (outer == 0) continue;
    token.head = outer;
    token.deprel = "dep";
  }
}

/// The constraints on words begin + 1..end, except arcs that lead out of them.
Constraints piece(const Constraints& given, int begin, int end) {
  Constraints part;
  const auto cut = [&](const auto& column) {
    auto own = column;
    if (!own.empty()) own.assign(column.begin() + begin, column.begin() + end + 1);
    return own;
  };
  part.heads = cut(given.heads);
  part.deprels = cut(given.deprels);
  part.upos = cut(given.upos);
  part.xpos = cut(given.xpos);
  part.feats = cut(given.feats);
  for (int& head : part.heads) head = head > begin && head <= end ? head - begin : Token::kNoHead;
  return part;
}

void join_constituents(const ConstituentTree& part, int begin, ConstituentTree& whole) {
  if (part.empty()) return;
  if (whole.empty()) whole.nodes.push_back({.label = part.nodes[0].label, .children = {}});
  const int offset = static_cast<int>(whole.nodes.size()) - 1;
  const bool same_root = !part.nodes[0].is_leaf() && part.nodes[0].label == whole.nodes[0].label;
  // With the root of the piece merged into the whole's, node k of the piece becomes node offset + k.
  for (size_t k = same_root ? 1 : 0; k < part.nodes.size(); ++k) {
    ConstituentTree::Node node = part.nodes[k];
    for (int& child : node.children) child += offset + !same_root;
    if (node.word > 0) node.word += begin;
    whole.nodes.push_back(std::move(node));
  }
  if (!same_root) whole.nodes[0].children.push_back(offset + 1);
  if (same_root)
    for (const int child : part.nodes[0].children) whole.nodes[0].children.push_back(child + offset);
}

}  // namespace

std::vector<int> piece_ends(const Sentence& sentence, int max_words) {
  std::vector<int> ends;
  const int n = sentence.size();
  for (int begin = 0; begin < n; begin = ends.back()) {
    int end = std::min(begin + max_words, n);
    if (end < n) {
      int mark = end;
      while (mark > begin + max_words / 2 && !ends_clause(sentence.word(mark))) --mark;
      if (mark > begin + max_words / 2) end = mark;
    }
    ends.push_back(end);
  }
  return ends;
}

bool parse_within(const Parser& parser, Sentence& sentence, Workspace& workspace, int max_words,
                  const Constraints& given) {
  if (max_words <= 0) max_words = std::numeric_limits<int>::max();
  // Every parser takes kMaxWords, so that short sentences need not ask.
  if (sentence.size() > kMaxWords) max_words = std::min(max_words, parser.about().most_words);
  if (sentence.size() <= max_words) {
    parser.parse(sentence, given, workspace);
    return false;
  }
  const AboutParser about = parser.about();
  const bool heads = about.does_predict("heads"), constituents = about.does_predict("constituents");
  ConstituentTree tree;
  int begin = 0, root = 0;
  for (const int end : piece_ends(sentence, max_words)) {
    Sentence part = piece(sentence, begin, end);
    parser.parse(part, piece(given, begin, end), workspace);
    if (!heads)
      for (int i = 1; i <= part.size(); ++i) part.word(i).head = sentence.word(begin + i).head;
    if (heads) {
      join_heads(part, begin, root, sentence);
    } else {
      std::ranges::move(part.tokens, sentence.tokens.begin() + begin);
    }
    if (constituents) join_constituents(part.constituents, begin, tree);
    begin = end;
  }
  if (constituents) sentence.constituents = std::move(tree);
  if (heads && given.on_trees()) {
    Analysis whole = dependencies_of(sentence);
    mend(given, about.roots, whole);
    annotate(sentence, whole);
  }
  sentence.comments.push_back(fmt::format("# parser = fallback: split into pieces of at most {} words", max_words));
  return true;
}

}  // namespace espalier
