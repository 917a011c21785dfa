#include "server/list_json.h"

#include <nlohmann/json.hpp>

#include "espalier/app/files.h"
#include "espalier/tree/analysis.h"

namespace espalier::server {
namespace {

using nlohmann::ordered_json;

/// Entry 0 of a column stands for the root and says nothing.
template <class Value>
void add_column(const char* key, const std::vector<Value>& column, ordered_json& entry) {
  if (column.size() > 1) entry[key] = std::vector<Value>(column.begin() + 1, column.end());
}

ordered_json json_of(const Sentence& sentence, const Alternative& alternative) {
  ordered_json entry = {{"score", alternative.score}};
  for (const auto& [name, score] : alternative.scores) entry["scores"][name] = score;
  const Analysis& analysis = alternative.analysis;
  add_column("heads", analysis.heads, entry);
  add_column("deprels", analysis.deprels, entry);
  add_column("upos", analysis.upos, entry);
  add_column("xpos", analysis.xpos, entry);
  add_column("feats", analysis.feats, entry);
  add_column("lemmas", analysis.lemmas, entry);
  if (!analysis.constituents.empty()) {
    Sentence copy = sentence;
    annotate(copy, analysis);
    std::string brackets = write_text({&copy, 1}, "ptb");
    while (!brackets.empty() && brackets.back() == '\n') brackets.pop_back();
    entry["constituents"] = std::move(brackets);
  }
  return entry;
}

}  // namespace

std::string list_json(const Sentence& sentence, std::span<const Alternative> list) {
  ordered_json all = ordered_json::array();
  for (const Alternative& alternative : list) all.push_back(json_of(sentence, alternative));
  return all.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace espalier::server
