// The model loader on arbitrary files: it may refuse them, nothing else; and what it accepts can parse. Checksums would
// hide everything behind them from the fuzzer, so a mutation opens a model, changes one section or one value of the
// metadata, and seals it again. The seeds are small models of every recipe, which scripts/fuzz trains.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "espalier/base/error.h"
#include "espalier/parser/parser.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

using nlohmann::json;

espalier::Sentence some_sentence() {
  espalier::Sentence sentence;
  for (const char* form : {"the", "saplings", "grew", "along", "a", "frame", "."}) {
    espalier::Token& token = sentence.tokens.emplace_back();
    token.form = form;
    token.upos = form[0] == '.' ? "PUNCT" : "NOUN";
    token.xpos = "NN";
    token.feats = "Number=Sing";
  }
  return sentence;
}

void use(const espalier::Parser& parser) {
  const auto workspace = parser.make_workspace();
  if (parser.can_tokenize()) parser.tokenize("The saplings grew along a frame. It's here.\n\nOh", *workspace);
  espalier::Sentence sentence = some_sentence();
  parser.parse(sentence, *workspace);
  if (!parser.has_kbest()) return;
  const auto list = parser.kbest(some_sentence(), 3, *workspace);
  for (const auto& candidate : list) annotate(sentence, candidate.analysis);
  if (parser.has_features()) parser.features(some_sentence(), list, *workspace, true);
}

/// One value of the metadata becomes something that a careless loader might stumble over.
void change_value(json& metadata, std::minstd_rand& random) {
  static const std::vector<json> values = {nullptr,
                                           true,
                                           0,
                                           1,
                                           -1,
                                           2,
                                           255,
                                           65536,
                                           2147483647,
                                           -2147483648ll,
                                           4294967296ll,
                                           9223372036854775807ll,
                                           0.5,
                                           1e300,
                                           "",
                                           "0",
                                           "pipeline",
                                           "a long word of no meaning",
                                           json::array(),
                                           json::object(),
                                           json::array({0, -1, 7})};
  json flat = metadata.flatten();
  if (flat.empty()) return;
  const auto chosen = std::next(flat.begin(), static_cast<long>(random() % flat.size()));
  if (chosen->is_number_integer() && random() % 2 == 0) {
    *chosen = chosen->get<int64_t>() ^ int64_t { 1 } << random() % 34;
  } else {
    *chosen = values[random() % values.size()];
  }
  json changed = json::parse("{}");
  try {
    for (const auto& [path, value] : flat.items()) changed[json::json_pointer(path)] = value;
    metadata = std::move(changed);
  } catch (const json::exception&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    const auto file = espalier::ModelFile::from_bytes({reinterpret_cast<const char*>(data), size}, "fuzz.esp");
    use(*espalier::load_parser(file));
  } catch (const espalier::Error&) {
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  random.discard(2);
  if (random() % 16 == 0) return LLVMFuzzerMutate(data, size, max_size);
  try {
    const auto file = espalier::ModelFile::from_bytes({reinterpret_cast<const char*>(data), size}, "fuzz.esp");
    espalier::ModelWriter writer;
    writer.metadata = file->metadata();
    const auto sections = file->sections();
    const size_t chosen = random() % 2 ? random() % sections.size() : 0;
    if (sections[chosen].first == "metadata") change_value(writer.metadata, random);
    for (const auto& [name, length] : sections) {
      if (name == "metadata") continue;
      const auto bytes = file->section(name);
      std::string content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
      if (name == sections[chosen].first) {
        constexpr size_t kGrowth = 256;
        content.resize(length + kGrowth);
        content.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(content.data()), length, content.size()));
      }
      writer.add(name, std::move(content));
    }
    const std::string sealed = writer.to_bytes(/*packed=*/true);  // large tables of zeros cost nothing
    if (sealed.size() <= max_size) {
      std::memcpy(data, sealed.data(), sealed.size());
      return sealed.size();
    }
  } catch (const espalier::Error&) {
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
