// Text in which invalid UTF-8 and NUL bytes are replaced by U+FFFD and counted.
// Tested by repaired_text_test.cc.
#pragma once

#include <istream>
#include <memory>
#include <streambuf>
#include <string>
#include <utility>

namespace espalier {

class RepairedText final : public std::streambuf {
 public:
  /// If a name for messages is given, text that begins in another encoding throws a data Error (encoding.h).
  explicit RepairedText(std::streambuf& source, std::string name = "") : source_(source), name_(std::move(name)) {}

  size_t replaced() const { return replaced_; }    ///< characters that were replaced so far
  long first_line() const { return first_line_; }  ///< line of the first one

 protected:
  int_type underflow() override;
  std::streamsize showmanyc() override { return source_.in_avail(); }

 private:
  std::streambuf& source_;
  std::string name_;        // "" once the encoding is no longer asked about
  std::string raw_, text_;  // raw_ begins with a character that was cut off by a block's end
  size_t replaced_ = 0;
  long line_ = 1, first_line_ = 0;
};

}  // namespace espalier
