// The few things that need Unicode's tables (ICU).
#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Lower case, without regard to language; text that is not UTF-8 keeps its odd bytes replaced by U+FFFD.
std::string lower_case(std::string_view text);

}  // namespace espalier
