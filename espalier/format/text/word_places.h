// Where words stand in the text that they were cut from. Tokenizers put white space in order and drop stray control
// characters; everything else of a word stands in the text as it is. Tested by word_places_test.cc.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "espalier/format/format.h"

namespace espalier {

/// For each sentence a place for each word, in bytes; the words of a multiword token share its place. O(text).
std::vector<std::vector<TextSpan>> word_places(std::string_view text, std::span<const Sentence> sentences);
/// Nothing in it that a tokenizer makes a word of: white space, control characters, byte order marks.
bool is_space_alone(std::string_view text);

/// Places of bytes as places of characters (Unicode code points).
std::vector<TextSpan> in_characters(std::string_view text, std::vector<TextSpan> places);

}  // namespace espalier
