#include "fuzz/round_trip.h"

namespace {

using namespace espalier;

// Raw text has no fixed point (a line end may join what was two paragraphs), but its words put together give it back,
// and CoNLL-U can hold it.
void check(std::vector<Sentence> sentences) {
  fuzz::check_writing("conllu", sentences);
  for (Sentence& sentence : sentences) {
    fuzz::require(sentence.size() > 0);
    const std::string written = surface_text(sentence);
    sentence.comments.clear();
    fuzz::require(surface_text(sentence) == written);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  int problems = 0;
  check(fuzz::read("text", text, BadSentence::kSkip, &problems));
  if (problems > 0) check(fuzz::read("text", text, BadSentence::kKeep));  // without any it would be the same
  return 0;
}
