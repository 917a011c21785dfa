// Cuts raw text into sentences and words in the manner of a treebank: a learned task labels characters
// (espalier/parser/l2s/l2s_tokenizer.h), a learned dictionary and suffix rules split multiword tokens. Tested by
// tests/tokenizer_test.cc.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "espalier/parser/l2s/imperative.h"
#include "espalier/parser/l2s/l2s_tokenizer.h"
#include "espalier/parser/l2s/word_splitter.h"
#include "espalier/parser/parser.h"

namespace espalier {

class Tokenizer : public Parser, public Tokenizing {
 public:
  Tokenizer(L2sTokenizer task, WordSplitter splitter, std::vector<HashedRegressor> regressors)
      : task_(task), splitter_(std::move(splitter)), regressors_(std::move(regressors)) {}

  AboutParser about() const override {
    return {.kind = "tokenizer", .predicts = {"tokens"}, .can = {.tokenize = true}};
  }
  std::unique_ptr<Workspace> make_workspace() const override;
  /// Leaves sentences as they are: their tokens are given.
  void parse(Sentence& sentence, const Constraints& given, Workspace& workspace) const override;
  const Tokenizing* tokenizer() const override { return this; }
  /// An empty line always ends a sentence. Tokens keep track of spaces (SpaceAfter=No), sentences of their text.
  std::vector<Sentence> tokenize(const std::string& text, Workspace& workspace) const override;
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override;

 private:
  void add_sentences(const L2sTokenizer::Example& labelled, std::vector<Sentence>& sentences) const;

  L2sTokenizer task_;
  WordSplitter splitter_;
  std::vector<HashedRegressor> regressors_;
};

std::unique_ptr<Parser> load_tokenizer(const ModelPart& part, SettingsReader& overrides);

/// A paragraph of a treebank's text with the labels that `tokenize` should find, one per character (L2sTokenizer).
/// Documents and paragraphs that the treebank marks become paragraphs.
struct Paragraph {
  std::u32string text;
  std::vector<uint8_t> labels;
};
std::vector<Paragraph> surface_of(std::span<const Sentence> treebank,
                                  std::vector<WordSplitter::Seen>* tokens = nullptr);
/// The paragraphs' text, with an empty line between them.
std::string raw_text(std::span<const Paragraph> paragraphs);

}  // namespace espalier
