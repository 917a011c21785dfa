#include "espalier/format/encoding.h"

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
#include <unicode/utf8.h>

#include <algorithm>
#include <array>

namespace espalier {
namespace {

constexpr size_t kLookedAt = size_t{1} << 12;  // bytes
constexpr int kSure = 30;                      // percent: what ICU's detector gives to more than a guess

uint8_t byte_at(std::string_view text, size_t at) { return at < text.size() ? static_cast<uint8_t>(text[at]) : 0; }

/// Whether the byte is a letter of ASCII, or may be one in a one-byte encoding.
bool is_letter(uint8_t byte) {
  const uint8_t lower = byte | 0x20;
  return (lower >= 'a' && lower <= 'z') || (byte >= 0xC0 && byte != 0xFF);
}

/// What ICU takes the text for.
std::string guess(std::string_view text) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, decltype(&ucsdet_close)> detector(ucsdet_open(&error), ucsdet_close);
  if (U_SUCCESS(error)) ucsdet_setText(detector.get(), text.data(), static_cast<int32_t>(text.size()), &error);
  const UCharsetMatch* match = U_SUCCESS(error) ? ucsdet_detect(detector.get(), &error) : nullptr;
  if (match && ucsdet_getConfidence(match, &error) >= kSure) {
    const std::string name = ucsdet_getName(match, &error);
    if (U_SUCCESS(error) && !name.starts_with("UTF-")) return name;
  }
  return "ISO-8859-1";
}

}  // namespace

std::string_view wide_encoding(std::string_view beginning) {
  using namespace std::string_view_literals;
  if (beginning.starts_with("\xFF\xFE\0\0"sv) || beginning.starts_with("\0\0\xFE\xFF"sv)) return "utf-32";
  if (beginning.starts_with("\xFF\xFE") || beginning.starts_with("\xFE\xFF")) return "utf-16";
  const std::string_view looked_at = beginning.substr(0, kLookedAt);
  size_t zeros[2] = {};
  for (size_t at = 0; at < looked_at.size(); ++at) zeros[at % 2] += looked_at[at] == '\0';
  const size_t many = std::max<size_t>(2, looked_at.size() / 4);  // half of the characters
  if (zeros[0] == 0 && zeros[1] >= many) return "utf-16le";
  if (zeros[1] == 0 && zeros[0] >= many) return "utf-16be";
  return "";
}

std::string narrow_encoding(std::string_view beginning) {
  bool letters = false;
  for (size_t at = 0; at < beginning.size();) {
    const size_t begin = at;
    UChar32 character;
    U8_NEXT(beginning.data(), at, beginning.size(), character);
    if (character >= 0x80) return "";
    if (character >= 0 || at == beginning.size()) continue;  // the last one may be cut off
    const uint8_t before = begin > 0 ? byte_at(beginning, begin - 1) : 0;
    letters |= is_letter(byte_at(beginning, begin)) && (is_letter(before) || is_letter(byte_at(beginning, begin + 1)));
  }
  return letters ? guess(beginning) : "";
}

Error encoding_error(const std::string& file, std::string_view encoding) {
  return data_error(file, 1,
                    "this is no UTF-8, it looks like {0}: give --encoding {0} (parse, convert, query, explain), or "
                    "convert it first (iconv -f {0} -t utf-8)",
                    encoding);
}

struct DecodedText::Converter {
  std::unique_ptr<UConverter, decltype(&ucnv_close)> from{nullptr, ucnv_close}, to{nullptr, ucnv_close};
  std::array<char, size_t{1} << 16> raw, text;
  std::array<UChar, 1024> pivot;
  UChar *pivot_begin = pivot.data(), *pivot_end = pivot.data();
  const char *begin = raw.data(), *end = raw.data();  // what is not yet converted
  bool first = true, ended = false;
};

DecodedText::DecodedText(std::streambuf& source, const std::string& encoding)
    : source_(source), converter_(std::make_unique<Converter>()) {
  UErrorCode error = U_ZERO_ERROR;
  converter_->from.reset(ucnv_open(encoding.c_str(), &error));
  if (U_FAILURE(error))
    throw usage_error("there is no encoding '{}'; ICU's names are utf-16, latin1, windows-1252, koi8-r, gb18030, ...",
                      encoding);
  converter_->to.reset(ucnv_open("utf-8", &error));
  if (U_FAILURE(error)) throw run_error("cannot convert from {}: {}", encoding, u_errorName(error));
}

DecodedText::~DecodedText() = default;

DecodedText::int_type DecodedText::underflow() {
  Converter& c = *converter_;
  for (;;) {
    char* to = c.text.data();
    UErrorCode error = U_ZERO_ERROR;
    ucnv_convertEx(c.to.get(), c.from.get(), &to, c.text.data() + c.text.size(), &c.begin, c.end, c.pivot.data(),
                   &c.pivot_begin, &c.pivot_end, c.pivot.data() + c.pivot.size(), c.first, c.ended, &error);
    c.first = false;
    if (U_FAILURE(error) && error != U_BUFFER_OVERFLOW_ERROR)
      throw run_error("cannot convert to UTF-8: {}", u_errorName(error));
    if (to > c.text.data()) {
      setg(c.text.data(), c.text.data(), to);
      return traits_type::to_int_type(c.text[0]);
    }
    if (c.ended) return traits_type::eof();
    // Converts what has arrived, without waiting for a full block.
    c.ended = traits_type::eq_int_type(source_.sgetc(), traits_type::eof());
    const auto room = std::clamp<std::streamsize>(source_.in_avail(), 1, static_cast<std::streamsize>(c.raw.size()));
    c.begin = c.raw.data();
    c.end = c.begin + (c.ended ? 0 : source_.sgetn(c.raw.data(), room));
  }
}

std::streamsize DecodedText::showmanyc() { return converter_->begin < converter_->end ? 1 : source_.in_avail(); }

}  // namespace espalier
