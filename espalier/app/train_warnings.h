// Warnings, before training, about faults of training data that would otherwise only show in low scores.
// Tested by tests/warnings_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "espalier/app/files.h"
#include "espalier/learn/trainer.h"

namespace espalier {

/// `about` is the model's metadata with the files' names and checksums ("training", "dev"); if all words are untagged,
/// their number is added ("untagged"). `recipe` is what is trained.
void warn_of_data(const TrainData& data, const std::string& recipe, const nlohmann::json& about,
                  const Message& message);

}  // namespace espalier
