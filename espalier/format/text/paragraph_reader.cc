#include "espalier/format/text/paragraph_reader.h"

#include "espalier/format/text/text_spaces.h"
#include "espalier/format/text/word_places.h"

namespace espalier {
namespace {

/// More empty lines than this are not kept: memory must not depend on them.
constexpr size_t kMostSpace = size_t{1} << 20;

/// What cannot be text becomes U+FFFD.
std::string repaired(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    size_t length = 1;
    while (length < 4 && length < line.size() && (line[length] & 0xC0) == 0x80) ++length;
    const std::string_view character = line.substr(0, length);
    const bool good = text_problem(character).empty();
    out += good ? character : "\uFFFD";
    line.remove_prefix(good ? length : 1);
  }
  return out;
}

}  // namespace

bool ParagraphReader::next(TextParagraph& paragraph) {
  paragraph.text.clear();
  paragraph.exact.clear();
  paragraph.line = 0;
  paragraph.character = characters_;
  while (at_line() && paragraph.text.size() < kLongest) {
    const bool blank = is_space_alone(line_);
    if (blank && !paragraph.text.empty()) break;
    take(paragraph);
    if (paragraph.text.empty() && paragraph.exact.size() > kMostSpace) {
      paragraph.exact.clear();
      paragraph.character = characters_;
    }
    if (lines_alone_ && !has_line_ && !paragraph.text.empty()) break;
  }
  if (paragraph.text.empty()) return false;
  if (paragraph.text.size() < kLongest) {
    while (paragraph.exact.size() < kMostSpace && ready() && at_line() && is_space_alone(line_)) take(paragraph);
  }
  return true;
}

bool ParagraphReader::has_whole() const {
  const std::string_view rest = lines_.at_hand();
  if (lines_alone_) return rest.find('\n') != rest.npos;
  return rest.find("\n\n") != rest.npos || rest.find("\n\r\n") != rest.npos;
}

/// Makes sure that there is a line to take from; false at the end of the input.
bool ParagraphReader::at_line() {
  while (!has_line_ && lines_.next(line_)) {
    const std::string_view problem = text_problem(line_);
    odd_ = !problem.empty();
    has_line_ = !odd_ || !leave_out(lines_.number(), problem);
    if (!has_line_) characters_ += count_characters(line_) + count_characters(lines_.ending());
  }
  return has_line_;
}

/// The next piece of the line.
void ParagraphReader::take(TextParagraph& paragraph) {
  const std::string_view piece = take_piece(line_, kLongest);
  const std::string good = odd_ ? repaired(piece) : std::string();
  const std::string_view text = odd_ ? good : piece;
  const size_t before = paragraph.exact.size();
  if (lines_.number() == 1 && before == 0 && characters_ == 0) paragraph.exact += lines_.byte_order_mark();
  paragraph.exact += text;
  has_line_ = !line_.empty();
  if (!has_line_) paragraph.exact += lines_.ending();
  characters_ += count_characters(std::string_view(paragraph.exact).substr(before));
  if (is_space_alone(text)) return;
  if (paragraph.line == 0) paragraph.line = lines_.number();
  paragraph.text.append(text) += '\n';
}

}  // namespace espalier
