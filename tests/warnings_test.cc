// What is odd about data is said, once and with what to do; and nothing is said about data that are as they should be.
#include <gtest/gtest.h>

#include <fstream>

#include "espalier/app/files.h"
#include "espalier/app/train.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"

namespace espalier {
namespace {

class Warnings : public ::testing::Test {
 protected:
  std::string write(const std::string& name, const std::vector<Sentence>& sentences) {
    write_file(folder_ / name, write_text(sentences, "conllu"));
    return folder_ / name;
  }
  std::string text(const std::string& name, const std::string& bytes) {
    write_file(folder_ / name, bytes);
    return folder_ / name;
  }
  Message collect() {
    said_.clear();
    return [this](const std::string& text) { said_.push_back(text); };
  }
  /// How many of the messages hold this text.
  long count(const std::string& part) const {
    return std::ranges::count_if(said_, [&](const std::string& text) { return text.find(part) != text.npos; });
  }
  void train(const std::string& recipe, const std::string& train, const std::string& dev,
             std::vector<std::string> settings = {"epochs=1"}) {
    TrainFiles request;
    request.recipe = recipe;
    request.settings = std::move(settings);
    request.train = {train};
    request.dev = dev;
    request.model = model();
    request.message = collect();
    train_files(request);
  }
  void parse(std::vector<std::string> inputs, const std::string& output = "out.conllu",
             const std::string& language = "", const std::string& encoding = "") {
    ParseFiles request;
    request.inputs = std::move(inputs);
    request.output = folder_ / output;
    request.parse.language = language;
    request.encoding = encoding;
    request.message = collect();
    parse_files(Model(model()), request);
  }
  void convert(const std::string& input, const std::string& output, const std::string& language = "en") {
    ConvertFile request;
    request.input = input;
    request.output = folder_ / output;
    request.language = language;
    request.message = collect();
    convert_file(request);
  }
  std::string model() const { return folder_ / "m.esp"; }

