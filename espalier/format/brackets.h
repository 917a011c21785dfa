// Reads and writes bracketed trees, "(S (NP (PRP I)) (VP (VBP sleep)))", for the ptb format and for trees in JSON.
// Neither direction recurses: depth is bounded by memory alone. Linear time.
// Tested by format/treebank/ptb_test.cc.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// Reads one tree from text that comes in pieces. Fills the sentence's `constituents`, and its `tokens` with the words:
/// FORM and, from the tag above it, XPOS. -LRB- and -RRB- become the words ( and ).
class BracketParser {
 public:
  /// Receives the problems of the tree; reading continues to its closing bracket.
  using Report = std::function<void(std::string)>;

  /// Removes the tree's part from the front of `text`; true when the tree is complete. Text between trees other than
  /// white space is reported.
  bool feed(std::string_view& text, Sentence& sentence, const Report& report);
  /// Whether a tree has begun and is not complete.
  bool inside() const { return !open_.empty(); }
  void reset() { open_.clear(); }

 private:
  void open(Sentence& sentence, const Report& report);
  void atom(std::string_view text, Sentence& sentence, const Report& report);
  void close(const Sentence& sentence, const Report& report);

  std::vector<int> open_;  // from the root to the node that is being read
};

/// Writes the tree in one line, without line end. The words ( and ) become -LRB- and -RRB-, spaces inside words _.
void append_brackets(const Sentence& sentence, std::string& out);

}  // namespace espalier
