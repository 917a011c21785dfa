// The model loader on forged files: it may refuse them, nothing else; and what it accepts can parse.
#include "fuzz/forge.h"
#include "fuzz/round_trip.h"
#include "fuzz/toy_models.h"

namespace {

using namespace espalier;

const std::vector<std::string>& seeds() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> models;
    for (const ParserKind& kind : fuzz::fuzzed_kinds()) {
      const auto parser = train(fuzz::small_settings(kind), fuzz::small_data(kind), {}).parser;
      ModelWriter writer;
      writer.metadata = {{"program", "espalier"}, {"predicts", parser->predicts()}, {"settings", {{"beam", "4"}}}};
      writer.metadata["model"] = save_part(*parser, writer, "");
      models.push_back(writer.to_bytes());
      if (models.size() % 8 == 1) models.push_back(writer.to_bytes(/*packed=*/true));
    }
    return models;
  }();
  return all;
}

Sentence some_sentence() {
  Sentence sentence;
  for (const char* form : {"the", "dog", "sees", "a", "frame", "."}) {
    Token& token = sentence.tokens.emplace_back();
    token.form = form;
    token.upos = form[0] == '.' ? "PUNCT" : "NOUN";
    token.xpos = "NN";
    token.feats = "Number=Sing";
  }
  return sentence;
}

void use(const Parser& parser) {
  const auto workspace = parser.make_workspace();
  if (parser.can_tokenize()) parser.tokenize("The dog sees a frame. It's here.\n\nOh", *workspace);
  Sentence sentence = some_sentence();
  parser.parse(sentence, *workspace);
  for (const Token& token : sentence.tokens)
    fuzz::require(token.head == Token::kNoHead || (token.head >= 0 && token.head <= sentence.size()));
  if (!parser.has_kbest()) return;
  const auto list = parser.kbest(some_sentence(), 3, *workspace);
  for (const auto& candidate : list) annotate(sentence, candidate.analysis);
  if (parser.has_features()) parser.features(some_sentence(), list, *workspace, true);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    use(*load_parser(ModelFile::from_bytes({reinterpret_cast<const char*>(data), size}, "fuzz.esp")));
  } catch (const Error&) {
  }
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned seed) {
  return fuzz::forge(data, size, max_size, seed, seeds());
}
