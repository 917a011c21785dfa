// The first program: load a model, parse raw text, print every word with its head and relation.
//
//   example_parse models/en_ewt.esp "Flying planes can be dangerous."
#include <iostream>
#include <sstream>

#include "espalier/base/error.h"
#include "espalier/format/format.h"
#include "espalier/parser/parser.h"

int main(int argc, char** argv) try {
  if (argc != 3) throw espalier::usage_error("usage: example_parse MODEL TEXT");
  const auto parser = espalier::load_parser(argv[1]);
  const auto workspace = parser->make_workspace();  // scratch memory: one per thread
  std::istringstream text(argv[2]);
  const auto reader = espalier::make_reader("text", text, {});
  for (espalier::Sentence sentence; reader->next(sentence);) {
    parser->parse(sentence, *workspace);
    for (const espalier::Token& token : sentence.tokens) {
      const std::string head = token.head > 0 ? sentence.word(token.head).form : "ROOT";
      std::cout << token.form << " <-" << token.deprel << "- " << head << '\n';
    }
  }
} catch (const espalier::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
