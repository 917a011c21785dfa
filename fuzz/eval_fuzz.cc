// Scores of anything against anything: an error, or percentages. The first byte chooses the format and how the report
// is written; gold and system are separated by a line "====", without which gold is scored against itself.
#include <cmath>
#include <nlohmann/json.hpp>

#include "espalier/app/evaluate.h"
#include "fuzz/round_trip.h"

namespace {

using namespace espalier;

void check(const nlohmann::ordered_json& json) {
  if (json.is_structured()) {
    for (const auto& item : json) check(item);
  } else if (json.is_number_float()) {
    fuzz::require(std::isfinite(json.get<double>()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  constexpr std::string_view kBetween = "====\n";
  const std::string text(reinterpret_cast<const char*>(data) + 1, size - 1);
  const size_t at = std::min(text.find(kBetween), text.size());
  const std::string gold = text.substr(0, at), system = at < text.size() ? text.substr(at + kBetween.size()) : gold;
  EvaluateOptions options;
  options.format = data[0] % 2 ? "ptb" : "conllu";
  options.punct = punctuation_choices()[data[0] / 4 % punctuation_choices().size()];
  options.strict = data[0] & 2;
  options.skip_failures = data[0] & 2;
  try {
    const Evaluation result = evaluate(fuzz::read(options.format, gold, BadSentence::kSkip),
                                       fuzz::read(options.format, system, BadSentence::kSkip), options);
    if (data[0] & 128)
      check(result.json());
    else
      fuzz::require(!result.table(true).empty());
  } catch (const Error&) {
  }
  return 0;
}
