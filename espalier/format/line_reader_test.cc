#include "espalier/format/line_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <unicode/unistr.h>

#include <sstream>
#include <vector>

namespace espalier {
namespace {

std::vector<std::string> lines(const std::string& text) {
  std::istringstream input(text);
  LineReader reader(input, "-");
  std::vector<std::string> result;
  for (std::string_view line; reader.next(line);) {
    result.emplace_back(line);
    EXPECT_EQ(reader.number(), static_cast<long>(result.size()));
  }
  return result;
}

using Lines = std::vector<std::string>;

TEST(LineReader, TakesEveryLineEnd) {
  EXPECT_EQ(lines(""), Lines{});
  EXPECT_EQ(lines("\n"), Lines{""});
  EXPECT_EQ(lines("a\nb\r\n\nc"), (Lines{"a", "b", "", "c"}));
  EXPECT_EQ(lines("\xEF\xBB\xBF"
                  "a\n\xEF\xBB\xBF"),
            (Lines{"a", "\xEF\xBB\xBF"}));
}

RC_GTEST_PROP(LineReader, AgreesWithGetlineAcrossBlocks, ()) {
  const auto lengths = *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 70000));
  std::string text;
  Lines expected;
  for (const int length : lengths) {
    expected.emplace_back(static_cast<size_t>(length), 'x');
    text += expected.back() + '\n';
  }
  RC_ASSERT(lines(text) == expected);
}

TEST(TakePiece, CutsAtSpacesOrBetweenCharacters) {
  const auto pieces = [](std::string_view rest, size_t most) {
    std::vector<std::string> all;
    while (!rest.empty()) all.emplace_back(take_piece(rest, most));
    return all;
  };
  using Pieces = std::vector<std::string>;
  EXPECT_EQ(pieces("short", 8), Pieces{"short"});
  EXPECT_EQ(pieces("one two three", 8), (Pieces{"one two", " three"}));
  EXPECT_EQ(pieces("日本語", 4), (Pieces{"日", "本", "語"}));
  EXPECT_EQ(pieces("日本語", 1).size(), 9u);  // no room for a character: it goes on all the same
  EXPECT_EQ(pieces("         ", 4), (Pieces{"   ", "   ", "   "}));
}

TEST(TextProblem, FindsWhatIsNoText) {
  EXPECT_EQ(text_problem("plain text of more than eight bytes"), "");
  EXPECT_EQ(text_problem("añ日😀"), "");
  EXPECT_EQ(text_problem(std::string_view("1234567\0", 8)), "a NUL byte");
  EXPECT_EQ(text_problem("\xC0\x80"), "invalid UTF-8");
  EXPECT_EQ(text_problem("\xED\xA0\x80"), "invalid UTF-8");
  EXPECT_EQ(text_problem("12345678\xE2\x82"), "invalid UTF-8");
}

RC_GTEST_PROP(TextProblem, AgreesWithIcu, (const std::vector<uint8_t>& bytes)) {
  const std::string text(bytes.begin(), bytes.end());
  const icu::UnicodeString decoded = icu::UnicodeString::fromUTF8(text);
  std::string again;
  decoded.toUTF8String(again);
  const bool valid = again == text && text.find('\0') == std::string::npos;
  RC_ASSERT(text_problem(text).empty() == valid);
}

}  // namespace
}  // namespace espalier
