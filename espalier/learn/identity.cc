#include "espalier/learn/identity.h"

#include <fmt/format.h>

#include "espalier/base/hash.h"

namespace espalier {
namespace {

uint64_t digest(const std::vector<Sentence>& sentences) {
  uint64_t hash = sentences.size();
  const auto add = [&](std::string_view text) { hash = combine(hash, hash_string(text)); };
  for (const Sentence& sentence : sentences) {
    for (const Token& token : sentence.tokens) {
      add(token.form);
      add(token.upos);
      add(token.xpos);
      add(token.feats);
      add(token.deprel);
      hash = combine(hash, static_cast<uint64_t>(token.head));
    }
    for (const auto& node : sentence.constituents.nodes) {
      add(node.label);
      hash = combine(hash, node.children.size());
    }
  }
  return hash;
}

}  // namespace

std::string run_identity(const Settings& settings, const TrainData& data, uint64_t seed) {
  return fmt::format("{} seed {} train {:016x} dev {:016x}", settings.to_json().dump(), seed, digest(data.train),
                     digest(data.dev));
}

}  // namespace espalier
