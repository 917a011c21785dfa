#include "espalier/format/repaired_text.h"

#include <unicode/utf8.h>

#include <algorithm>

#include "espalier/format/encoding.h"

namespace espalier {
namespace {

constexpr std::streamsize kMostAtOnce = 1 << 16;
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// How many bytes at the end of the block are the beginning of a character.
size_t unfinished(std::string_view block) {
  for (size_t back = 1; back <= std::min<size_t>(3, block.size()); ++back) {
    const auto byte = static_cast<uint8_t>(block[block.size() - back]);
    if (U8_IS_LEAD(byte)) return back < static_cast<size_t>(U8_COUNT_TRAIL_BYTES(byte)) + 1 ? back : 0;
    if (!U8_IS_TRAIL(byte)) return 0;
  }
  return 0;
}

}  // namespace

RepairedText::int_type RepairedText::underflow() {
  text_.clear();
  while (text_.empty()) {
    const size_t kept = raw_.size();
    // Takes what has arrived, without waiting for a full block; waits only if nothing has.
    if (traits_type::eq_int_type(source_.sgetc(), traits_type::eof())) {
      if (kept == 0) return traits_type::eof();
    }
    const std::streamsize room = std::clamp<std::streamsize>(source_.in_avail(), 1, kMostAtOnce);
    raw_.resize(kept + static_cast<size_t>(room));
    const std::streamsize read = source_.sgetn(raw_.data() + kept, room);
    raw_.resize(kept + static_cast<size_t>(std::max<std::streamsize>(read, 0)));
    if (const std::string name = std::exchange(name_, ""); !name.empty())
      if (const std::string encoding = narrow_encoding(raw_); !encoding.empty()) throw encoding_error(name, encoding);
    const size_t whole = read > 0 ? raw_.size() - unfinished(raw_) : raw_.size();
    for (size_t at = 0; at < whole;) {
      const size_t begin = at;
      UChar32 character;
      U8_NEXT(raw_.data(), at, whole, character);
      if (character > 0) {
        text_.append(raw_, begin, at - begin);
        line_ += character == '\n';
      } else {
        text_ += kReplacement;
        if (replaced_++ == 0) first_line_ = line_;
      }
    }
    raw_.erase(0, whole);
  }
  setg(text_.data(), text_.data(), text_.data() + text_.size());
  return traits_type::to_int_type(text_[0]);
}

}  // namespace espalier
