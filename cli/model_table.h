// What `info` and the end of a training tell people about a model: its parts, with scores and sizes, and how it could
// be smaller. Both read what describe_model says. Tested by tests/cli_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace espalier::cli {

/// "11.9 MB", "36 kB"
std::string size_text(double bytes);
/// A line for each part: scores on dev, the epoch that was kept, size. "" if the training told nothing of them.
std::string part_table(const nlohmann::json& model);
/// "" for models that are small or packed.
std::string smaller_hint(const nlohmann::json& model, const std::string& file);

}  // namespace espalier::cli
