// Words of two analyses of one text, matched although they were split differently: the alignment of the CoNLL 2018
// shared task (Zeman et al. 2018). Words are placed by their characters in the text without white space; words inside
// multiword tokens have no place of their own, so within the smallest stretch of text that holds whole multiword
// tokens of both sides they are matched by the longest common subsequence of their lower-cased forms.
// Linear, except inside such stretches. Tested by eval/ud_score_test.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "espalier/tree/sentence.h"

namespace espalier {

/// A treebank as one sequence of words over one sequence of characters.
struct FlatTreebank {
  struct Span {
    int begin = 0, end = 0;  ///< characters
    friend bool operator==(const Span&, const Span&) = default;
  };
  struct Word {
    const Token* token;
    Span span;  ///< of the whole token, for a word inside a multiword token
    bool inside_multiword;
    int head;  ///< index in `words`, kRoot or kNone
  };
  static constexpr int kRoot = -1, kNone = -2;

  std::u32string characters;
  std::vector<Span> tokens, sentences;
  std::vector<Word> words;
};

/// Points into `sentences`, which must outlive the result.
FlatTreebank flatten(std::span<const Sentence> sentences);

/// For each word of `system` the index of its gold word, or -1. The characters of both must be equal.
std::vector<int> align_words(const FlatTreebank& gold, const FlatTreebank& system);

/// The line of word i (1..n) in the file that the sentence was read from.
long line_of_word(const Sentence& sentence, int i);

}  // namespace espalier
