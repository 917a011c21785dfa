#include "espalier/tools/noun_chunks.h"

#include <gtest/gtest.h>

#include <string>

#include "espalier/base/rng.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

/// The chunks' words, between brackets.
std::string chunks(const std::string& tree) {
  const Sentence sentence = testing::dependencies(tree);
  std::string text;
  for (const NounChunk& chunk : noun_chunks(sentence)) {
    EXPECT_LE(chunk.first, chunk.head);
    EXPECT_GE(chunk.last, chunk.head);
    text += '[';
    for (int word = chunk.first; word <= chunk.last; ++word)
      text += (word > chunk.first ? " " : "") + sentence.word(word).form;
    text += ']';
  }
  return text;
}

TEST(NounChunks, EnglishPhrases) {
  EXPECT_EQ(chunks("My/PRON/3/nmod:poss very_old/ADJ/3/amod neighbour/NOUN/4/nsubj sold/VERB/0/root "
                   "the/DET/6/det house/NOUN/4/obj with/ADP/10/case the/DET/10/det red/ADJ/10/amod roof/NOUN/6/nmod"),
            "[My very_old neighbour][the house][the red roof]");
  EXPECT_EQ(chunks("Anna/PROPN/3/nmod:poss 's/PART/1/case cats/NOUN/6/nsubj and/CCONJ/5/cc dogs/NOUN/3/conj "
                   "sleep/VERB/0/root"),
            "[Anna 's cats][dogs]");
  // A possessor with a phrase of its own, before the head; a copula and an adverb outside.
  EXPECT_EQ(chunks("the/DET/2/det man/NOUN/6/nmod:poss in/ADP/4/case Bonn/PROPN/2/nmod 's/PART/2/case dog/NOUN/0/root"),
            "[the man in Bonn 's dog]");
  EXPECT_EQ(chunks("She/PRON/5/nsubj is/AUX/5/cop also/ADV/5/advmod a/DET/5/det teacher/NOUN/0/root ./PUNCT/5/punct"),
            "[She][a teacher]");
  EXPECT_EQ(chunks("a/DET/2/det man/NOUN/0/root proud/ADJ/2/amod of/ADP/6/case his/PRON/6/nmod:poss son/NOUN/3/obl"),
            "[a man proud][his son]");
  EXPECT_EQ(chunks("the/DET/2/det man/NOUN/5/nsubj who/PRON/4/nsubj left/VERB/2/acl:relcl sings/VERB/0/root"),
            "[the man][who]");
  // An expletive is no phrase; commas and quotes only count between words of a chunk.
  EXPECT_EQ(chunks("It/PRON/2/expl rained/VERB/0/root"), "");
  EXPECT_EQ(chunks("``/PUNCT/5/punct big/ADJ/5/amod ,/PUNCT/4/punct old/ADJ/2/conj cat/NOUN/0/root ''/PUNCT/5/punct"),
            "[big , old cat]");
}

TEST(NounChunks, OtherLanguages) {
  // German: what stands between determiner and noun; Spanish: adjectives behind; Japanese: particles outside.
  EXPECT_EQ(chunks("die/DET/5/det von/ADP/3/case ihm/PRON/4/obl gelesenen/ADJ/5/amod Bücher/NOUN/0/root"),
            "[die von ihm gelesenen Bücher]");
  EXPECT_EQ(chunks("la/DET/2/det casa/NOUN/0/root blanca/ADJ/2/amod y/CCONJ/5/cc grande/ADJ/3/conj de/ADP/7/case "
                   "Ana/PROPN/2/nmod"),
            "[la casa blanca y grande][Ana]");
  EXPECT_EQ(chunks("私/PRON/3/nmod の/ADP/1/case 猫/NOUN/5/nsubj が/ADP/3/case 寝る/VERB/0/root"), "[私][猫]");
  EXPECT_EQ(chunks("三/NUM/3/nummod 本/NOUN/1/clf 书/NOUN/0/root"), "[三 本 书]");
  // A possessor behind its adposition is a phrase of its own.
  EXPECT_EQ(chunks("ha/DET/2/det bayit/NOUN/0/root shel/ADP/4/case Dani/PROPN/2/nmod:poss"), "[ha bayit][Dani]");
}

TEST(NounChunks, WithoutTreesOrTagsThereAreNone) {
  EXPECT_EQ(chunks(""), "");
  EXPECT_EQ(chunks("cats/NOUN sleep/VERB"), "");
  EXPECT_EQ(chunks("cats/_/2/nsubj sleep/_/0/root"), "");
  EXPECT_EQ(chunks("a/NOUN/2/nmod b/NOUN/1/nmod"), "");  // a circle hangs on no root
}

TEST(NounChunks, OfAnyTreeTheyAreApartAndHaveTheirHeads) {
  const std::vector<std::string> tags = {"NOUN", "PROPN", "PRON", "ADJ", "VERB", "PUNCT"};
  const std::vector<std::string> relations = {"nsubj", "obj",  "nmod", "nmod:poss", "amod", "det",
                                              "conj",  "case", "acl",  "punct",     "flat", "compound"};
  Rng rng(7, "noun chunks");
  size_t found = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    Sentence sentence;
    const int n = 1 + static_cast<int>(rng.below(9));
    for (int i = 1; i <= n; ++i) {
      Token& word = sentence.tokens.emplace_back();
      word.form = "w";
      word.upos = tags[rng.below(tags.size())];
      word.deprel = relations[rng.below(relations.size())];
      word.head = static_cast<int>(rng.below(static_cast<uint64_t>(n) + 1));  // also what is no tree
    }
    int end = 0;
    for (const NounChunk& chunk : noun_chunks(sentence)) {
      ASSERT_GT(chunk.first, end);
      ASSERT_LE(chunk.last, n);
      ASSERT_TRUE(chunk.first <= chunk.head && chunk.head <= chunk.last);
      const std::string& tag = sentence.word(chunk.head).upos;
      ASSERT_TRUE(tag == "NOUN" || tag == "PROPN" || tag == "PRON");
      // Every other word of it hangs, in the end, on its head.
      for (int word = chunk.first; word <= chunk.last; ++word) {
        int up = word;
        for (int steps = 0; up > 0 && up != chunk.head && steps <= n; ++steps) up = sentence.word(up).head;
        ASSERT_EQ(up, chunk.head);
      }
      end = chunk.last;
      ++found;
    }
  }
  EXPECT_GT(found, 2000u);
}

}  // namespace
}  // namespace espalier
