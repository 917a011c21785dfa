// Head rules of the user's: they are refused with a data or usage error, or they find a head among the children of any
// span.
#include <string>

#include "espalier/tree/head_rules.h"
#include "fuzz/round_trip.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace espalier;
  const std::vector<std::string> parents = {"S", "NP", "VP", "PP"};
  const std::vector<std::string> symbols = {"S", "NP", "VP", "PP", "NN", "VBZ", "CC", ",", "$"};
  std::vector<bool> punctuation;
  for (const std::string& symbol : symbols) punctuation.push_back(is_punctuation_tag(symbol));
  try {
    const HeadRules rules({reinterpret_cast<const char*>(data), size}, "fuzz.rules", parents, symbols, punctuation);
    for (const std::vector<int>& children : {std::vector{0}, {1, 2}, {7, 7}, {4, 6, 4}, {0, 1, 2, 3, 4, 5, 6, 7}}) {
      uint8_t fast[4];
      rules.heads(children, fast);
      for (int parent = 0; parent < 4; ++parent) {
        const int head = rules.head(parent, children);
        fuzz::require(head >= 0 && head < static_cast<int>(children.size()) && fast[parent] == head);
      }
    }
    const std::vector<int> many = {4, 7, 4, 6, 4, 7, 4, 7, 4, 6, 3};
    for (int parent = 0; parent < 4; ++parent) fuzz::require(rules.head(parent, many) < 11);
  } catch (const Error&) {
  }
  return 0;
}