  TemporaryFolder folder_;
  std::vector<std::string> said_;
};

std::vector<Sentence> untagged(std::vector<Sentence> sentences) {
  for (Sentence& sentence : sentences)
    for (Token& token : sentence.tokens) token.upos = "_";
  return sentences;
}

TEST_F(Warnings, NothingIsSaidAboutGoodData) {
  train("greedy", write("train.conllu", toy_treebank(40, 1)), write("dev.conllu", toy_treebank(10, 2)));
  EXPECT_TRUE(said_.empty()) << said_[0];
  parse({folder_ / "dev.conllu"});
  EXPECT_TRUE(said_.empty()) << said_[0];
  convert(folder_ / "dev.conllu", "dev.json");
  EXPECT_TRUE(said_.empty()) << said_[0];
  convert(text("a.txt", "A caf\xC3\xA9.\n"), "a.conllx");
  EXPECT_TRUE(said_.empty()) << said_[0];
}

TEST_F(Warnings, UntaggedInputOfAParserThatNeedsTags) {
  const std::string tagged = write("train.conllu", toy_treebank(40, 1));
  const std::string words = write("words.conllu", untagged(toy_treebank(10, 3)));
  train("greedy", tagged, "");
  parse({words, words});
  EXPECT_EQ(count("no tags"), 1);
  EXPECT_EQ(count("words.conllu:1: no tags"), 1);
  parse({text("a.txt", "A dog sees.\n\nOh no.\n")});
  EXPECT_EQ(count("no tags"), 1);
  train("tagger", tagged, "");
  parse({words});
  EXPECT_EQ(count("no tags"), 0) << "it brings them";
  train("pipeline", tagged, "", {"tagger.recipe=tagger", "parser.recipe=greedy", "tokenizer.bits=10"});
  parse({words});
  EXPECT_EQ(count("no tags"), 0) << "it brings them";
  train("greedy", words, "");
  EXPECT_EQ(count("the training data have no tags"), 1);
  parse({words});
  EXPECT_EQ(count("no tags"), 0) << "it has never seen any";
}

TEST_F(Warnings, TrainAndDev) {
  auto dev = toy_treebank(10, 2);
  dev[0].tokens.back().deprel = "odd";
  dev[1].tokens.back().deprel = "odd";
  dev[1].tokens.back().upos = "SYM";
  const std::string file = write("train.conllu", toy_treebank(40, 1));
  train("greedy", file, write("dev.conllu", dev));
  EXPECT_EQ(count("dev has 1 relation that train lacks (odd), on 2 of"), 1);
  EXPECT_EQ(count("dev has 1 tag that train lacks (SYM), on 1 of"), 1);
  EXPECT_EQ(count("the same"), 0);
  train("greedy", file, write("copy.conllu", toy_treebank(40, 1)));
  EXPECT_EQ(count("train and dev are the same (train.conllu)"), 1);
  EXPECT_EQ(said_.size(), 1u);
}

TEST_F(Warnings, LearnersThatDiverge) {
  const std::string file = write("train.conllu", toy_treebank(40, 1));
  for (const std::string learner : {"adaptive", "sgd", "ftrl", "nn", "nn+ftrl", "pa"}) {
    train("l2s", file, "", {"learner=" + learner, "bits=12", "epochs=2"});
    EXPECT_TRUE(said_.empty()) << said_[0];
  }
  train("l2s", file, "", {"learner=nn+ftrl", "bits=12", "epochs=2", "ftrl_alpha=100"});
  EXPECT_EQ(count("learner=nn+ftrl ftrl_alpha=100: "), 1);
  train("l2s", file, "", {"learner=sgd", "bits=12", "epochs=2", "rate=50"});
  EXPECT_EQ(count("learner=sgd rate=50: "), 1);
}

TEST_F(Warnings, FoldedRelations) {
  auto many = toy_treebank(60, 1);
  for (size_t i = 0; i < many.size(); ++i) many[i].tokens.back().deprel = "dep" + std::to_string(i % 30);
  const std::string file = write("train.conllu", many);
  train("greedy", file, "", {"epochs=1", "columns=16"});
  EXPECT_EQ(count("rare relations are folded into more frequent ones"), 1);
  train("greedy", file, "", {"epochs=1", "columns=64"});
  EXPECT_EQ(count("rare relations"), 0);
}

TEST_F(Warnings, TextThatIsNoText) {
  const std::string odd = text("odd.txt", std::string("A dog.\n\nCaf\xE9 noir\xE9, na\0\xC3\xAFve.\n", 29));
  train("greedy", write("train.conllu", toy_treebank(40, 1)), "");
  parse({odd});
  EXPECT_EQ(count("odd.txt:3: not UTF-8, or NUL: 3 characters were replaced"), 1);
  EXPECT_NE(read_file(folder_ / "out.conllu").find("noir\xEF\xBF\xBD"), std::string::npos) << "the words are not lost";
  convert(odd, "odd.conllu");
  EXPECT_EQ(count("3 characters were replaced"), 1);
  train("tokenizer", folder_ / "train.conllu", "", {"epochs=1", "bits=10"});
  parse({odd});
  EXPECT_EQ(count("3 characters were replaced"), 1);
}

TEST_F(Warnings, TextInAnotherEncoding) {
  train("greedy", write("train.conllu", toy_treebank(40, 1)), "");
  const std::string latin = text("latin.txt", "Caf\xE9 noir\xE9.\n"),
                    wide = text("wide.txt", std::string("\xFF\xFE"
                                                        "A\0 \0d\0o\0g\0.\0\n\0",
                                                        16));
  for (const auto& [file, name, words] :
       {std::tuple(latin, "ISO-8859-1", "\tnoir\u00e9\t"), std::tuple(wide, "utf-16", "\tdog\t")}) {
    try {
      parse({file});
      FAIL() << file;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kData);
      EXPECT_NE(std::string(error.what()).find(std::string(":1: this is no UTF-8, it looks like ") + name),
                std::string::npos)
          << error.what();
    }
    parse({file}, "out.conllu", "", name);
    EXPECT_NE(read_file(folder_ / "out.conllu").find(words), std::string::npos) << words;
  }
  parse({latin}, "out.conllu", "", "utf-8");
  EXPECT_EQ(count("2 characters were replaced"), 1);
  EXPECT_THROW(parse({latin}, "out.conllu", "", "klingon"), Error);
}

TEST_F(Warnings, LanguagesThatNobodyKnows) {
  const std::string file = text("a.txt", "A dog.\n");
  for (const char* known : {"en", "de", "zh-TW", "grc", "hu_HU"}) {
    convert(file, "a.conllu", known);
    EXPECT_EQ(count("no language"), 0) << known;
  }
  convert(file, "a.conllu", "xx");
  EXPECT_EQ(count("'xx' is no language"), 1);
  const std::string treebank = write("train.conllu", toy_treebank(40, 1));
  convert(treebank, "b.json", "xx");
  EXPECT_EQ(count("no language"), 0) << "nothing is cut by rules";
  train("greedy", treebank, "", {"epochs=1", "language=english"});
  EXPECT_EQ(count("'english' is no language"), 1);
  parse({file}, "out.conllu", "de");
  EXPECT_EQ(count("no language"), 0);
  parse({file, file});
  EXPECT_EQ(count("'english' is no language"), 1);
}

TEST_F(Warnings, ObjectivesThatTellNothing) {
  const std::string file = write("train.conllu", toy_treebank(40, 1));
  const auto with = [&](const char* loss) {
    train("beam", file, "", {"epochs=1", "objective.0.data=" + file, std::string("objective.0.loss=") + loss});
    return count("the loss is zero for all trees");
  };
  EXPECT_EQ(with("reorder:en-ja"), 1) << "the words have no places in another language";
  EXPECT_EQ(with("labels:nosuch"), 1);
  EXPECT_EQ(with("parseval"), 1) << "there are no constituents";
  for (const char* loss : {"root", "hamming", "labelled", "labels:nsubj", "arc-length"})
    EXPECT_EQ(with(loss), 0) << loss;
}

TEST_F(Warnings, SentencesWithoutTreesAreNotReordered) {
  auto sentences = toy_treebank(4, 1);
  for (Token& token : sentences[2].tokens) token.head = Token::kNoHead;
  ReorderFile request;
  request.rules = "en-ja";
  request.input = write("a.conllu", sentences);
  request.output = folder_ / "a.txt";
  request.message = collect();
  reorder_file(request);
  EXPECT_EQ(count("1 of 4 sentences have no dependency tree"), 1);
  request.input = write("b.conllu", toy_treebank(4, 1));
  request.message = collect();
  reorder_file(request);
  EXPECT_TRUE(said_.empty());
}

/// A slip of the pen costs nothing of what an interrupted run has kept.
TEST_F(Warnings, WrongSettingsLeaveACheckpointAlone) {
  const std::string file = write("train.conllu", toy_treebank(40, 1));
  text("m.esp.checkpoint", "kept");
  EXPECT_THROW(train("greedy", file, "", {"epohcs=3"}), Error);
  EXPECT_EQ(read_file(folder_ / "m.esp.checkpoint"), "kept");
  EXPECT_TRUE(said_.empty()) << said_[0];
  train("greedy", file, "", {"epochs=1"});
  EXPECT_EQ(count("an interrupted run is discarded"), 1);
}

TEST_F(Warnings, FormatsThatDropWhatThereIs) {
  auto sentences = toy_treebank(3, 1);
  for (Sentence& sentence : sentences) sentence.comments = {"# sent_id = 1"};
  const std::string file = write("train.conllu", sentences);
  convert(file, "a.txt");
  EXPECT_EQ(count("format text has no room for heads, tags, comments"), 1);
  convert(file, "a.conllx");
  EXPECT_EQ(count("format conllx has no room for comments"), 1);
  train("greedy", write("more.conllu", toy_treebank(40, 1)), "");
  parse({file}, "out.txt");
  EXPECT_EQ(count("has no room for heads"), 1);
}

}  // namespace
}  // namespace espalier
