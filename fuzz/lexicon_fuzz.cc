// A lexicon of the user's: refused with an error, or its lemmas are text.
#include <sstream>

#include "espalier/parser/tag/lexicon.h"
#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  std::istringstream input(std::string(reinterpret_cast<const char*>(data), size));
  try {
    const Lexicon lexicon = Lexicon::read(input, "fuzz.tsv");
    for (const char* form : {"saw", "Saw", "é", ""}) {
      Token token;
      token.form = form;
      token.upos = "NOUN";
      token.feats = "Number=Sing|Case=Nom";
      if (const std::string* lemma = lexicon.find(token)) fuzz::require(!lemma->empty());
    }
  } catch (const Error&) {
  }
  return 0;
}
