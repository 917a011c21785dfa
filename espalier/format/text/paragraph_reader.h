// Reads raw text in pieces that are segmented independently: paragraphs, which end at empty lines, or lines. The exact
// bytes are kept, so that the text can be restored (text_spaces.h). A piece is returned without waiting for the text
// after it. Tested by text_spaces_test.cc.
#pragma once

#include <functional>
#include <istream>
#include <string>
#include <string_view>

#include "espalier/format/format.h"
#include "espalier/format/line_reader.h"

namespace espalier {

struct TextParagraph {
  std::string text;      ///< its lines, each with "\n"
  std::string exact;     ///< the bytes of the file, with the white space before, and after as far as it has arrived
  long line = 0;         ///< where it begins
  size_t character = 0;  ///< the number of the first character of `exact`
};

class ParagraphReader {
 public:
  /// The largest size of a piece in bytes: text without empty lines is cut at a line's end, a long line at a space.
  static constexpr size_t kLongest = size_t{1} << 16;

  /// Paragraphs unless `unit` is kLine.
  ParagraphReader(std::istream& input, const std::string& name, TextSentences unit)
      : lines_(input, name), lines_alone_(unit == TextSentences::kLine) {}

  /// Called for lines with invalid UTF-8 or a NUL, with number and problem: true leaves the line out; otherwise invalid
  /// bytes become U+FFFD.
  std::function<bool(long line, std::string_view problem)> leave_out = [](long, std::string_view) { return false; };

  bool next(TextParagraph& paragraph);
  bool ready() const { return has_line_ || lines_.ready(); }
  /// True if `next` can return without waiting. (It may be false without need if lines of spaces end a paragraph.)
  bool has_whole() const;

 private:
  bool at_line();
  void take(TextParagraph& paragraph);

  LineReader lines_;
  bool lines_alone_;
  bool has_line_ = false;  // there is a line of which not all is taken
  std::string_view line_;  // that rest of it
  bool odd_ = false;       // it is no text as it is
  size_t characters_ = 0;  // taken so far
};

}  // namespace espalier
