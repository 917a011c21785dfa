// Entries of the column MISC, "SpaceAfter=No|Gloss=tree". Tested by misc_test.cc.
#pragma once

#include <string>
#include <string_view>

namespace espalier {

/// Removes the entries with this name.
void erase_misc(std::string& misc, std::string_view name);
/// Appends "name=value" and removes earlier entries with this name.
void set_misc(std::string& misc, std::string_view name, std::string_view value);

}  // namespace espalier
