#include "espalier/learn/identity.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "espalier/base/file.h"
#include "espalier/base/hash.h"
#include "espalier/base/json_text.h"

namespace espalier {
namespace {

/// A digest of all columns that a trainer could look at.
uint64_t digest(const std::vector<Sentence>& sentences) {
  uint64_t hash = sentences.size();
  const auto add = [&](std::string_view text) { hash = combine(hash, hash_string(text)); };
  const auto count = [&](size_t number) { hash = combine(hash, number); };
  for (const Sentence& sentence : sentences) {
    count(sentence.tokens.size());
    for (const Token& token : sentence.tokens) {
      for (const std::string* text :
           {&token.form, &token.lemma, &token.upos, &token.xpos, &token.feats, &token.deprel, &token.deps, &token.misc})
        add(*text);
      count(static_cast<size_t>(token.head));
    }
    for (const std::string& comment : sentence.comments) add(comment);
    for (const ExtraLine& line : sentence.extra) {
      count(static_cast<size_t>(line.before));
      add(line.text);
    }
    for (const auto& node : sentence.constituents.nodes) {
      add(node.label);
      count(static_cast<size_t>(node.word));
      for (const int child : node.children) count(static_cast<size_t>(child));
    }
  }
  return hash;
}

}  // namespace

std::string run_identity(const Settings& settings, const TrainData& data, uint64_t seed) {
  std::string identity = fmt::format("{} seed {} train {:016x} dev {:016x}", json_text(settings.to_json()), seed,
                                     digest(data.train), digest(data.dev));
  // The contents of the models of a warm start and of word classes.
  for (const auto& [key, file] : settings.values())
    if (const std::string_view name = std::string_view(key).substr(key.rfind('.') + 1);
        (name == "init" || name == "clusters") && !file.empty())
      identity += fmt::format(" {} {:016x}", key, hash_string(read_file(file)));
  for (const ObjectiveData& objective : data.objectives)
    identity += fmt::format(" objective {:016x} {:016x}", digest(objective.train), digest(objective.dev));
  return identity;
}

}  // namespace espalier
