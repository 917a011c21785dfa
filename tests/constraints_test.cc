// What sentences say already is kept where a program asks for it: texts, files, long sentences, contradictions.
#include <gtest/gtest.h>

#include <fstream>

#include "espalier/app/files.h"
#include "espalier/app/model.h"
#include "espalier/base/error.h"
#include "espalier/base/file.h"
#include "espalier/learn/trainer.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

const Model& pipeline() {
  static const Model model(std::shared_ptr<const Parser>(
      train(settings({"recipe=pipeline", "tagger.recipe=tagger", "parser.recipe=beam", "parser.beam=4"}),
            {toy_treebank(60, 1), {}}, {})
          .parser));
  return model;
}

/// "dog sees the cat ." with nothing but the words.
Sentence words() {
  Sentence sentence;
  for (const char* form : {"dog", "sees", "the", "cat", "."}) sentence.tokens.emplace_back().form = form;
  return sentence;
}

TEST(Keep, WhatASentenceSaysStays) {
  Sentence sentence = words();
  sentence.word(1).upos = "VERB";
  sentence.word(3).head = 2;
  sentence.word(4).deprel = "obl";
  const Sentence asked = sentence;
  pipeline().parse(sentence, {.keep = {.tags = true, .heads = true}});
  EXPECT_EQ(sentence.word(1).upos, "VERB");
  EXPECT_EQ(sentence.word(3).head, 2);
  EXPECT_EQ(sentence.word(4).deprel, "obl");
  EXPECT_EQ(sentence.word(4).upos, "NOUN");
  EXPECT_EQ(tree_problem(sentence), "");
  for (const Alternative& alternative : pipeline().kbest(asked, 3, {.keep = {.tags = true, .heads = true}}))
    EXPECT_EQ(alternative.analysis.heads[3], 2);

  Sentence overwritten = asked;
  pipeline().parse(overwritten);
  EXPECT_EQ(overwritten.word(1).upos, "NOUN");
  EXPECT_EQ(overwritten.word(3).head, 4);
}

TEST(Keep, ContradictionsAreNamedAndTheRestIsKept) {
  const TemporaryFolder folder;
  std::ofstream(folder / "in.conllu") << "1\tdog\t_\t_\t_\t_\t0\t_\t_\t_\n2\tsees\t_\t_\t_\t_\t0\t_\t_\t_\n"
                                         "3\tthe\t_\t_\t_\t_\t1\t_\t_\t_\n\n";
  std::vector<std::string> messages;
  ParseFiles request;
  request.inputs = {folder / "in.conllu"};
  request.output = folder / "out.conllu";
  request.parse.keep.heads = true;
  request.message = [&](const std::string& message) { messages.push_back(message); };
  EXPECT_EQ(parse_files(pipeline(), request).not_kept, 1u);
  const std::string why = "the given head of token 2 is not kept: a second root (the first is token 1)";
  ASSERT_EQ(messages.size(), 1u);
  EXPECT_EQ(messages[0], folder / "in.conllu" + ":1: " + why);
  const std::string out = read_file(folder / "out.conllu");
  EXPECT_NE(out.find("# parser = " + why), std::string::npos);
  const Sentence parsed = read_text(out, "conllu").at(0);
  EXPECT_EQ(parsed.word(1).head, 0);
  EXPECT_EQ(parsed.word(3).head, 1);
}

TEST(Keep, HeadsStayInSentencesThatAreReadInPieces) {
  const TemporaryFolder folder;
  Sentence sentence;
  for (int i = 0; i < 6; ++i)
    for (const Token& token : words().tokens) sentence.tokens.push_back(token);
  sentence.word(2).head = 17;   // in another piece
  sentence.word(14).head = 13;  // in the same one
  sentence.word(22).head = 0;
  std::ofstream(folder / "in.conllu") << write_text({&sentence, 1}, "conllu");
  ParseFiles request;
  request.inputs = {folder / "in.conllu"};
  request.output = folder / "out.conllu";
  request.parse.keep.heads = true;
  request.parse.max_words = 10;
  parse_files(pipeline(), request);
  const Sentence parsed = read_text(read_file(folder / "out.conllu"), "conllu").at(0);
  EXPECT_EQ(tree_problem(parsed), "");
  EXPECT_EQ(parsed.word(2).head, 17);
  EXPECT_EQ(parsed.word(14).head, 13);
  EXPECT_EQ(parsed.word(22).head, 0);
}

TEST(Keep, OfAColumnThatTheModelLeavesAloneIsAMistake) {
  const Model tagger(
      std::shared_ptr<const Parser>(train(settings({"recipe=tagger"}), {toy_treebank(20, 1), {}}, {}).parser));
  ParseFiles request;
  request.parse.keep.heads = true;
  EXPECT_THROW(parse_files(tagger, request), Error);
}

}  // namespace
}  // namespace espalier
