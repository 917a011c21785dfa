#include <nlohmann/json.hpp>
#include <string>

#include "espalier/app/model.h"
#include "espalier/app/train.h"

/// "Trees <-nsubj- grow", and how many recipes there are.
std::string first_arc(const char* model, const char* text) {
  const espalier::Document document = espalier::Model(model).parse_text(text);
  const espalier::Sentence& sentence = document.sentences.at(0);
  const espalier::Token& token = sentence.word(1);
  return token.form + " <-" + token.deprel + "- " + sentence.word(token.head).form + ", " +
         std::to_string(espalier::recipes().size()) + " recipes";
}
