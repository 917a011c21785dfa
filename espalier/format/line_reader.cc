#include "espalier/format/line_reader.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "espalier/base/error.h"

namespace espalier {
namespace {

constexpr size_t kBlock = size_t{1} << 16;
/// Past this a "line" is no text but a device or a binary file.
constexpr size_t kLongestLine = size_t{1} << 28;

}  // namespace

bool LineReader::fill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ > kLongestLine) throw data_error(name_, number_ + 1, "a line longer than {} bytes", kLongestLine);
  if (std::streambuf::traits_type::eq_int_type(input_.sgetc(), std::streambuf::traits_type::eof())) return false;
  const size_t ready = std::min(static_cast<size_t>(std::max<std::streamsize>(input_.in_avail(), 1)), kBlock);
  if (buffer_.size() < end_ + ready) buffer_.resize(std::max(2 * buffer_.size(), end_ + ready));
  end_ += static_cast<size_t>(input_.sgetn(buffer_.data() + end_, static_cast<std::streamsize>(ready)));
  return true;
}

bool LineReader::next(std::string_view& line) {
  size_t searched = 0;  // bytes after begin_ that are known to hold no line end
  for (;;) {
    const char* start = buffer_.data() + begin_;
    const size_t size = end_ - begin_;
    const void* newline = size > searched ? std::memchr(start + searched, '\n', size - searched) : nullptr;
    searched = size;
    if (newline) {
      const size_t length = static_cast<size_t>(static_cast<const char*>(newline) - start);
      line = {start, length + 1};
      begin_ += length + 1;
    } else if (fill()) {
      continue;
    } else if (size > 0) {
      line = {buffer_.data(), size};
      begin_ = end_;
    } else {
      return false;
    }
    break;
  }
  const std::string_view whole = line;
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (++number_ == 1) {
    while (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  }
  while (line.ends_with('\r')) line.remove_suffix(1);
  mark_ = whole.substr(0, static_cast<size_t>(line.data() - whole.data()));
  ending_ = whole.substr(mark_.size() + line.size());
  return true;
}

std::string_view take_piece(std::string_view& rest, size_t most) {
  size_t length = std::min(rest.size(), most);
  if (length < rest.size()) {
    if (const size_t space = rest.substr(0, length).find_last_of(" \t"); space != std::string_view::npos && space > 0) {
      length = space;
    } else {
      size_t whole = length;
      while (whole > 0 && length - whole < 4 && (rest[whole] & 0xC0) == 0x80) --whole;
      if (whole > 0 && length - whole < 4) length = whole;
    }
  }
  const std::string_view piece = rest.substr(0, length);
  rest.remove_prefix(length);
  return piece;
}

std::string_view text_problem(std::string_view bytes) {
  const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
  const auto size = static_cast<int64_t>(bytes.size());
  int64_t i = 0;
  while (i < size) {
    // Eight ASCII characters at a time; (w - 0x01..) & 0x80.. marks a zero byte when no byte has its top bit set.
    uint64_t w;
    if (i + 8 <= size) {
      std::memcpy(&w, p + i, 8);
      if (((w | (w - 0x0101010101010101u)) & 0x8080808080808080u) == 0) {
        i += 8;
        continue;
      }
    }
    int32_t c;
    U8_NEXT(p, i, size, c);
    if (c < 0) return "invalid UTF-8";
    if (c == 0) return "a NUL byte";
  }
  return "";
}

}  // namespace espalier
