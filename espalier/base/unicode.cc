#include "espalier/base/unicode.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

namespace espalier {
namespace {

bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

}  // namespace

std::u32string decode_utf8(std::string_view text) {
  std::u32string decoded;
  decoded.reserve(text.size());
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const int32_t size = static_cast<int32_t>(text.size());
  for (int32_t i = 0; i < size;) {
    UChar32 c;
    U8_NEXT_OR_FFFD(bytes, i, size, c);
    decoded.push_back(static_cast<char32_t>(c));
  }
  return decoded;
}

std::string encode_utf8(std::u32string_view text) {
  std::string encoded;
  for (char32_t c : text) {
    uint8_t bytes[U8_MAX_LENGTH];
    int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, static_cast<UChar32>(c));
    encoded.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
  }
  return encoded;
}

namespace {

CharKind unicode_kind(char32_t c) {
  const UChar32 code = static_cast<UChar32>(c);
  if (u_isUWhiteSpace(code)) return CharKind::kSpace;
  const uint32_t mask = U_GET_GC_MASK(code);
  if (mask & (U_GC_LU_MASK | U_GC_LT_MASK)) return CharKind::kUpper;
  if (mask & U_GC_LL_MASK) return CharKind::kLower;
  if (mask & U_GC_L_MASK) return CharKind::kOtherLetter;
  if (mask & U_GC_M_MASK) return CharKind::kMark;
  if (mask & U_GC_N_MASK) return CharKind::kDigit;
  if (mask & U_GC_P_MASK) return CharKind::kPunctuation;
  return mask & U_GC_S_MASK ? CharKind::kSymbol : CharKind::kOther;
}

constexpr char32_t kAscii = 128;

}  // namespace

CharKind char_kind(char32_t c) {
  static const auto kinds = [] {
    std::array<CharKind, kAscii> all;
    for (char32_t i = 0; i < kAscii; ++i) all[i] = unicode_kind(i);
    return all;
  }();
  return c < kAscii ? kinds[c] : unicode_kind(c);
}

char32_t lower_case(char32_t c) {
  if (c < kAscii) return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
  return static_cast<char32_t>(u_tolower(static_cast<UChar32>(c)));
}
char32_t upper_case(char32_t c) { return static_cast<char32_t>(u_toupper(static_cast<UChar32>(c))); }

std::string lower_case(std::string_view text) {
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    std::string lower(text);
    for (char& c : lower) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c + ('a' - 'A'));
    }
    return lower;
  }
  std::string lower;
  icu::UnicodeString::fromUTF8(icu::StringPiece(text.data(), static_cast<int32_t>(text.size())))
      .toLower(icu::Locale::getRoot())
      .toUTF8String(lower);
  return lower;
}

char32_t first_character(std::string_view text) {
  const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int32_t>(std::min<size_t>(text.size(), U8_MAX_LENGTH));
  if (size == 0) return 0xFFFD;
  int32_t i = 0;
  UChar32 c;
  U8_NEXT_OR_FFFD(bytes, i, size, c);
  return static_cast<char32_t>(c);
}

std::string_view first_characters(std::string_view text, int count) {
  size_t at = 0;
  while (at < text.size() && count >= 0) {
    if (!continues_character(text[at]) && count-- == 0) break;
    ++at;
  }
  return text.substr(0, at);
}

std::string_view last_characters(std::string_view text, int count) {
  size_t at = text.size();
  while (at > 0 && count > 0)
    if (!continues_character(text[--at])) --count;
  return text.substr(at);
}

}  // namespace espalier
