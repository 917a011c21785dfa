#include "espalier/parser/graph/graph_sentence.h"

#include <algorithm>

#include "espalier/base/hash.h"

namespace espalier {
namespace {

uint8_t word_class(const std::string& tag) {
  if (tag == "VERB" || tag == "AUX" || tag == "MD" || tag.starts_with("VB")) return 1;
  if (tag == "CCONJ" || tag == "CONJ" || tag == "CC") return 2;
  if (tag == "PUNCT" || tag == "PU" || tag == "," || tag == ":") return 3;
  return 0;
}

}  // namespace

void GraphSentence::encode(const Sentence& sentence, const Vocabulary& tags, AtomColumns columns) {
  const int n = words_ = sentence.size();
  atoms_.resize((n + 2 * kPadding + 2) * kWordColumns);
  tags_.resize(n + 1);
  classes_.resize(n + 1);
  uint64_t* to = atoms_.data();
  for (int word = -kPadding; word <= n + 1 + kPadding; ++word)
    for (uint64_t column = 0; column < kWordColumns; ++column)
      *to++ = word == 0 ? mix(1000 + column) : mix(2000 + column);  // <root>, <none>
  tags_[0] = 0;
  classes_[0] = 0;
  for (int i = 1; i <= n; ++i) {
    const Token& token = sentence.word(i);
    const std::string& tag = main_tag(token);
    uint64_t* atom = &atoms_[(i + kPadding) * kWordColumns];
    const WordAtoms known = word_atoms(token, columns);
    atom[kForm] = known.field[WordAtoms::kForm];
    atom[kTag] = hash_string(tag, kTag + 1);
    atom[kFineTag] = known.field[WordAtoms::kFine];
    atom[kMorphology] = hash_string(token.feats, kMorphology + 1);
    atom[kSuffix] = known.field[WordAtoms::kSuffix];
    atom[kLemma] = hash_string(token.lemma, kLemma + 1);
    const int id = tags.find(tag);
    tags_[i] = id == Vocabulary::kUnknown ? kMaxTags : std::min(id + 1, kMaxTags);
    classes_[i] = word_class(tag);
  }
}

}  // namespace espalier
