#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  // What JSON delivers can be written as CoNLL-U and read back.
  std::vector<Sentence> sentences = fuzz::check_round_trip("json", data, size);
  std::erase_if(sentences, [](const Sentence& sentence) { return sentence.tokens.empty(); });
  fuzz::check_writing("conllu", sentences);
  return 0;
}
