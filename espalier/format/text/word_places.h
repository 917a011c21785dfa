// Finds the places of words in their text. Tokenizers may change white space and drop control characters; all other
// characters of a word are in the text. Tested by word_places_test.cc.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "espalier/format/format.h"

namespace espalier {

/// For each sentence a place for each word, in bytes; the words of a multiword token share its place. O(text).
std::vector<std::vector<TextSpan>> word_places(std::string_view text, std::span<const Sentence> sentences);
/// Whether the text has only characters that make no words: white space, control characters, byte order marks.
bool is_space_alone(std::string_view text);

/// Places of bytes as places of characters (Unicode code points).
std::vector<TextSpan> in_characters(std::string_view text, std::vector<TextSpan> places);

}  // namespace espalier
