// A model for tests that need no training: every word hangs on the one before it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>

#include "espalier/app/model.h"
#include "espalier/parser/given_heads.h"
#include "espalier/parser/parser.h"

namespace espalier::server {

struct ChainParser : Parser {
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<Workspace>(); }
  void parse(Sentence& sentence, const Constraints& given, Workspace&) const override {
    for (int i = 1; i <= sentence.size(); ++i) {
      Token& token = sentence.word(i);
      token.head = i - 1;
      token.deprel = i == 1 ? "root" : "dep";
      token.upos = "X";
    }
    mend(given, about(), sentence);
  }
  AboutParser about() const override { return {.kind = "chain", .predicts = {"tags", "heads"}}; }
  nlohmann::json save(ModelWriter&, const std::string&) const override { return {}; }
};

inline Model chain_model() { return Model(std::make_shared<ChainParser>()); }

}  // namespace espalier::server
