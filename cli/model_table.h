// The table of a model's parts with scores and sizes, and advice on making it smaller, for `info` and the end of a
// training. Made from the result of describe_model. Tested by tests/cli_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace espalier::cli {

/// "11.9 MB", "36 kB"
std::string size_text(double bytes);
/// A line for each part: scores on dev, best epoch, size. "" if the metadata has none of these.
std::string part_table(const nlohmann::json& model);
/// "" for models that are small or packed.
std::string smaller_hint(const nlohmann::json& model, const std::string& file);

}  // namespace espalier::cli
