// What stands after --set, a pair a line, for one of the recipes that can be trained: refused with an error before
// anything is read or trained, or accepted.
#include <nlohmann/json.hpp>
#include <sstream>

#include "espalier/learn/trainer.h"
#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  if (size == 0) return 0;
  static const std::vector<std::string> recipes = trainer_names();
  Settings settings;
  settings.set("recipe", recipes[data[0] % recipes.size()]);
  std::istringstream lines(std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  try {
    for (std::string line; std::getline(lines, line);) settings.set_pair(line);
    configure(settings);
    fuzz::require(Settings::from_json(settings.to_json()).to_json() == settings.to_json());
  } catch (const Error&) {
  }
  return 0;
}
