// The tagger from end to end on invented sentences: learning, saving, loading, odd input.
#include "espalier/learn/tag/tagger_trainer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/base/rng.h"
#include "espalier/format/brackets.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"
#include "tests/test_trees.h"
#include "tests/toy_clusters.h"
#include "tests/training.h"

namespace espalier {
namespace {

struct Word {
  const char *form, *upos, *xpos, *feats;
};

/// "the dog can fish", "a can rusts", ...: `can` and `fish` need their neighbours.
std::vector<Sentence> toy_treebank(int sentences) {
  constexpr Word kArticles[] = {{"the", "DET", "DT", "Definite=Def"}, {"a", "DET", "DT", "Definite=Ind"}};
  constexpr Word kNouns[] = {{"dog", "NOUN", "NN", "Number=Sing"},
                             {"dogs", "NOUN", "NNS", "Number=Plur"},
                             {"can", "NOUN", "NN", "Number=Sing"},
                             {"cans", "NOUN", "NNS", "Number=Plur"},
                             {"fish", "NOUN", "NN", "Number=Sing"}};
  constexpr Word kCan{"can", "AUX", "MD", "VerbForm=Fin"};
  constexpr Word kInfinitives[] = {{"fish", "VERB", "VB", "VerbForm=Inf"}, {"sink", "VERB", "VB", "VerbForm=Inf"}};
  constexpr Word kVerbs[] = {{"barks", "VERB", "VBZ", "Number=Sing|Person=3"},
                             {"rusts", "VERB", "VBZ", "Number=Sing|Person=3"}};
  Rng rng(7, "toy");
  std::vector<Sentence> treebank(static_cast<size_t>(sentences));
  for (Sentence& sentence : treebank) {
    const auto add = [&](const Word& word) {
      Token& token = sentence.tokens.emplace_back();
      token.form = word.form;
      token.upos = word.upos;
      token.xpos = word.xpos;
      token.feats = word.feats;
    };
    add(kArticles[rng.below(2)]);
    add(kNouns[rng.below(5)]);
    if (rng.below(2)) {
      add(kCan);
      add(kInfinitives[rng.below(2)]);
    } else {
      add(kVerbs[rng.below(2)]);
    }
  }
  return treebank;
}

std::unique_ptr<Parser> train_tagger(const std::vector<Sentence>& treebank, Settings settings = {}) {
  settings.set("recipe", "tagger");
  return train(settings, {treebank, {}}, {}).parser;
}

std::vector<Token> tagged(const Parser& parser, std::vector<std::string> forms) {
  Sentence sentence;
  for (std::string& form : forms) sentence.tokens.emplace_back().form = std::move(form);
  const auto workspace = parser.make_workspace();
  parser.parse(sentence, *workspace);
  return sentence.tokens;
}

int wrong_tags(const Parser& parser, const std::vector<Sentence>& gold) {
  const auto workspace = parser.make_workspace();
  int wrong = 0;
  for (const Sentence& sentence : gold) {
    Sentence copy = sentence;
    for (Token& token : copy.tokens) token.upos = token.xpos = token.feats = "_";
    parser.parse(copy, *workspace);
    for (size_t i = 0; i < copy.tokens.size(); ++i) wrong += copy.tokens[i] != sentence.tokens[i];
  }
  return wrong;
}

TEST(Tagger, LearnsWhatItsNeighboursTell) {
  const auto treebank = toy_treebank(200);
  const auto parser = train_tagger(treebank);
  EXPECT_EQ(wrong_tags(*parser, treebank), 0);
  EXPECT_EQ(parser->about().predicts, std::vector<std::string>{"tags"});
}

TEST(Tagger, UnknownWordsAreTaggedByTheirLook) {
  const auto parser = train_tagger(toy_treebank(200));
  const auto words = tagged(*parser, {"the", "zoms", "can", "wink"});
  EXPECT_EQ(words[1].upos, "NOUN");
  EXPECT_EQ(words[2].upos, "AUX");
  EXPECT_EQ(words[3].upos, "VERB");
}

TEST(Tagger, UnknownWordsAreTaggedByTheirClass) {
  // Nouns and verbs of one look and without neighbours: only the class tells what unknown ones are.
  std::string lines;
  std::vector<Sentence> treebank;
  for (char letter = 'a'; letter <= 'l'; ++letter) {
    const bool noun = letter % 2 == 0;
    const std::string form{'z', letter, 'z'};
    lines += std::string(noun ? "0010" : "01") + "\t" + form + "\t7\n";
    for (int copy = 0; copy < 5 && letter < 'k'; ++copy) {
      Token& token = treebank.emplace_back().tokens.emplace_back();
      token.form = form;
      token.upos = noun ? "NOUN" : "VERB";
    }
  }
  const TemporaryFolder folder;
  const std::string file = folder / "clusters.txt";
  write_file(file, lines);
  const Settings with_classes = settings({("clusters=" + file).c_str()});
  const auto parser = train_tagger(treebank, with_classes);
  write_file(file, "");  // the model has what it needs
  EXPECT_THROW(train_tagger(treebank, with_classes), Error);
  const auto loaded = load_parser(ModelFile::from_bytes(file_of(*parser), "toy.esp"));
  EXPECT_EQ(file_of(*loaded), file_of(*parser));
  for (const auto* model : {parser.get(), loaded.get()}) {
    EXPECT_EQ(wrong_tags(*model, treebank), 0);
    EXPECT_EQ(tagged(*model, {"zlz"})[0].upos, "NOUN");
    EXPECT_EQ(tagged(*model, {"zkz"})[0].upos, "VERB");
  }
}

TEST(Tagger, DamagedClassesAreFound) {
  const auto parser = train_tagger(toy_treebank(50), settings({("clusters=" + toy_clusters()).c_str()}));
  for (const auto& [section, bytes] : {std::pair("cluster_words", std::string(4, 'x')),
                                       {"cluster_sizes", std::string(4, '\xff')},
                                       {"cluster_paths", std::string("0\n1\n")}}) {
    const auto good = ModelFile::from_bytes(file_of(*parser), "toy.esp");
    ModelWriter forged;
    forged.metadata = good->metadata();
    for (const auto& [name, length] : good->sections()) {
      const auto old = good->section(name);
      if (name != "metadata")
        forged.add(name, name == section ? bytes : std::string(reinterpret_cast<const char*>(old.data()), old.size()));
    }
    EXPECT_THROW(load_parser(ModelFile::from_bytes(forged.to_bytes(), "toy.esp")), Error) << section;
  }
}

TEST(Tagger, SavedAndLoadedIsTheSame) {
  const auto treebank = toy_treebank(100);
  const auto parser = train_tagger(treebank);
  const auto file = ModelFile::from_bytes(file_of(*parser), "toy.esp");
  const auto loaded = load_parser(file);
  EXPECT_EQ(loaded->about().kind, "tagger");
  EXPECT_EQ(file_of(*loaded), file_of(*parser));
  EXPECT_EQ(wrong_tags(*loaded, treebank), wrong_tags(*parser, treebank));
  Settings unknown;
  unknown.set("bean", "4");
  EXPECT_THROW(load_parser(file, unknown), Error);
}

TEST(Tagger, SameDataSameBytes) {
  const auto treebank = toy_treebank(60);
  EXPECT_EQ(file_of(*train_tagger(treebank)), file_of(*train_tagger(treebank)));
}

TEST(Tagger, ManyTagsAreDecidedUposFirst) {
  const auto treebank = toy_treebank(200);
  Settings few;
  few.set("columns", "16");
  const auto parser = train_tagger(treebank, few);
  EXPECT_EQ(wrong_tags(*parser, treebank), 0);
  // Every noun a tag of its own, many times over: more pairs of UPOS and XPOS than columns.
  auto fine = treebank;
  for (int copy = 0; copy < 20; ++copy) {
    for (Sentence sentence : toy_treebank(15)) {
      for (Token& token : sentence.tokens) {
        if (token.upos != "NOUN") continue;
        token.form += std::to_string(copy);
        token.xpos += std::to_string(copy);
      }
      fine.push_back(sentence);
    }
  }
  const auto careful = train_tagger(fine, few);
  EXPECT_LT(wrong_tags(*careful, fine), 20);
  EXPECT_EQ(tagged(*careful, {"the", "dog12", "barks"})[1].xpos, "NN12");
}

TEST(Tagger, ColumnsThatTheDataLackAreLeftAlone) {
  auto treebank = toy_treebank(50);
  for (Sentence& sentence : treebank)
    for (Token& token : sentence.tokens) token.xpos = token.feats = "_";
  const auto parser = train_tagger(treebank);
  Sentence sentence = treebank[0];
  sentence.tokens[0].xpos = "kept";
  sentence.tokens[0].feats = "Kept=Yes";
  parser->parse(sentence, *parser->make_workspace());
  EXPECT_EQ(sentence.tokens[0].upos, "DET");
  EXPECT_EQ(sentence.tokens[0].xpos, "kept");
  EXPECT_EQ(sentence.tokens[0].feats, "Kept=Yes");

  treebank = toy_treebank(50);
  for (Sentence& tagged : treebank)
    for (Token& token : tagged.tokens) token.upos = "_";
  sentence = toy_treebank(1)[0];
  sentence.tokens[0].upos = "kept";
  const auto other = train_tagger(treebank);
  other->parse(sentence, *other->make_workspace());
  EXPECT_EQ(sentence.tokens[0].upos, "kept");
  EXPECT_EQ(sentence.tokens[0].xpos, "DT");
}

TEST(Tagger, TheTagsOfATreeAreItsPreterminals) {
  const auto parser = train_tagger(toy_treebank(50));
  Sentence sentence = testing::constituents("(S (NP (? the) (? dog)) (VP (? barks)))");
  parser->parse(sentence, *parser->make_workspace());
  std::string brackets;
  append_brackets(sentence, brackets);
  EXPECT_EQ(brackets, "(S (NP (DT the) (NN dog)) (VP (VBZ barks)))");
}

TEST(Tagger, TaggingsAreADistribution) {
  const auto parser = train_tagger(toy_treebank(50));
  const auto workspace = parser->make_workspace();
  Sentence sentence;
  for (const char* form : {"a", "can"}) sentence.tokens.emplace_back().form = form;
  // Six classes: a beam of 36 holds every tagging of two words.
  const auto all = kbest(*parser, sentence, 1000, *workspace);
  ASSERT_EQ(all.size(), 36u);
  double probability = 0;
  std::set<std::vector<std::string>> different;
  for (const Candidate& one : all) {
    probability += std::exp(one.score);
    different.insert(one.analysis.xpos);
  }
  EXPECT_NEAR(probability, 1, 1e-4);
  EXPECT_EQ(different.size(), all.size());
  EXPECT_TRUE(std::ranges::is_sorted(all, std::greater{}, &Candidate::score));

  // The only one of a beam of one is what `parse` writes; another one is written as it says.
  Sentence greedy = sentence, best = sentence, second = sentence;
  parser->parse(greedy, *workspace);
  annotate(best, kbest(*parser, sentence, 1, *workspace).at(0).analysis);
  annotate(second, all[1].analysis);
  EXPECT_EQ(best.tokens, greedy.tokens);
  EXPECT_NE(second.tokens, greedy.tokens);
  EXPECT_EQ(kbest(*parser, {}, 3, *workspace).size(), 1u);
}

TEST(Tagger, OddSentences) {
  const auto parser = train_tagger(toy_treebank(50));
  EXPECT_TRUE(tagged(*parser, {}).empty());
  EXPECT_EQ(tagged(*parser, {""}).size(), 1u);
  EXPECT_EQ(tagged(*parser, {"\xff\xfe", "caf\xc3\xa9", "\xe7\x8a\xac", std::string(100000, 'x')}).size(), 4u);
  std::vector<std::string> forms(10000, "dog");
  for (size_t i = 0; i < forms.size(); i += 2) forms[i] = "the";
  const auto words = tagged(*parser, forms);
  EXPECT_EQ(words[0].upos, "DET");
  EXPECT_EQ(words[9999].upos, "NOUN");
}

TEST(Tagger, NothingToLearnFrom) {
  EXPECT_THROW(train_tagger({}), Error);
  EXPECT_THROW(train_tagger({Sentence()}), Error);
}

}  // namespace
}  // namespace espalier
