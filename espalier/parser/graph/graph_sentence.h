// The columns of a sentence for graph parsers: per word one 64-bit hash for each column, normalised as for transition
// parsers (word_atoms.h: in lower case, fine tags made of FEATS where there are none), and small numbers for tags.
// Tested by parser/graph/graph_parser_test.cc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "espalier/features/word_atoms.h"
#include "espalier/tree/sentence.h"
#include "espalier/tree/vocabulary.h"

namespace espalier {

/// The columns that templates may name, by the letter that names them.
enum WordColumn : int { kForm, kTag, kFineTag, kMorphology, kSuffix, kLemma, kWordColumns };
inline constexpr std::string_view kColumnLetters = "wpxfsl";

class GraphSentence {
 public:
  static constexpr int kMaxTags = 63;  ///< small tag numbers fit a 64-bit set; the rest share the last

  /// Tag numbers are those of `tags`; all other tags share a number. `columns`: the columns of the training data.
  void encode(const Sentence& sentence, const Vocabulary& tags, AtomColumns columns);

  int words() const { return words_; }
  /// Words 0..n, and the neighbours of those on either side, which do not exist: n + 1 stands for "no word".
  uint64_t atom(int word, WordColumn column) const { return atoms(word)[column]; }
  /// All columns of a word; those of its neighbours stand before and after, kWordColumns apart.
  const uint64_t* atoms(int word) const { return &atoms_[(word + kPadding) * kWordColumns]; }
  int no_word() const { return words_ + 1; }
  /// 0 = the root, 1.. = tags, kMaxTags = tags not in the vocabulary.
  int tag(int word) const { return tags_[word]; }
  bool is_verb(int word) const { return classes_[word] == 1; }
  bool is_coordinator(int word) const { return classes_[word] == 2; }
  bool is_punctuation(int word) const { return classes_[word] == 3; }

  /// UPOS, or XPOS where there is none.
  static const std::string& main_tag(const Token& token) { return token.upos != "_" ? token.upos : token.xpos; }

 private:
  static constexpr int kPadding = 3;
  int words_ = 0;
  std::vector<uint64_t> atoms_;
  std::vector<int> tags_;
  std::vector<uint8_t> classes_;
};

}  // namespace espalier
