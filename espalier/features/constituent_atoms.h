// The words of a sentence as the templates of a constituent parser see them: only those that are parsed
// (constituent_preprocess.h), each with its tag; what was left out between them; and the shape of any span.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/features/word_atoms.h"

namespace espalier {

/// Of the fields of a word, kTag is the tag that constituent parsers read, kFine its beginning (what stands before a
/// case or a number, or else two characters), kFormTag form and tag, kMorph the form in lower case.
class ConstituentAtoms : public SentenceAtoms {
 public:
  /// `words` are the numbers of the words that are parsed; here they are numbered 1..words.size() as they are read.
  void encode(const Sentence& sentence, const std::vector<int>& words, Direction direction = Direction::kLeftToRight);

  /// Tags of word 0..n.
  const std::vector<uint64_t>& tags() const { return tags_; }
  /// The marks that were left out after word i (0: before the first one).
  uint64_t marks_after(int i) const { return marks_[static_cast<size_t>(i)]; }
  /// The marks that were left out at the end of the sentence, whichever way it is read.
  uint64_t end_marks() const { return end_marks_; }
  /// Capitals, digits, function words and punctuation of words first..last, in order (Hall, Durrett & Klein 2014).
  uint64_t shape(int first, int last) const {
    return shapes_[static_cast<size_t>(last)] -
           shapes_[static_cast<size_t>(first - 1)] * powers_[static_cast<size_t>(last - first + 1)];
  }

 private:
  void encode_marks(const Sentence& sentence, const std::vector<int>& words);

  std::vector<uint64_t> tags_, marks_;
  uint64_t end_marks_ = 0;
  std::vector<uint64_t> shapes_, powers_;  // polynomial hashes of prefixes, so that every span's is one subtraction
};

}  // namespace espalier
