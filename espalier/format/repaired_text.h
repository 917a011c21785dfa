// Text in which what is no UTF-8, or NUL, is replaced by U+FFFD and counted, instead of being lost or passed on.
// Tested by repaired_text_test.cc.
#pragma once

#include <istream>
#include <memory>
#include <streambuf>
#include <string>

namespace espalier {

class RepairedText final : public std::streambuf {
 public:
  explicit RepairedText(std::streambuf& source) : source_(source) {}

  size_t replaced() const { return replaced_; }    ///< characters so far
  long first_line() const { return first_line_; }  ///< where the first of them stood

 protected:
  int_type underflow() override;
  std::streamsize showmanyc() override { return source_.in_avail(); }

 private:
  std::streambuf& source_;
  std::string raw_, text_;  // raw_ begins with a character that was cut off by a block's end
  size_t replaced_ = 0;
  long line_ = 1, first_line_ = 0;
};

}  // namespace espalier
