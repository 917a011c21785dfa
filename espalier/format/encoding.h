// Text that is not UTF-8: recognises it by its first bytes, and converts it if the encoding is given. Tested by
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
/// The likely one-byte or multi-byte encoding, such as ISO-8859-1, of text in which no letter beyond ASCII is valid
/// UTF-8. "" = the text may be UTF-8 with some invalid bytes.
std::string narrow_encoding(std::string_view beginning);
/// The error for a file in this encoding.
Error encoding_error(const std::string& file, std::string_view encoding);

/// Converts a source in any encoding of ICU to UTF-8; invalid bytes become U+FFFD.
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
