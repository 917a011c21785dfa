// Rules for reordering: they are refused with an error, or they give every word one place.
#include <algorithm>

#include "espalier/tools/reorder.h"
#include "fuzz/round_trip.h"
#include "tests/test_trees.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  static const Sentence sentences[] = {
      testing::dependencies("she/PRON/4/nsubj does/AUX/4/aux not/PART/4/advmod tie/VERB/0/root them/PRON/4/obj "
                            "to/ADP/7/case wires/NOUN/4/obl:to ./PUNCT/4/punct"),
      testing::dependencies("a/X/2/dep b/X/1/dep c/X/_/dep"), testing::dependencies("oh/INTJ/0/root")};
  try {
    const ReorderRules rules({reinterpret_cast<const char*>(data), size}, "fuzz.rules");
    for (const Sentence& sentence : sentences) {
      std::vector<int> order = rules.order(sentence);
      std::ranges::sort(order);
      fuzz::require(static_cast<int>(order.size()) == sentence.size());
      for (int i = 0; i < sentence.size(); ++i) fuzz::require(order[static_cast<size_t>(i)] == i + 1);
    }
  } catch (const Error&) {
  }
  return 0;
}
