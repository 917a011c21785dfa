#include "espalier/format/text/language.h"

#include <fmt/format.h>
#include <unicode/locid.h>

namespace espalier {

bool is_known_language(const std::string& locale) {
  const icu::Locale known = icu::Locale::createCanonical(locale.c_str());
  return !known.isBogus() && *known.getLanguage() != '\0' && *known.getISO3Language() != '\0';
}

std::string language_warning(const std::string& locale) {
  if (is_known_language(locale)) return "";
  return fmt::format(
      "'{}' is no language that ICU knows: the rules that hold for all are used; codes are like de, zh-TW, grc",
      locale);
}

}  // namespace espalier
