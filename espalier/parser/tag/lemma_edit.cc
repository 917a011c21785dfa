#include "espalier/parser/tag/lemma_edit.h"

#include <vector>

#include "espalier/base/unicode.h"

namespace espalier {
namespace {

constexpr size_t kLongest = 1000;  // characters; longer forms are no words

/// Capitals for the first `count` characters.
std::string with_capitals(const std::string& text, size_t count) {
  std::u32string characters = decode_utf8(text);
  for (size_t i = 0; i < std::min(count, characters.size()); ++i) characters[i] = upper_case(characters[i]);
  return encode_utf8(characters);
}

}  // namespace

void LemmaEdit::apply(std::string_view word, std::string& lemma) const {
  lemma.assign(put_front);
  lemma.append(word.substr(cut_front.size(), word.size() - cut_front.size() - cut_back.size()));
  lemma.append(put_back);
}

std::optional<LemmaEdit> lemma_edit(std::string_view lower_form, std::string_view lower_lemma) {
  const std::u32string form = decode_utf8(lower_form), lemma = decode_utf8(lower_lemma);
  if (form.size() > kLongest || lemma.size() > kLongest) return std::nullopt;
  // Longest common substring: common[j] is that of all which end at the present character of the form and at lemma[j].
  size_t length = 0, form_begin = 0, lemma_begin = 0;
  std::vector<size_t> common(lemma.size() + 1, 0);
  for (size_t i = 0; i < form.size(); ++i) {
    for (size_t j = lemma.size(); j-- > 0;) {
      common[j + 1] = form[i] == lemma[j] ? common[j] + 1 : 0;
      const size_t begin = j + 1 - common[j + 1];
      if (common[j + 1] > length || (common[j + 1] == length && length > 0 && i + 1 == form_begin + length &&
                                     begin < lemma_begin)) {  // of equals the leftmost
        length = common[j + 1];
        form_begin = i + 1 - length;
        lemma_begin = begin;
      }
    }
  }
  if (length == 0) return std::nullopt;
  const std::u32string_view f = form, l = lemma;
  return LemmaEdit{encode_utf8(f.substr(0, form_begin)), encode_utf8(l.substr(0, lemma_begin)),
                   encode_utf8(f.substr(form_begin + length)), encode_utf8(l.substr(lemma_begin + length))};
}

void make_lemma(std::string_view form, std::string_view lower, const LemmaEdit& edit, Casing casing,
                std::string& lemma) {
  // If the lower case of a letter has another length, places do not correspond.
  const bool keep = casing == Casing::kKept && form.size() == lower.size();
  edit.apply(keep ? form : lower, lemma);
  if (casing == Casing::kTitle) lemma = with_capitals(lemma, 1);
  if (casing == Casing::kUpper) lemma = with_capitals(lemma, lemma.size());
}

}  // namespace espalier
