// Names of languages, as --language and a model's metadata have them. Tested by segmenter_test.cc.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace espalier {

/// Whether ICU knows the language of a locale ("de", "zh-TW", "grc"); for others only the general rules apply.
bool is_known_language(const std::string& locale);

/// A warning for users if the language is not known; else "".
std::string language_warning(const std::string& locale);

/// How many letters of each script a text has, by Unicode's names: "Latin", "Cyrillic", "Han".
using ScriptCounts = std::map<std::string, long, std::less<>>;
void count_letters(std::string_view text, ScriptCounts& scripts);
/// The scripts that a language is usually written in; empty if they are not known.
std::set<std::string, std::less<>> scripts_of_language(const std::string& locale);

}  // namespace espalier
