// Drawings of whatever a reader delivers: text that is UTF-8, and SVG whose elements nest. The first byte chooses the
// format of the input.
#include <cctype>

#include "espalier/base/unicode.h"
#include "fuzz/round_trip.h"

namespace {

using namespace espalier;

/// Every element is closed by its own end, and nothing stands raw in a text.
void check_xml(std::string_view xml) {
  std::vector<std::string_view> open;
  for (size_t at = 0; (at = xml.find('<', at)) != xml.npos;) {
    const size_t end = xml.find('>', at);
    fuzz::require(end != xml.npos);
    const std::string_view tag = xml.substr(at + 1, end - at - 1);
    fuzz::require(!tag.empty() && tag.find('<') == tag.npos);
    at = end;
    if (tag[0] == '?' || tag[0] == '!' || tag.ends_with('/')) continue;
    if (tag[0] == '/') {
      fuzz::require(!open.empty() && open.back() == tag.substr(1));
      open.pop_back();
    } else {
      open.push_back(tag.substr(0, std::min(tag.find_first_of(" \n"), tag.size())));
    }
  }
  fuzz::require(open.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const char* const formats[] = {"conllu", "ptb", "json", "conllx"};
  for (const Sentence& sentence : fuzz::read(formats[data[0] % 4], text, BadSentence::kKeep)) {
    fuzz::write("text-tree", {sentence});
    check_xml(fuzz::write("svg", {sentence}));
  }
  return 0;
}
