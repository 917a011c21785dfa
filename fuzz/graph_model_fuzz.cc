// Models with a filter of arcs: they are large, and mostly zeros. A packed one is a few kilobytes, as libFuzzer wants
// it.
#include "fuzz/model_loading.h"

namespace {

using namespace espalier;

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> models;
    for (const ParserKind& kind : fuzz::fuzzed_kinds())
      if (fuzz::is_large(kind)) models.push_back(fuzz::toy_model(kind, /*packed=*/true));
    return models;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::load_and_use(data, size);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return fuzz::forge(data, size, max_size, seed, seeds(), /*packed=*/true);
}
