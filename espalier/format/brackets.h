// Bracketed trees, "(S (NP (PRP I)) (VP (VBP sleep)))", to and from a sentence: the heart of the ptb format, and how
// JSON holds a tree. Neither direction recurses: depth is bounded by memory alone. Linear time.
// Tested by format/treebank/ptb_test.cc.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// Reads one tree from text that comes in pieces. Fills the sentence's `constituents`, and its `tokens` with the words:
/// FORM and, from the tag above it, XPOS. Words' brackets, -LRB- and -RRB- in the text, become ( and ).
class BracketParser {
 public:
  /// Receives what is wrong with the tree; reading goes on to where its brackets close.
  using Report = std::function<void(std::string)>;

  /// Takes from the front of `text` what belongs to the tree; true when it is complete. Text between trees that is no
  /// white space is reported.
  bool feed(std::string_view& text, Sentence& sentence, const Report& report);
  /// A tree has begun that is not complete.
  bool inside() const { return !open_.empty(); }
  void reset() { open_.clear(); }

 private:
  void open(Sentence& sentence, const Report& report);
  void atom(std::string_view text, Sentence& sentence, const Report& report);
  void close(const Sentence& sentence, const Report& report);

  std::vector<int> open_;  // from the root to the node that is being read
};

/// Writes the tree in one line, without its end. Words' brackets are written -LRB- and -RRB-, spaces inside of words _.
void append_brackets(const Sentence& sentence, std::string& out);

}  // namespace espalier
