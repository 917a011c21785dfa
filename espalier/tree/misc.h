// Entries of the column MISC, "SpaceAfter=No|Gloss=tree". Tested by misc_test.cc.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace espalier {

/// The value of the first entry with this name.
std::optional<std::string_view> misc_value(std::string_view misc, std::string_view name);
/// Removes the entries with this name.
void erase_misc(std::string& misc, std::string_view name);
/// Appends "name=value" and removes earlier entries with this name.
void set_misc(std::string& misc, std::string_view name, std::string_view value);

}  // namespace espalier
