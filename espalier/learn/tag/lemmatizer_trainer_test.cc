// The lemmatizer from end to end on invented words: learning, saving, loading, the user's lexicon, odd input.
#include "espalier/learn/tag/lemmatizer_trainer.h"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "espalier/base/error.h"
#include "espalier/base/rng.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"
#include "tests/training.h"

namespace espalier {
namespace {

Token word(std::string form, std::string lemma, std::string upos, std::string feats = "_") {
  Token token;
  token.form = std::move(form);
  token.lemma = std::move(lemma);
  token.upos = std::move(upos);
  token.feats = std::move(feats);
  return token;
}

std::string stem(Rng& rng) {
  std::string text;
  for (int syllable = 0; syllable < 3; ++syllable) {
    text += "bdfgklmnprt"[rng.below(11)];
    text += "aeiou"[rng.below(5)];
  }
  return text + "k";
}

std::string capital(std::string text) {
  text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

/// Nouns with plurals in -s, verbs in -ed and -ing, names that may end the same; sentences begin with a capital; one
/// irregular verb.
std::vector<Sentence> toy_lemmas(int sentences, uint64_t seed = 5) {
  Rng rng(seed, "toy");
  std::vector<Sentence> treebank(static_cast<size_t>(sentences));
  for (Sentence& sentence : treebank) {
    const std::string noun = stem(rng), verb = stem(rng), name = stem(rng) + (rng.below(2) ? "ed" : "");
    sentence.tokens = {
        word("The", "the", "DET"), word(noun + "s", noun, "NOUN", "Number=Plur"),
        rng.below(2) ? word(verb + "ed", verb, "VERB", "Tense=Past") : word(verb + "ing", verb, "VERB", "VerbForm=Ger"),
        word(capital(name), capital(name), "PROPN"), word("went", "go", "VERB", "Tense=Past")};
    if (rng.below(2)) sentence.tokens[0] = word(capital(noun), noun, "NOUN", "Number=Sing");
  }
  return treebank;
}

std::unique_ptr<Parser> train_lemmatizer(const std::vector<Sentence>& treebank) {
  Settings settings;
  settings.set("recipe", "lemmatizer");
  return train(settings, {treebank, {}}, {}).parser;
}

int wrong_lemmas(const Parser& parser, const std::vector<Sentence>& gold) {
  const auto workspace = parser.make_workspace();
  int wrong = 0;
  for (const Sentence& sentence : gold) {
    Sentence copy = sentence;
    for (Token& token : copy.tokens) token.lemma = "_";
    parser.parse(copy, *workspace);
    for (size_t i = 0; i < copy.tokens.size(); ++i) wrong += copy.tokens[i] != sentence.tokens[i];
  }
  return wrong;
}

std::string lemma_of(const Parser& parser, Token token) {
  Sentence sentence;
  sentence.tokens = {std::move(token)};
  parser.parse(sentence, *parser.make_workspace());
  return sentence.tokens[0].lemma;
}

TEST(Lemmatizer, KnowsWhatItSawAndGuessesTheRest) {
  const auto treebank = toy_lemmas(300);
  const auto parser = train_lemmatizer(treebank);
  EXPECT_EQ(parser->about().predicts, std::vector<std::string>{"lemmas"});
  EXPECT_EQ(wrong_lemmas(*parser, treebank), 0);
  EXPECT_EQ(wrong_lemmas(*parser, toy_lemmas(200, 6)), 0);  // other words
}

TEST(Lemmatizer, WordsWithoutLemmasTeachNothing) {
  std::vector<Sentence> treebank = toy_lemmas(300);
  for (int copy = 0; copy < 3; ++copy)
    for (Sentence sentence : toy_lemmas(300)) {
      for (Token& token : sentence.tokens) token.lemma = "_";
      treebank.push_back(std::move(sentence));
    }
  EXPECT_EQ(wrong_lemmas(*train_lemmatizer(treebank), toy_lemmas(300)), 0);
}

TEST(Lemmatizer, TagsDecide) {
  const auto parser = train_lemmatizer(toy_lemmas(300));
  EXPECT_EQ(lemma_of(*parser, word("pototed", "_", "VERB", "Tense=Past")), "potot");
  EXPECT_EQ(lemma_of(*parser, word("Pototed", "_", "PROPN")), "Pototed");
  // With tags that "went" never had, but its UPOS, the dictionary still knows it.
  EXPECT_EQ(lemma_of(*parser, word("went", "_", "VERB", "Tense=Pres")), "go");
}

TEST(Lemmatizer, SavedAndLoadedIsTheSame) {
  const auto parser = train_lemmatizer(toy_lemmas(100));
  const auto file = ModelFile::from_bytes(file_of(*parser), "toy.esp");
  const auto loaded = load_parser(file);
  EXPECT_EQ(loaded->about().kind, "lemmatizer");
  EXPECT_EQ(file_of(*loaded), file_of(*parser));
  EXPECT_EQ(wrong_lemmas(*loaded, toy_lemmas(50, 6)), wrong_lemmas(*parser, toy_lemmas(50, 6)));
  EXPECT_EQ(file_of(*train_lemmatizer(toy_lemmas(100))), file_of(*parser));
}

TEST(Lemmatizer, TheUsersLexiconWins) {
  const TemporaryFolder folder;
  const std::string lexicon = folder / "forms.tsv";
  std::ofstream(lexicon) << "went\twend\tVERB\nmice\tmouse\n";
  const auto file = ModelFile::from_bytes(file_of(*train_lemmatizer(toy_lemmas(100))), "toy.esp");
  Settings settings;
  settings.set("lexicon", lexicon);
  const auto parser = load_parser(file, settings);
  EXPECT_EQ(lemma_of(*parser, word("went", "_", "VERB", "Tense=Past")), "wend");
  EXPECT_EQ(lemma_of(*parser, word("Mice", "_", "NOUN")), "mouse");
  EXPECT_EQ(lemma_of(*load_parser(file), word("went", "_", "VERB", "Tense=Past")), "go");
  settings.set("lexicon", folder / "missing.tsv");
  EXPECT_THROW(load_parser(file, settings), Error);
}

TEST(Lemmatizer, ForgedFilesAreRefused) {
  const auto parser = train_lemmatizer(toy_lemmas(20));
  const auto forged = [&](const std::function<void(nlohmann::json&)>& change) {
    ModelWriter writer;
    writer.metadata["model"] = save_part(*parser, writer, "");
    change(writer.metadata["model"]);
    return ModelFile::from_bytes(writer.to_bytes(), "toy.esp");
  };
  EXPECT_NO_THROW(load_parser(forged([](auto&) {})));
  EXPECT_THROW(load_parser(forged([](auto& m) { m["edits"] = nlohmann::json::array({{"a"}}); })), Error);
  EXPECT_THROW(load_parser(forged([](auto& m) { m["edits"][0][3] = "two\nlines"; })), Error);
  EXPECT_THROW(load_parser(forged([](auto& m) {
                 for (int i = 0; i < 1000; ++i) m["edits"].push_back(m["edits"][0]);
               })),
               Error);
}

TEST(Lemmatizer, OddWords) {
  const auto parser = train_lemmatizer(toy_lemmas(50));
  EXPECT_EQ(lemma_of(*parser, word("", "_", "NOUN")), "");
  for (const char* form : {"\xff\xfe", "s", "\xc3\x89\xc3\xa9s", "\xe7\x8a\xac", "\xc4\xb0ns"})
    EXPECT_FALSE(lemma_of(*parser, word(form, "_", "NOUN", "Number=Plur")).empty()) << form;
  EXPECT_EQ(lemma_of(*parser, word(std::string(100000, 'x'), "_", "PROPN")).size(), 100000u);
}

TEST(Lemmatizer, NothingToLearnFrom) {
  EXPECT_THROW(train_lemmatizer({}), Error);
  auto treebank = toy_lemmas(5);
  for (Sentence& sentence : treebank)
    for (Token& token : sentence.tokens) token.lemma = "_";
  EXPECT_THROW(train_lemmatizer(treebank), Error);
}

}  // namespace
}  // namespace espalier
