#include "espalier/format/text/word_places.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <optional>

namespace espalier {
namespace {

/// A text walked through by characters.
class Cursor {
 public:
  explicit Cursor(std::string_view text, size_t position = 0) : text_(text), next_(position) { read(); }

  bool at_end() const { return position_ == text_.size(); }
  UChar32 character() const { return character_; }
  size_t position() const { return position_; }
  void advance() { read(); }

 private:
  void read() {
    position_ = next_;
    if (at_end()) return;
    auto i = static_cast<int64_t>(next_);
    U8_NEXT_OR_FFFD(reinterpret_cast<const uint8_t*>(text_.data()), i, static_cast<int64_t>(text_.size()), character_);
    next_ = static_cast<size_t>(i);
  }

  std::string_view text_;
  size_t position_ = 0, next_ = 0;
  UChar32 character_ = 0;
};

/// Characters that a tokenizer may leave out, or write as a space.
bool is_loose(UChar32 c) { return u_isUWhiteSpace(c) || u_iscntrl(c) || c == 0xFEFF; }

/// The place of `form` at or after `begin` with nothing but loose characters before it.
std::optional<TextSpan> match(std::string_view text, size_t begin, std::string_view form) {
  Cursor here(text, begin);
  std::optional<size_t> first;
  size_t end = begin;
  for (Cursor wanted(form); !wanted.at_end(); wanted.advance()) {
    if (wanted.character() == ' ') continue;  // stands for any white space
    while (!here.at_end() && here.character() != wanted.character() && is_loose(here.character())) here.advance();
    if (here.at_end() || here.character() != wanted.character()) return std::nullopt;
    if (!first) first = here.position();
    here.advance();
    end = here.position();
  }
  return TextSpan{first.value_or(begin), end};
}

}  // namespace

std::vector<std::vector<TextSpan>> word_places(std::string_view text, std::span<const Sentence> sentences) {
  std::vector<std::vector<TextSpan>> places;
  size_t position = 0;
  const auto next_place = [&](std::string_view form) {
    const TextSpan place = match(text, position, form).value_or(TextSpan{position, position});
    position = place.end;
    return place;
  };
  for (const Sentence& sentence : sentences) {
    auto& words = places.emplace_back();
    auto extra = sentence.extra.begin();
    int covered = 0;  // the last word of the latest multiword token
    TextSpan multiword_place;
    for (int i = 1; i <= sentence.size(); ++i) {
      for (; extra != sentence.extra.end() && extra->before < i; ++extra) {
        const auto multiword = as_multiword(*extra);
        if (!multiword) continue;
        covered = multiword->last;
        multiword_place = next_place(multiword->form);
      }
      words.push_back(i <= covered ? multiword_place : next_place(sentence.word(i).form));
    }
  }
  return places;
}

bool is_space_alone(std::string_view text) {
  Cursor here(text);
  while (!here.at_end() && is_loose(here.character())) here.advance();
  return here.at_end();
}

std::vector<TextSpan> in_characters(std::string_view text, std::vector<TextSpan> places) {
  std::vector<size_t> before = {0};  // each byte, so many characters
  for (const char byte : text) before.push_back(before.back() + ((byte & 0xC0) != 0x80 ? 1 : 0));
  for (TextSpan& place : places) place = {before[place.begin], before[place.end]};
  return places;
}

}  // namespace espalier
