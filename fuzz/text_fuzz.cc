#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  const std::string text(reinterpret_cast<const char*>(data), size);
  // Raw text has no fixed point (a line end may join what was two paragraphs), but its words put together give it back,
  // and CoNLL-U can hold it.
  for (const BadSentence bad : {BadSentence::kSkip, BadSentence::kKeep}) {
    for (Sentence& sentence : fuzz::read("text", text, bad)) {
      fuzz::require(sentence.size() > 0);
      const std::string once = fuzz::write("conllu", {sentence});
      fuzz::require(fuzz::write("conllu", fuzz::read("conllu", once, BadSentence::kStop)) == once);
      const std::string written = surface_text(sentence);
      sentence.comments.clear();
      fuzz::require(surface_text(sentence) == written);
    }
  }
  return 0;
}
