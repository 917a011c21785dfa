// The model loader on forged files of every kind: it may refuse them, nothing else; and what it accepts can parse.
#include "espalier/learn/trained.h"
#include "espalier/parser/inspect.h"
#include "espalier/parser/model_file.h"
#include "fuzz/forge.h"
#include "fuzz/round_trip.h"
#include "fuzz/toy_models.h"

namespace {

using namespace espalier;

std::string toy_model(const ParserKind& kind, bool packed) {
  const auto parser = train(fuzz::small_settings(kind), fuzz::small_data(kind), {}).parser;
  ModelWriter writer;
  writer.metadata = {{"program", "espalier"}, {"predicts", parser->about().predicts}, {"settings", {{"beam", "4"}}}};
  writer.metadata["model"] = save_part(*parser, writer, "");
  return writer.to_bytes(packed);
}

Sentence some_sentence() {
  Sentence sentence;
  for (const char* form : {"the", "dog", "sees", "."}) {
    Token& token = sentence.tokens.emplace_back();
    token.form = form;
    token.upos = form[0] == '.' ? "PUNCT" : "NOUN";
    token.xpos = "NN";
    token.feats = "Number=Sing";
  }
  return sentence;
}

/// `thorough`: features, too, whose names take more time than all else.
void use(const Parser& parser, bool thorough) {
  const auto workspace = parser.make_workspace();
  if (const Tokenizing* tokenizer = parser.tokenizer())
    tokenizer->tokenize("The dog sees a frame. It's here.\n\nOh", *workspace);
  Sentence sentence = some_sentence();
  parser.parse(sentence, *workspace);
  for (const Token& token : sentence.tokens)
    fuzz::require(token.head == Token::kNoHead || (token.head >= 0 && token.head <= sentence.size()));
  const Sentence other = some_sentence();
  const auto list = kbest(parser, other, 2, *workspace);
  for (const auto& candidate : list) annotate(sentence, candidate.analysis);
  if (thorough && parser.about().can.features) parser.inspect()->features(other, list, *workspace, true);
}

void load_and_use(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    use(*load_parser(ModelFile::from_bytes(bytes, "fuzz.esp")), hash_string(bytes) % 8 == 0);
  } catch (const Error&) {
  }
}

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> models;
    for (const ParserKind& kind : fuzz::fuzzed_kinds()) {
      models.push_back(toy_model(kind, /*packed=*/false));
      if (models.size() % 8 == 1) models.push_back(toy_model(kind, /*packed=*/true));
    }
    return models;
  }();
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  load_and_use(data, size);
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return fuzz::forge(data, size, max_size, seed, seeds());
}
