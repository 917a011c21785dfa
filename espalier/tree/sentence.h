// A sentence of a treebank: words with their columns, and all other lines of the file, so that it can be written back
// byte for byte. Words are numbered 1..n as in CoNLL-U; number 0 is the artificial root.
// Tested by sentence_test.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/base/export.h"
#include "espalier/tree/constituent_tree.h"

namespace espalier {

/// One word. Columns hold the text of the file; "_" or empty means that there is no value.
struct Token {
  std::string form, lemma = "_", upos = "_", xpos = "_", feats = "_";
  int head = kNoHead;  ///< 0 = root, kNoHead = not annotated
  std::string deprel = "_", deps = "_", misc = "_";

  static constexpr int kNoHead = -1;
  friend bool operator==(const Token&, const Token&) = default;
};
/// Whether a column has a value.
inline bool is_given(std::string_view column) { return !column.empty() && column != "_"; }

/// A line that is not a word: a multiword token ("3-4") or an empty node ("5.1"), kept as it was.
struct ExtraLine {
  int before;        ///< stands before the word with this index in `tokens` (0-based; size() = after the last)
  std::string text;  ///< the whole line without its end

  friend bool operator==(const ExtraLine&, const ExtraLine&) = default;
};

/// A multiword token, "3-4\tdel\t...\tSpaceAfter=No": a written word that is several words of the tree.
struct MultiwordToken {
  int first, last;
  std::string_view form, misc;  ///< of the line
};
/// Nothing if the line is an empty node.
ESPALIER_API std::optional<MultiwordToken> as_multiword(const ExtraLine& line);

struct ESPALIER_API Sentence {
  std::vector<std::string> comments;  ///< whole lines, "# text = ..."
  std::vector<Token> tokens;
  std::vector<ExtraLine> extra;  ///< in file order
  ConstituentTree constituents;  ///< empty if there is none
  long line = 0;                 ///< where it began in its file; for messages

  int size() const { return static_cast<int>(tokens.size()); }
  /// The word numbered i, 1..n.
  const Token& word(int i) const { return tokens[i - 1]; }
  Token& word(int i) { return tokens[i - 1]; }

  /// True if every word has a head, so that the sentence can be learned from.
  bool has_heads() const;
  void clear();
};

/// How many words may have the head 0: one, as in Universal Dependencies, or any number (Prague-style treebanks).
enum class Roots { kOne, kAny };

/// A reason why a sentence's heads are not a tree.
struct TreeProblem {
  int word;  ///< the word with the wrong head
  std::string message;
};
/// All problems: every word with an impossible head, every root beyond the first, every cycle once. O(n).
ESPALIER_API std::vector<TreeProblem> tree_problems(const Sentence&, Roots roots = Roots::kOne);
/// The first problem as a message, or "" if there is none; `word` receives the number of its word.
ESPALIER_API std::string tree_problem(const Sentence&, int* word = nullptr, Roots roots = Roots::kOne);

}  // namespace espalier
