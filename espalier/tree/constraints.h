// Given heads, relations and tags of some words of a sentence, which a model must not change. Annotators fix a head and
// let the parser predict the rest; partial treebanks are learned from in the same way.
// Tested by constraints_test.cc.
#pragma once

#include <string>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// Which of a sentence's columns are to be kept where they are filled.
struct Keep {
  bool tags = false;   ///< UPOS, XPOS, FEATS
  bool heads = false;  ///< HEAD, DEPREL
  explicit operator bool() const { return tags || heads; }
};

/// Columns of the words 1..n; entry 0 is unused. A column in which nothing is given is empty.
struct Constraints {
  std::vector<int> heads;                      ///< Token::kNoHead = free
  std::vector<std::string> deprels;            ///< "_" = free; a relation may be given without a head
  std::vector<std::string> upos, xpos, feats;  ///< "_" = free

  bool on_trees() const { return !heads.empty() || !deprels.empty(); }
  bool on_tags() const { return !upos.empty() || !xpos.empty() || !feats.empty(); }
  bool empty() const { return !on_trees() && !on_tags(); }

  /// The head of a word, or Token::kNoHead; the text of a column, or "_".
  int head(int word) const { return heads.empty() ? Token::kNoHead : heads[word]; }
  static const std::string& text(const std::vector<std::string>& column, int word);
};

/// What the sentence says in these columns.
Constraints constraints_of(const Sentence& sentence, Keep keep);

/// Removes heads that no tree can have, and reports why: past the end, the word itself, a second root, the last arc of
/// a cycle. Some tree satisfies the others.
std::vector<TreeProblem> drop_impossible(Constraints& constraints, Roots roots = Roots::kOne);

/// Whether some words have heads and others have none.
bool is_partial(const Sentence& sentence);

/// Whether heads (entry 0 unused) agree with the given ones.
bool has_given_heads(const std::vector<int>& heads, const Constraints& given);

}  // namespace espalier
