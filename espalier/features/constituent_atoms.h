// The atoms of a sentence for the templates of a constituent parser: the words that are parsed
// (constituent_preprocess.h) with their tags, the punctuation left out between them, and the shape of any span.
#pragma once

#include <cstdint>
#include <vector>

#include "espalier/features/word_atoms.h"

namespace espalier {

/// The fields of a word: kTag is the tag that constituent parsers read, kFine its coarse_tag, kFormTag form and tag,
/// kMorph the form in lower case.
class ConstituentAtoms : public SentenceAtoms {
 public:
  /// `words` are the numbers of the words that are parsed; here they are numbered 1..words.size() as they are read.
  void encode(const Sentence& sentence, const std::vector<int>& words, Direction direction = Direction::kLeftToRight);

  /// Tags of word 0..n.
  const std::vector<uint64_t>& tags() const { return tags_; }
  /// The punctuation left out after word i (0: before the first word).
  uint64_t marks_after(int i) const { return marks_[i]; }
  /// The punctuation left out at the end of the sentence, in either direction of reading.
  uint64_t end_marks() const { return end_marks_; }
  /// Capitals, digits, function words and punctuation of words first..last, in order (Hall, Durrett & Klein 2014).
  uint64_t shape(int first, int last) const { return shapes_[last] - shapes_[first - 1] * powers_[last - first + 1]; }

 private:
  void encode_marks(const Sentence& sentence, const std::vector<int>& words);

  std::vector<uint64_t> tags_, marks_;
  uint64_t end_marks_ = 0;
  std::vector<uint64_t> shapes_, powers_;  // polynomial hashes of prefixes, so that every span's is one subtraction
};

}  // namespace espalier
