// A file of word classes: refused with an error, or it is what a model keeps and loads again.
#include <sstream>

#include "espalier/features/word_clusters.h"
#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const auto clusters = WordClusters::read(input, "fuzz.txt");
    fuzz::require(WordClusters::check(clusters->words(), clusters->sizes(), clusters->paths()).empty());
    fuzz::require(*clusters == WordClusters(clusters->words(), clusters->sizes(), clusters->paths()));
    clusters->find("dog");
  } catch (const Error&) {
  }
  return 0;
}
