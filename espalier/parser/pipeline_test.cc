#include "espalier/parser/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "espalier/base/error.h"
#include "espalier/parser/model_file.h"

namespace espalier {
namespace {

struct NoScratch : Workspace {};

/// Tags a word by its length.
struct LengthTagger : Parser, Tokenizing {
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<NoScratch>(); }
  void parse(Sentence& sentence, const Constraints&, Workspace&) const override {
    for (Token& token : sentence.tokens) token.upos = std::to_string(token.form.size());
  }
  const Tokenizing* tokenizer() const override { return this; }
  std::vector<Sentence> tokenize(const std::string& text, Workspace&) const override {
    Sentence sentence;
    sentence.tokens.emplace_back().form = text;
    return {sentence};
  }
  AboutParser about() const override {
    return {.kind = "length", .predicts = {"tokens", "tags"}, .can = {.tokenize = true}};
  }
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    writer.add(prefix + "data", "tagger");
    return {{"note", 1}};
  }
};

/// Hangs every word on the first one, labelled with the tag that it finds.
struct FlatParser : Parser {
  std::unique_ptr<Workspace> make_workspace() const override { return std::make_unique<NoScratch>(); }
  void parse(Sentence& sentence, const Constraints&, Workspace&) const override {
    for (int i = 1; i <= sentence.size(); ++i) {
      sentence.word(i).head = i == 1 ? 0 : 1;
      sentence.word(i).deprel = sentence.word(i).upos;
    }
  }
  KBestList list(const Sentence& sentence, const Constraints&, Workspace&) const override {
    return KBestList([&sentence](int k, std::vector<Candidate>& all) {
      all.resize(static_cast<size_t>(k));
      for (Candidate& candidate : all) {
        candidate.score = std::stod(sentence.word(1).upos);
        candidate.analysis.heads.assign(sentence.tokens.size() + 1, 0);
      }
    });
  }
  AboutParser about() const override { return {.kind = "flat", .predicts = {"heads"}, .can = {.kbest = true}}; }
  nlohmann::json save(ModelWriter& writer, const std::string& prefix) const override {
    writer.add(prefix + "data", "parser");
    return nlohmann::json::object();
  }
};

Pipeline length_then_flat() {
  std::vector<Pipeline::Stage> stages;
  stages.push_back({"tagger", std::make_unique<LengthTagger>()});
  stages.push_back({"parser", std::make_unique<FlatParser>()});
  return Pipeline(std::move(stages));
}

Sentence two_words() {
  Sentence sentence;
  sentence.tokens.resize(2);
  sentence.word(1).form = "trees";
  sentence.word(2).form = "grow";
  return sentence;
}

TEST(Pipeline, LaterStagesSeeWhatEarlierOnesWrote) {
  const Pipeline pipeline = length_then_flat();
  const auto workspace = pipeline.make_workspace();
  Sentence sentence = two_words();
  pipeline.parse(sentence, {}, *workspace);
  EXPECT_EQ(sentence.word(1).deprel, "5");
  EXPECT_EQ(sentence.word(2).deprel, "4");
  EXPECT_EQ(sentence.word(2).head, 1);
  EXPECT_EQ(pipeline.about().predicts, (std::vector<std::string>{"tokens", "tags", "heads"}));
  EXPECT_TRUE(pipeline.about().can.tokenize);
  EXPECT_EQ(pipeline.tokenize("text", *workspace).size(), 1u);
}

TEST(Pipeline, AnalysesAreTheLastStages) {
  const Pipeline pipeline = length_then_flat();
  const auto workspace = pipeline.make_workspace();
  const auto best = kbest(pipeline, two_words(), 3, *workspace);
  ASSERT_EQ(best.size(), 3u);
  EXPECT_EQ(best[0].score, 5);
}

TEST(Pipeline, StagesAreSavedUnderTheirNames) {
  ModelWriter writer;
  writer.metadata["model"] = save_part(length_then_flat(), writer, "");
  const auto file = ModelFile::from_bytes(writer.to_bytes(), "m.esp");
  EXPECT_TRUE(file->has("tagger/data"));
  EXPECT_TRUE(file->has("parser/data"));
  EXPECT_EQ(file->metadata()["model"]["kind"], "pipeline");
  EXPECT_EQ(file->metadata()["model"]["stages"][0]["part"]["kind"], "length");
  EXPECT_THROW(load_parser(file), Error);  // no such kind is registered
}

