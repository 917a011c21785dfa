#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  for (const Sentence& sentence : fuzz::check_round_trip("ptb", data, size)) {
    // Every word has one leaf, in order; parents stand before children.
    int word = 0;
    const auto& nodes = sentence.constituents.nodes;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].word > 0) fuzz::require(nodes[i].is_leaf() && nodes[i].word == ++word);
      for (const int child : nodes[i].children) fuzz::require(child > static_cast<int>(i));
    }
    fuzz::require(word == sentence.size());
  }
  return 0;
}
