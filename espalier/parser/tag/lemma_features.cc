#include "espalier/parser/tag/lemma_features.h"

#include <algorithm>
#include <utility>

#include "espalier/base/hash.h"
#include "espalier/base/unicode.h"

namespace espalier {
namespace {

constexpr int kLongestSuffix = 6, kLongestPrefix = 3;

/// Kinds of characters; runs longer than two count as two.
uint64_t shape_of(std::string_view form) {
  uint64_t shape = 1, last = 99, before = 99;
  for (size_t at = 0; at < form.size();) {
    const std::string_view rest = form.substr(at);
    const std::string_view character = first_characters(rest, 1);
    const auto kind = static_cast<uint64_t>(char_kind(first_character(character)));
    if (kind != last || kind != before) shape = combine(shape, kind);
    before = std::exchange(last, kind);
    at += character.size();
  }
  return shape;
}

/// The kind of a neighbour's first character.
uint64_t beginning(const Sentence& sentence, int i) {
  if (i < 1 || i > sentence.size()) return 98;
  const std::string& form = sentence.word(i).form;
  return form.empty() ? 97 : static_cast<uint64_t>(char_kind(first_character(form)));
}

}  // namespace

TagHashes::TagHashes(const Token& token)
    : upos(hash_string(token.upos, 1)),
      xpos(hash_string(token.xpos, 2)),
      morph(combine(upos, hash_string(token.feats, 3))) {}

int lemma_keys(const Sentence& sentence, int i, std::string_view lower, const TagHashes& tags, uint64_t* keys) {
  uint64_t* out = keys;
  const auto add = [&](uint64_t name, uint64_t a, uint64_t b = 0) { *out++ = mix(name + combine(a, b)); };
  const std::string& form = sentence.word(i).form;
  const uint64_t kinds_of_tags[] = {0, tags.xpos, tags.morph};

  add(1, tags.upos);
  add(2, tags.xpos);
  add(3, tags.morph);
  add(4, tags.xpos, tags.morph);
  // Shortest first.
  std::string_view suffix;
  for (int length = 1; length <= kLongestSuffix && suffix.size() < lower.size(); ++length) {
    suffix = last_characters(lower, length);
    for (const uint64_t tag : kinds_of_tags) add(5, hash_string(suffix), tag);
  }
  std::string_view prefix;
  for (int length = 1; length <= kLongestPrefix && prefix.size() < lower.size(); ++length) {
    prefix = first_characters(lower, length);
    add(6, hash_string(prefix));
    add(6, hash_string(prefix), tags.xpos);
  }
  const uint64_t word = hash_string(lower);
  for (const uint64_t tag : kinds_of_tags) add(7, word, tag);
  add(8, hash_string(form), tags.xpos);
  add(9, std::min<size_t>(lower.size(), 6), tags.xpos);
  const uint64_t shape = shape_of(form), before = beginning(sentence, i - 1), after = beginning(sentence, i + 1);
  for (const uint64_t tag : {uint64_t{0}, tags.upos, tags.xpos, tags.morph}) {
    add(10, shape, tag);
    add(11, combine(shape, before), tag);
    add(12, combine(shape, after), tag);
    add(13, combine(shape, combine(before, after)), tag);
  }
  add(14, combine(shape, hash_string(last_characters(lower, 3))), tags.xpos);
  return static_cast<int>(out - keys);
}

}  // namespace espalier
