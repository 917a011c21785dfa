// Models of released versions are read by this one: each of tests/models/VERSION/ parses its sentences to what stands
// beside it, or is refused with the message in KIND.refused. What a version makes is written where it is missing by
//   ESPALIER_MAKE_MODELS=1 build/release/espalier_tests --gtest_filter='ModelVersions.*'
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "espalier/app/model.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/learn/trained.h"
#include "fuzz/toy_models.h"

namespace espalier {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = ESPALIER_SOURCE_DIR "/tests/models";

/// What a model predicts is taken out before, so that it must be found again.
std::string parsed(const Model& model, std::vector<Sentence> sentences, const std::string& format) {
  const AboutParser about = model.parser().about();
  Document document;
  for (Sentence& sentence : sentences) {
    if (model.can_tokenize()) document.text += surface_text(sentence) + "\n\n";
    if (about.does_predict("constituents")) sentence.constituents = {};
    for (Token& token : sentence.tokens) {
      if (about.does_predict("tags")) token.upos = token.xpos = token.feats = "_";
      if (about.does_predict("lemmas")) token.lemma = "_";
      if (about.does_predict("heads")) token.head = Token::kNoHead, token.deprel = "_";
    }
  }
  if (!model.can_tokenize()) document.sentences = std::move(sentences);
  model.parse(document);
  std::ostringstream out;
  const auto writer = make_writer(format, out);
  for (const Sentence& sentence : document.sentences) writer->write(sentence);
  writer->finish();
  return out.str();
}

void make(const ParserKind& kind, const fs::path& folder) {
  const auto treebank = kind.treebank(6, 1);
  const auto trained = train(fuzz::small_settings(kind), {treebank, kind.treebank(2, 2)}, {});
  fs::create_directories(folder);
  save_parser(*trained.parser, {{"program", "espalier " ESPALIER_VERSION}}, folder / (std::string(kind.name) + ".esp"),
              /*packed=*/true);
  const std::string format = treebank[0].constituents.nodes.empty() ? "conllu" : "ptb";
  const Model model(folder / (std::string(kind.name) + ".esp"));
  write_file(folder / (std::string(kind.name) + "." + format), parsed(model, kind.treebank(3, 3), format));
}

TEST(ModelVersions, EveryKindHasOne) {
  const fs::path folder = kFolder / ESPALIER_VERSION;
  for (const ParserKind& kind : fuzz::fuzzed_kinds()) {
    const fs::path file = folder / (std::string(kind.name) + ".esp");
    if (std::getenv("ESPALIER_MAKE_MODELS") && !fs::exists(file)) make(kind, folder);
    EXPECT_TRUE(fs::exists(file)) << file << ": the first lines of this test say how it is made";
  }
}

TEST(ModelVersions, ParseAsTheyDidOrSayWhyNot) {
  for (const auto& entry : fs::recursive_directory_iterator(kFolder)) {
    fs::path beside = entry.path();
    if (beside.extension() != ".esp") continue;
    SCOPED_TRACE(entry.path());
    if (fs::exists(beside.replace_extension("refused"))) {
      try {
        Model{entry.path().string()};
        ADD_FAILURE() << "should be refused";
      } catch (const Error& error) {
        EXPECT_EQ(error.what() + std::string("\n"), entry.path().string() + ": " + read_file(beside));
      }
      continue;
    }
    const std::string format = fs::exists(beside.replace_extension("ptb")) ? "ptb" : "conllu";
    const std::string file = beside.replace_extension(format);
    const Model model(entry.path().string());
    EXPECT_EQ(parsed(model, read_treebank(file), format), read_file(file));
  }
}

}  // namespace
}  // namespace espalier
