// JSON as text. Compiling its reader and its writer takes more than two seconds, here for all files that need them.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace espalier {

/// On one line, or indented by so many spaces. Bytes that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::json& json, int indent = -1);
std::string json_text(const nlohmann::ordered_json& json, int indent = -1);

/// Throws nlohmann::json::parse_error, or, if exceptions are not allowed, returns a value that is `is_discarded()`.
nlohmann::json parse_json(std::string_view text, bool allow_exceptions = true);

}  // namespace espalier
