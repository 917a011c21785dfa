#include "espalier/format/encoding.h"

#include <gtest/gtest.h>

#include <iterator>
#include <sstream>

namespace espalier {
namespace {

using namespace std::string_literals;

/// ASCII only: each byte as two.
std::string utf16(const std::string& text, bool little) {
  std::string wide;
  for (const char c : text) wide += little ? std::string{c, '\0'} : std::string{'\0', c};
  return wide;
}

std::string decoded(const std::string& text, const std::string& encoding) {
  std::stringbuf source(text);
  DecodedText stream(source, encoding);
  return {std::istreambuf_iterator<char>(&stream), {}};
}

TEST(Encoding, WideOnesAreRecognised) {
  EXPECT_EQ(wide_encoding("\xFF\xFE" + utf16("A dog.", true)), "utf-16");
  EXPECT_EQ(wide_encoding("\xFE\xFF" + utf16("A dog.", false)), "utf-16");
  EXPECT_EQ(wide_encoding("\xFF\xFE\0\0A\0\0\0"s), "utf-32");
  EXPECT_EQ(wide_encoding(utf16("A dog.", true)), "utf-16le");
  EXPECT_EQ(wide_encoding(utf16("A dog.", false)), "utf-16be");
  for (const std::string& good : {""s, "A dog."s, "\xEF\xBB\xBFX"s, "a\0b"s, "caf\xC3\xA9"s, "\xFF"s})
    EXPECT_EQ(wide_encoding(good), "") << good;
}

TEST(Encoding, NarrowOnesAreRecognised) {
  EXPECT_EQ(narrow_encoding("Caf\xE9"), "") << "it may be cut off";
  EXPECT_EQ(narrow_encoding("Un caf\xE9 noir\xE9, s'il vous pla\xEEt; l'\xE9t\xE9 est pass\xE9."), "ISO-8859-1");
  EXPECT_EQ(narrow_encoding("\xD1\xEE\xE1\xE0\xEA\xE0 \xEB\xE0\xE5\xF2 \xED\xE0 \xEF\xF0\xEE\xF5\xEE\xE6\xE5\xE3\xEE, "
                            "\xEA\xEE\xF2\xEE\xF0\xFB\xE9 \xF1\xF2\xEE\xE8\xF2 \xF3 \xE4\xEE\xEC\xE0."),
            "windows-1251");
  for (const std::string& good :
       {""s, "A dog."s, "caf\xC3\xA9, na\xEFve"s, "an odd \xE9 byte alone"s, "an odd\xFF one"s, "cut off: \xE2\x82"s})
    EXPECT_EQ(narrow_encoding(good), "") << good;
}

TEST(Encoding, TextIsDecoded) {
  EXPECT_EQ(decoded("caf\xE9", "latin1"), "caf\xC3\xA9");
  EXPECT_EQ(decoded("\xFF\xFE" + utf16("A dog.", true), "utf-16"), "A dog.");
  EXPECT_EQ(decoded(utf16("A dog.", false), "utf-16be"), "A dog.");
  EXPECT_EQ(decoded("\x3D\xD8\x33\xDF", "utf-16le"), "\xF0\x9F\x9C\xB3") << "a pair of surrogates";
  EXPECT_EQ(decoded("\x3D\xD8", "utf-16le"), "\xEF\xBF\xBD") << "half of one";
  EXPECT_EQ(decoded("", "utf-16"), "");
  const std::string many(200001, 'x');
  EXPECT_EQ(decoded(utf16(many, true), "utf-16le"), many);
  EXPECT_THROW(decoded("", "klingon"), Error);
}

}  // namespace
}  // namespace espalier
