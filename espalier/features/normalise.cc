#include "espalier/features/normalise.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <cstdint>

namespace espalier {

void normalise(std::string_view form, std::string& result) {
  result.clear();
  const auto* bytes = reinterpret_cast<const uint8_t*>(form.data());
  const auto size = static_cast<int32_t>(form.size());
  for (int32_t at = 0; at < size;) {
    const char byte = form[at];
    if (static_cast<unsigned char>(byte) < 0x80) {
      result += byte >= 'A' && byte <= 'Z'   ? static_cast<char>(byte - 'A' + 'a')
                : byte >= '0' && byte <= '9' ? '0'
                                             : byte;
      ++at;
      continue;
    }
    UChar32 c;
    U8_NEXT(bytes, at, size, c);
    uint8_t encoded[U8_MAX_LENGTH];
    int32_t length = 0;
    U8_APPEND_UNSAFE(encoded, length, c < 0 ? 0xFFFD : u_tolower(c));
    result.append(reinterpret_cast<const char*>(encoded), static_cast<size_t>(length));
  }
}

}  // namespace espalier
