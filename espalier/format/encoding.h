// Text that is not UTF-8: recognised by its first bytes, and made UTF-8 if its encoding is told. Tested by
// encoding_test.cc.
#pragma once

#include <memory>
#include <streambuf>
#include <string>
#include <string_view>

#include "espalier/base/error.h"

namespace espalier {

/// UTF-16 or UTF-32, by a byte order mark or by zeros where ASCII has them; "" = it is neither.
std::string_view wide_encoding(std::string_view beginning);
/// An encoding of one or few bytes per character, such as ISO-8859-1: there are letters that are no UTF-8, and none
/// beyond ASCII that are. "" = it may be UTF-8 with an odd byte.
std::string narrow_encoding(std::string_view beginning);
/// What to tell a user whose file is in this encoding.
Error encoding_error(const std::string& file, std::string_view encoding);

/// A source in an encoding that ICU knows, as UTF-8; what is invalid becomes U+FFFD.
class DecodedText final : public std::streambuf {
 public:
  /// Throws a usage Error if there is no such encoding.
  DecodedText(std::streambuf& source, const std::string& encoding);
  ~DecodedText() override;

 protected:
  int_type underflow() override;
  std::streamsize showmanyc() override;

 private:
  struct Converter;
  std::streambuf& source_;
  std::unique_ptr<Converter> converter_;
};

}  // namespace espalier
