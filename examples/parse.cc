// The first program: load a model, parse raw text, print every word with its head and relation.
//
//   example_parse models/en_ewt.esp "Flying planes can be dangerous."
#include <iostream>

#include "espalier/app/model.h"

int main(int argc, char** argv) try {
  if (argc != 3) throw espalier::Error(espalier::ErrorKind::kUsage, "usage: example_parse MODEL TEXT");
  const espalier::Model model(argv[1]);
  const espalier::Document document = model.parse_text(argv[2]);
  for (const espalier::Sentence& sentence : document.sentences) {
    for (const espalier::Token& token : sentence.tokens) {
      const std::string head = token.head > 0 ? sentence.word(token.head).form : "ROOT";
      std::cout << token.form << " <-" << token.deprel << "- " << head << '\n';
    }
  }
} catch (const espalier::Error& error) {
  std::cerr << error.what() << '\n';
  return static_cast<int>(error.kind());
}
