#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  const std::string text(reinterpret_cast<const char*>(data), size);
  for (const char* format : {"horizontal", "vertical"}) {
    for (const Sentence& sentence : fuzz::read(format, text, BadSentence::kSkip)) {
      fuzz::require(sentence.size() > 0);
      const std::string once = fuzz::write(format, {sentence});
      fuzz::require(fuzz::write(format, fuzz::read(format, once, BadSentence::kStop)) == once);
    }
  }
  fuzz::read("aligned", text, BadSentence::kKeep);
  return 0;
}
