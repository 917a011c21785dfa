// Names of languages, as --language and a model's metadata have them. Tested by segmenter_test.cc.
#pragma once

#include <string>

namespace espalier {

/// Whether ICU knows the language of a locale ("de", "zh-TW", "grc"); of others only the rules that hold for all apply.
bool is_known_language(const std::string& locale);

/// What to tell a user whose language is not known; "" if it is.
std::string language_warning(const std::string& locale);

}  // namespace espalier
