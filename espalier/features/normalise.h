// Words as features know them.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// In lower case, with every digit as 0, so that words at the start of a sentence, in headings, and numbers share
/// features.
void normalise(std::string_view form, std::string& result);

}  // namespace espalier
