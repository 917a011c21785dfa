// Names of languages, as --language and a model's metadata have them. Tested by segmenter_test.cc.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace espalier {

/// Whether ICU knows the language of a locale ("de", "zh-TW", "grc"); of others only the rules that hold for all apply.
bool is_known_language(const std::string& locale);

/// What to tell a user whose language is not known; "" if it is.
std::string language_warning(const std::string& locale);

/// How many letters of each script a text has, by Unicode's names: "Latin", "Cyrillic", "Han".
using ScriptCounts = std::map<std::string, long, std::less<>>;
void count_letters(std::string_view text, ScriptCounts& scripts);
/// The scripts that a language is usually written in; none if nobody knows.
std::set<std::string, std::less<>> scripts_of_language(const std::string& locale);

}  // namespace espalier
