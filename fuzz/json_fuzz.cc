#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  // What JSON delivers can be written as CoNLL-U and read back.
  for (const Sentence& sentence : fuzz::check_round_trip("json", data, size)) {
    if (sentence.tokens.empty()) continue;
    const std::string once = fuzz::write("conllu", {sentence});
    fuzz::require(fuzz::write("conllu", fuzz::read("conllu", once, BadSentence::kStop)) == once);
  }
  return 0;
}
