// Entries of the column MISC, "SpaceAfter=No|Gloss=tree". Tested by misc_test.cc.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Takes out what has that name.
void erase_misc(std::string& misc, std::string_view name);
/// Puts "name=value" at the end, in place of what has that name.
void set_misc(std::string& misc, std::string_view name, std::string_view value);

}  // namespace espalier
