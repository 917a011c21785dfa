// The recipe reader on arbitrary text: it may refuse it with a usage error, nothing else.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "espalier/base/error.h"
#include "espalier/base/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    espalier::SettingsReader settings(espalier::parse_recipe({reinterpret_cast<const char*>(data), size}, "fuzz.toml"));
    settings.text("description", "", "");
    settings.integer("beam", 8, 1, 1024, "");
    settings.real("rate", 1, 0, 1, "");
    settings.flag("average", true, "");
    settings.check_all_known();
  } catch (const espalier::Error& error) {
    if (error.kind() != espalier::ErrorKind::kUsage) throw;
  }
  return 0;
}
