#include "espalier/format/text/language.h"

#include <fmt/format.h>
#include <unicode/locid.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>

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

void count_letters(std::string_view text, ScriptCounts& scripts) {
  long ascii = 0;
  for (size_t at = 0; at < text.size();) {
    UChar32 character;
    U8_NEXT(text.data(), at, text.size(), character);
    if (character < 0x80) {
      ascii += u_isalpha(character) != 0;
      continue;
    }
    UErrorCode error = U_ZERO_ERROR;
    const UScriptCode script = u_isalpha(character) ? uscript_getScript(character, &error) : USCRIPT_COMMON;
    if (script > USCRIPT_INHERITED) ++scripts[uscript_getName(script)];
  }
  if (ascii > 0) scripts["Latin"] += ascii;
}

std::set<std::string, std::less<>> scripts_of_language(const std::string& locale) {
  UScriptCode codes[8];
  UErrorCode error = U_ZERO_ERROR;
  const int count = uscript_getCode(locale.c_str(), codes, static_cast<int>(std::size(codes)), &error);
  std::set<std::string, std::less<>> scripts;
  for (int i = 0; U_SUCCESS(error) && i < count; ++i) {
    const bool han = codes[i] == USCRIPT_SIMPLIFIED_HAN || codes[i] == USCRIPT_TRADITIONAL_HAN;
    scripts.insert(uscript_getName(han ? USCRIPT_HAN : codes[i]));
  }
  return scripts;
}

}  // namespace espalier
