#include "espalier/eval/punctuation.h"

#include <unicode/uchar.h>
#include <unicode/utf8.h>

#include <algorithm>

#include "espalier/base/error.h"

namespace espalier {
namespace {

bool all_punctuation(std::string_view form) {
  const auto length = static_cast<int32_t>(form.size());
  for (int32_t i = 0; i < length;) {
    UChar32 c;
    U8_NEXT(form.data(), i, length, c);
    if (c < 0 || !u_ispunct(c)) return false;  // u_ispunct: general category P*
  }
  return length > 0;
}

}  // namespace

const std::vector<std::string>& punctuation_names() {
  static const std::vector<std::string> names = {"include", "upos", "conllx", "ptb", "ctb", "ud"};
  return names;
}

Punctuation punctuation_named(std::string_view name) {
  const auto& names = punctuation_names();
  const auto it = std::find(names.begin(), names.end(), name);
  if (it == names.end())
    throw usage_error("unknown punctuation convention '{}'; known: {}", name, fmt::join(names, ", "));
  return static_cast<Punctuation>(it - names.begin());
}

bool is_scored(const Token& word, Punctuation convention) {
  const std::string& tag = word.xpos.empty() || word.xpos == "_" ? word.upos : word.xpos;
  switch (convention) {
    case Punctuation::kInclude:
      return true;
    case Punctuation::kUpos:
      return word.upos != "PUNCT";
    case Punctuation::kConllx:
      return !all_punctuation(word.form);
    case Punctuation::kPtb:
      return tag != "``" && tag != "''" && tag != ":" && tag != "," && tag != ".";
    case Punctuation::kCtb:
      return tag != "PU";
    case Punctuation::kUd:
      return universal_label(word.deprel) != "punct";
  }
  return true;
}

}  // namespace espalier
