#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* format : {"horizontal", "vertical"}) {
    const std::vector<Sentence> sentences = fuzz::read(format, text, BadSentence::kSkip);
    for (const Sentence& sentence : sentences) fuzz::require(sentence.size() > 0);
    fuzz::check_writing(format, sentences);
  }
  fuzz::read("aligned", text, BadSentence::kKeep);
  return 0;
}
