// The model loader on arbitrary bytes: it may refuse them, nothing else. Checksums would hide everything behind them
// from the fuzzer, so the input is also built into a file whose checksums are right: its first bytes say how.
#include <cstddef>
#include <cstdint>
#include <string>

#include "espalier/base/error.h"
#include "espalier/parser/parser.h"

namespace {

void load(std::string bytes) {
  try {
    const auto file = espalier::ModelFile::from_bytes(std::move(bytes), "fuzz.esp");
    for (const auto& [name, size] : file->sections()) file->section(name);
    const auto parser = espalier::load_parser(file);
    const auto workspace = parser->make_workspace();
    espalier::Sentence sentence;
    sentence.tokens.resize(3);
    for (espalier::Token& token : sentence.tokens) token.form = "word";
    parser->parse(sentence, *workspace);
  } catch (const espalier::Error&) {
  }
}

/// Metadata, then sections, separated by the byte 0xff; a section is its name, a line end, its bytes.
std::string sealed(std::string_view input) {
  espalier::ModelWriter writer;
  const auto next = [&input] {
    const size_t end = std::min(input.find('\xff'), input.size());
    const std::string_view piece = input.substr(0, end);
    input.remove_prefix(std::min(end + 1, input.size()));
    return piece;
  };
  writer.metadata = nlohmann::json::parse(next(), nullptr, /*allow_exceptions=*/false);
  while (!input.empty()) {
    const std::string_view piece = next();
    const size_t line = std::min(piece.find('\n'), piece.size());
    writer.add(std::string(piece.substr(0, line)), std::string(piece.substr(std::min(line + 1, piece.size()))));
  }
  return writer.to_bytes();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  if (input.starts_with("ESPALIER")) {
    load(input);
  } else {
    load(sealed(input));
  }
  return 0;
}
