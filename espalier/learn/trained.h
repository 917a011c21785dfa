// The result of a training. Apart from trainer.h, because few files need JSON.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "espalier/parser/parser.h"

namespace espalier {

/// The best model of the run, and its report for the metadata (scores on dev, epochs, counts).
struct Trained {
  std::unique_ptr<Parser> parser;  ///< nothing, if the run was stopped before there was one
  nlohmann::json report;
  bool stopped = false;  ///< by context.stop, before training was complete
};

}  // namespace espalier
