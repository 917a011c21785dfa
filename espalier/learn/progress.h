// What a training reports while it runs. Apart from trainer.h, because few files need JSON.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>

namespace espalier {

/// One report of progress. The command line shows it as a bar or a plain line and logs it as JSON.
struct Progress {
  std::string phase;  ///< "train", "filter", "fold 3/10"; shown first
  int epoch = 0;      ///< 1-based; 0 where there are no epochs
  int epochs = 0;
  size_t done = 0;  ///< items of `total` in this epoch
  size_t total = 0;
  bool epoch_end = false;
  nlohmann::json values;  ///< updates, dev scores, ...: shown at the end of an epoch, logged always
};

}  // namespace espalier
