// Warnings about training data whose faults would otherwise show in bad scores only, given once, before training.
// Tested by tests/warnings_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "espalier/app/files.h"
#include "espalier/learn/trainer.h"

namespace espalier {

/// `about` is the model's metadata with the files' names and checksums ("training", "dev"); words without any tag are
/// counted there ("untagged"), where that is all of them. `recipe` is what is trained.
void warn_of_data(const TrainData& data, const std::string& recipe, const nlohmann::json& about,
                  const Message& message);

}  // namespace espalier