TEST(Pipeline, ForgedMetadataIsRefused) {
  const auto refused = [](const nlohmann::json& model) {
    ModelWriter writer;
    writer.metadata["model"] = model;
    const auto file = ModelFile::from_bytes(writer.to_bytes(), "m.esp");
    EXPECT_THROW(load_parser(file), Error) << model;
  };
  refused(nullptr);
  refused({{"kind", 7}});
  refused({{"kind", "pipeline"}});
  refused({{"kind", "pipeline"}, {"stages", 3}});
  refused({{"kind", "pipeline"}, {"stages", nlohmann::json::array()}});
  refused({{"kind", "pipeline"}, {"stages", {{{"name", "parser"}, {"part", {{"kind", "pipeline"}}}}}}});
}

TEST(Pipeline, SettingsGoToTheirStage) {
  Settings settings;
  settings.set("beam", "1");
  settings.set("epochs", "2");
  settings.set("tagger.epochs", "3");
  settings.set("parser.epochs", "4");
  settings.set("taggings", "5");  // the pipeline's own
  EXPECT_EQ(Pipeline::settings_of("tagger", settings).to_json(), (nlohmann::json{{"epochs", "3"}}));
  EXPECT_EQ(Pipeline::settings_of("parser", settings).to_json(), (nlohmann::json{{"beam", "1"}, {"epochs", "4"}}));
}

/// Each word is a "3", "4" or "5", the later the less probable; a tagging gives all words the same.
struct UnsureTagger : LengthTagger {
  AboutParser about() const override { return {.kind = "unsure", .predicts = {"tags"}, .can = {.kbest = true}}; }
  KBestList list(const Sentence& sentence, const Constraints&, Workspace&) const override {
    return KBestList([this, &sentence](int k, std::vector<Candidate>& list) {
      list.clear();
      for (size_t i = 0; i < std::min(static_cast<size_t>(k), scores.size()); ++i) {
        list.emplace_back().score = scores[i];
        list.back().analysis.upos.assign(sentence.tokens.size() + 1, std::to_string(3 + i));
      }
    });
  }
  std::vector<double> scores = {0, -0.5, -1};
};

Pipeline unsure_then_flat(Pipeline::Tagging tagging) {
  std::vector<Pipeline::Stage> stages;
  stages.push_back({"tagger", std::make_unique<UnsureTagger>()});
  stages.push_back({"parser", std::make_unique<FlatParser>()});  // its score is the first word's tag
  return Pipeline(std::move(stages), tagging);
}

TEST(Pipeline, TaggerAndParserChooseTagsTogether) {
  const auto tag_of = [](Pipeline::Tagging tagging) {
    const Pipeline pipeline = unsure_then_flat(tagging);
    Sentence sentence = two_words();
    pipeline.parse(sentence, {}, *pipeline.make_workspace());
    EXPECT_EQ(sentence.word(1).head, 0);
    EXPECT_EQ(sentence.word(1).upos, sentence.word(2).upos);
    EXPECT_EQ(kbest(pipeline, two_words(), 1, *pipeline.make_workspace()).at(0).score,
              std::stod(sentence.word(1).upos));
    return sentence.word(1).upos;
  };
  EXPECT_EQ(tag_of({3, 100}), "3");  // the tagger decides
  EXPECT_EQ(tag_of({3, 1}), "5");    // the parser does: it gains one with every tagging, the tagger loses a half
  EXPECT_EQ(tag_of({2, 1}), "4");
  EXPECT_THROW(unsure_then_flat({2, 0}), Error);  // no weight
  const Pipeline pipeline = unsure_then_flat({3, 1});
  Sentence empty;
  pipeline.parse(empty, {}, *pipeline.make_workspace());
  EXPECT_EQ(empty.size(), 0);

  std::vector<Pipeline::Stage> plain;
  plain.push_back({"tagger", std::make_unique<LengthTagger>()});  // has no k-best lists
  plain.push_back({"parser", std::make_unique<FlatParser>()});
  EXPECT_FALSE(Pipeline::can_choose_tags(plain));
  EXPECT_THROW(Pipeline(std::move(plain), {2, 1}), Error);
  std::vector<Pipeline::Stage> alone;
  alone.push_back({"parser", std::make_unique<FlatParser>()});
  EXPECT_THROW(Pipeline(std::move(alone), {2, 1}), Error);
}

TEST(Pipeline, TaggingsFarBehindAreNotTried) {
  UnsureTagger tagger;
  tagger.scores.back() = -10;
  const FlatParser parser;
  const auto memory = parser.make_workspace();
  EXPECT_EQ(tagged_analyses(tagger, *memory, parser, *memory, two_words(), 3).size(), 2u);
}

}  // namespace
}  // namespace espalier
