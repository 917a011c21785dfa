// Functions that need Unicode's tables (ICU).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace espalier {

/// UTF-8 to code points and back; invalid bytes become U+FFFD.
std::u32string decode_utf8(std::string_view text);
std::string encode_utf8(std::u32string_view text);

/// The coarse kind of a character, by its general category.
enum class CharKind : uint8_t { kSpace, kUpper, kLower, kOtherLetter, kMark, kDigit, kPunctuation, kSymbol, kOther };
CharKind char_kind(char32_t c);
char32_t lower_case(char32_t c);
char32_t upper_case(char32_t c);

/// Lower case, independent of language; invalid bytes become U+FFFD.
std::string lower_case(std::string_view text);

/// The first character; U+FFFD if there is none.
char32_t first_character(std::string_view text);
/// The first or last `count` characters of UTF-8 text, never a part of one.
std::string_view first_characters(std::string_view text, int count);
std::string_view last_characters(std::string_view text, int count);

}  // namespace espalier
