// Lines of a stream, read in blocks: no copy per character, no allocation per line. A line ends with "\n" or "\r\n";
// the last one may lack it; a byte order mark at the start is left out. Lines are returned as soon as they have
// arrived, without waiting for a full block, so that pipes can be interactive. Tested by line_reader_test.cc.
#pragma once

#include <istream>
#include <string>
#include <string_view>

namespace espalier {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

class LineReader {
 public:
  /// `name` is the file's, for messages.
  LineReader(std::istream& input, std::string name) : input_(*input.rdbuf()), name_(std::move(name)) {}

  /// The next line without its end, valid until the next call; false at the end of the input.
  bool next(std::string_view& line);
  /// False if `next` may have to wait for input.
  bool ready() const { return begin_ < end_ || input_.in_avail() > 0; }
  /// The text that has arrived and was not returned yet.
  std::string_view at_hand() const { return std::string_view(buffer_).substr(begin_, end_ - begin_); }
  /// The end of the line last returned ("\n", "\r\n", nothing at the end of the input), and below the byte order mark
  /// before the first line.
  std::string_view ending() const { return ending_; }
  std::string_view byte_order_mark() const { return mark_; }
  /// The number of the line last returned, from 1.
  long number() const { return number_; }

 private:
  bool fill();

  std::streambuf& input_;
  std::string name_;
  std::string buffer_;
  size_t begin_ = 0, end_ = 0;  // what is not yet returned
  std::string_view ending_, mark_;
  long number_ = 0;
};

/// Removes at most `most` bytes from the front of `rest`: up to its last white space, or else whole characters. Limits
/// the memory for text without line ends.
std::string_view take_piece(std::string_view& rest, size_t most);

/// Why bytes are not text ("invalid UTF-8", "a NUL byte"), or "".
std::string_view text_problem(std::string_view bytes);

}  // namespace espalier
