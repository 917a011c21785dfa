// What can be trained: one line per name that a recipe's key `recipe` may have, its function declared above the table.
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/base/suggest.h"
#include "espalier/learn/trainer.h"

namespace espalier {
namespace {

struct Entry {
  std::string_view name;
  TrainFunction train;
};

const std::vector<Entry>& trainers() {
  static const std::vector<Entry> all = {
      // {"beam", train_transition},
  };
  return all;
}

}  // namespace

Trained train(const Settings& settings, const TrainData& data, const TrainContext& context) {
  const std::string name = settings.text("recipe", "", "which part trains the model");
  for (const Entry& entry : trainers()) {
    if (entry.name == name) return entry.train(settings, data, context);
  }
  const auto names = trainer_names();
  throw usage_error("recipe '{}' is not one that can be trained{}; known are {}", name, suggestion(name, names),
                    fmt::join(names, ", "));
}

std::vector<std::string> trainer_names() {
  std::vector<std::string> names;
  for (const Entry& entry : trainers()) names.emplace_back(entry.name);
  return names;
}

}  // namespace espalier
