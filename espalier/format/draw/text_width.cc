#include "espalier/format/draw/text_width.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

namespace espalier {
namespace {

template <class Body>
void for_each_character(std::string_view text, Body body) {
  const auto length = static_cast<int32_t>(text.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c;
    U8_NEXT_OR_FFFD(text.data(), i, length, c);
    body(c);
  }
}

/// Marks that sit on the letter before them, and characters that steer but do not show.
bool takes_no_space(UChar32 c) {
  const auto type = u_charType(c);
  return type == U_NON_SPACING_MARK || type == U_ENCLOSING_MARK || type == U_FORMAT_CHAR;
}

bool is_wide(UChar32 c) {
  const int width = u_getIntPropertyValue(c, UCHAR_EAST_ASIAN_WIDTH);
  return width == U_EA_WIDE || width == U_EA_FULLWIDTH;
}

double character_width(UChar32 c) {
  if (takes_no_space(c)) return 0;
  if (is_wide(c)) return 1.02;
  if (c < 0x80) {
    const std::string_view narrow = "iljtfr.,:;!|'`()[]{}/\\ I\"-", broad = "mwMW@%";
    if (narrow.find(static_cast<char>(c)) != std::string_view::npos) return 0.36;
    if (broad.find(static_cast<char>(c)) != std::string_view::npos) return 0.92;
  }
  return u_isupper(c) ? 0.70 : 0.58;
}

}  // namespace

int terminal_columns(std::string_view text) {
  int columns = 0;
  for_each_character(text, [&](UChar32 c) { columns += takes_no_space(c) ? 0 : is_wide(c) ? 2 : 1; });
  return columns;
}

double font_width(std::string_view text) {
  double width = 0;
  for_each_character(text, [&](UChar32 c) { width += character_width(c); });
  return width;
}

bool reads_right_to_left(const Sentence& sentence) {
  long leftward = 0, rightward = 0;
  for (const Token& token : sentence.tokens) {
    for_each_character(token.form, [&](UChar32 c) {
      const UCharDirection direction = u_charDirection(c);
      leftward += direction == U_RIGHT_TO_LEFT || direction == U_RIGHT_TO_LEFT_ARABIC;
      rightward += direction == U_LEFT_TO_RIGHT;
    });
  }
  return leftward > rightward;
}

}  // namespace espalier
