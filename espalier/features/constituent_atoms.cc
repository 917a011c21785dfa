#include "espalier/features/constituent_atoms.h"

#include <algorithm>
#include <string_view>

#include "espalier/base/hash.h"
#include "espalier/base/unicode.h"
#include "espalier/tree/constituent_preprocess.h"
#include "espalier/tree/head_rules.h"

namespace espalier {
namespace {

// Seeds keep equal strings in different columns apart (word_atoms.cc has the others).
enum : uint64_t { kLeafTagSeed = 101, kCoarseSeed, kLowerSeed, kMarkSeed };
constexpr uint64_t kBase = 0x9e3779b97f4a7c15u;

/// One letter for what kind of word it is.
char shape_of(std::string_view form, std::string_view tag) {
  if (is_punctuation_tag(tag)) return form.empty() ? '?' : form[0];
  const char c = form.empty() ? '?' : form[0];
  if (c >= 'A' && c <= 'Z') return 'X';
  if (c >= '0' && c <= '9') return 'd';
  return form.size() <= 3 ? 's' : 'x';
}

}  // namespace

void ConstituentAtoms::encode_marks(const Sentence& sentence, const std::vector<int>& words) {
  marks_.clear();
  int before = 0;
  const auto skip_to = [&](int word) {
    uint64_t marks = 1;
    for (int i = before + 1; i < word; ++i)
      marks = combine(marks, hash_string(parser_tag(sentence.word(i)), kMarkSeed));
    // The mark itself tells questions from statements.
    if (word > sentence.size() && before < sentence.size())
      marks = combine(marks, hash_string(sentence.word(before + 1).form, kMarkSeed));
    marks_.push_back(marks);
    before = word;
  };
  for (const int word : words) skip_to(word);
  skip_to(sentence.size() + 1);
  end_marks_ = marks_.back();
}

void ConstituentAtoms::encode(const Sentence& sentence, const std::vector<int>& words, Direction direction) {
  start();
  encode_marks(sentence, words);
  if (direction == Direction::kRightToLeft) std::ranges::reverse(marks_);
  tags_.assign(1, 0);
  shapes_.assign(1, 0);
  powers_.assign(1, 1);
  for (size_t i = 0; i < words.size(); ++i) {
    const Token& token = sentence.word(words[direction == Direction::kRightToLeft ? words.size() - 1 - i : i]);
    const std::string_view tag = parser_tag(token);
    WordAtoms atoms = word_atoms(token, {});
    auto& f = atoms.field;
    f[WordAtoms::kTag] = hash_string(tag, kLeafTagSeed);
    f[WordAtoms::kFine] = hash_string(coarse_tag(tag), kCoarseSeed);
    f[WordAtoms::kFormTag] = combine(f[WordAtoms::kForm], f[WordAtoms::kTag]);
    f[WordAtoms::kMorph] = hash_string(lower_case(token.form), kLowerSeed);
    add(atoms);
    tags_.push_back(f[WordAtoms::kTag]);
    shapes_.push_back(shapes_.back() * kBase + static_cast<uint64_t>(shape_of(token.form, tag)));
    powers_.push_back(powers_.back() * kBase);
  }
  finish();
}

}  // namespace espalier
