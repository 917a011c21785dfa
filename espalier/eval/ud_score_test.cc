// The CoNLL 2018 metrics: alignments and scores counted by hand, and identity on random segmentations.
#include "espalier/eval/ud_score.h"

#include <gtest/gtest.h>

#include "espalier/base/rng.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using testing::dependencies;

UdScore score(const Sentence& gold, const Sentence& system) {
  const std::vector<Sentence> golds = {gold}, systems = {system};
  return score_ud(golds, systems);
}

TEST(WordAlignment, MultiwordTokensAndSplits) {
  struct Case {
    const char *gold, *system;
    long aligned;
  };
  const Case cases[] = {
      {"one two three", "one two three", 3},
      {"xy=2/x y", "x y", 2},
      {"p xy=2/x y q", "p x y q", 4},
      {"wxyz=4/w x y z", "wx=2/w x yz=2/y z", 4},
      {"wxy=3/w x y zz=2/z z", "w xyz=3/x y z z", 5},  // overlapping tokens make one stretch of text
      {"wxyz", "w x y z", 0},
      {"wx y", "w x y", 1},
      {"p xy=2/x y q", "p x yq", 2},      // yq sticks out of the stretch
      {"du=2/de le chat", "du chat", 1},  // other forms in the stretch
      {"xy=2/X Y", "x y", 2},             // case is ignored in the stretch
      {"ab=2/a b", "ab=2/b a", 1},        // a subsequence, not a set
      {"σΣ=2/Σ σ", "σΣ=2/σ Σ", 2},        // lower case as Unicode has it
      {"", "", 0},
  };
  for (const Case& c : cases)
    EXPECT_EQ(score(dependencies(c.gold), dependencies(c.system)).words.correct, c.aligned)
        << c.gold << " | " << c.system;
}

TEST(WordAlignment, SpacesInsideWordsDoNotCount) {
  Sentence gold = dependencies("10000 km"), system = gold;
  gold.word(1).form = "10\u00a0000";
  system.word(1).form = "10 000";
  EXPECT_EQ(score(gold, system).words, (Overlap{2, 2, 2}));
}

TEST(WordAlignment, LineOfAWordCountsCommentsAndOtherLines) {
  Sentence sentence = dependencies("ab=2/a b c");
  sentence.line = 10;
  sentence.comments = {"# sent_id = 1", "# text = abc"};
  EXPECT_EQ(line_of_word(sentence, 1), 13) << "after two comments and the line 1-2";
  EXPECT_EQ(line_of_word(sentence, 3), 15);
}

TEST(UdScore, SentencesAndTokensAreSpansOfText) {
  const std::vector<Sentence> gold = {dependencies("a/X/0/root b/X/1/dep"), dependencies("cd/X/0/root")};
  const std::vector<Sentence> system = {dependencies("a/X/0/root"), dependencies("b/X/0/root"), dependencies("c d")};
  const UdScore result = score_ud(gold, system);
  EXPECT_EQ(result.sentences, (Overlap{1, 2, 3}));  // the last
  EXPECT_EQ(result.tokens, (Overlap{2, 3, 4}));
  EXPECT_EQ(result.words, (Overlap{2, 3, 4}));
  EXPECT_EQ(result.uas, (Overlap{1, 3, 4})) << "a; b hangs on the root instead of a";
  EXPECT_DOUBLE_EQ(result.uas.precision(), 25);
  EXPECT_DOUBLE_EQ(result.uas.recall(), 100.0 / 3);
  EXPECT_DOUBLE_EQ(result.uas.f1(), 100 * 2.0 / 7);
}

TEST(UdScore, AHeadThatIsNotAlignedIsNeitherRightNorTheRoot) {
  const auto gold = dependencies("ab/X/0/root c/X/1/obj");
  const auto system = dependencies("a/X/0/root b/X/1/dep c/X/1/obj");
  EXPECT_EQ(score(gold, system).uas, (Overlap{0, 2, 3}));
  EXPECT_EQ(score(system, gold).uas, (Overlap{0, 3, 2}));
  EXPECT_EQ(score(dependencies("ab/X/2/dep c/X/0/root"), system).uas.correct, 0);
}

// "The dogs have barked loudly ." with tags, features and lemmas.
Sentence barking() {
  Sentence sentence = dependencies(
      "The/DET/2/det dogs/NOUN/4/nsubj have/AUX/4/aux barked/VERB/0/root loudly/ADV/4/advmod:manner ./PUNCT/4/punct");
  const std::string lemmas[] = {"the", "dog", "have", "bark", "_", "."};
  const std::string features[] = {"Definite=Def|PronType=Art", "Number=Plur", "_",
                                  "Tense=Past|VerbForm=Part",  "_",           "_"};
  for (int i = 1; i <= 6; ++i) {
    sentence.word(i).lemma = lemmas[i - 1];
    sentence.word(i).feats = features[i - 1];
    sentence.word(i).xpos = std::string(1, 'T');
  }
  return sentence;
}

TEST(UdScore, ContentWordsOnlyInClasMlasBlex) {
  const UdScore same = score(barking(), barking());
  EXPECT_EQ(same.las, (Overlap{6, 6, 6}));
  EXPECT_EQ(same.clas, (Overlap{3, 3, 3}));  // dogs, barked, loudly
  EXPECT_EQ(same.mlas, (Overlap{3, 3, 3}));
  EXPECT_EQ(same.blex, (Overlap{3, 3, 3}));

  Sentence found = barking();
  found.word(5).deprel = "advmod";  // subtypes do not matter here, they do in las_full
  EXPECT_EQ(score(barking(), found).las.correct, 6);
  EXPECT_EQ(score(barking(), found).las_full.correct, 5);
  found.word(1).deprel = "amod";  // a system content word more
  EXPECT_EQ(score(barking(), found).clas, (Overlap{3, 3, 4}));
  EXPECT_EQ(score(barking(), found).mlas, (Overlap{2, 3, 4})) << "dogs lost its determiner";
}

TEST(UdScore, MlasLooksAtFunctionWords) {
  Sentence found = barking();
  found.word(3).upos = "VERB";  // have: tag of a function word of barked
  EXPECT_EQ(score(barking(), found).mlas.correct, 2);
  EXPECT_EQ(score(barking(), found).clas.correct, 3);
  found = barking();
  found.word(1).feats = "PronType=Art|Definite=Def";  // order does not matter
  EXPECT_EQ(score(barking(), found).mlas.correct, 3);
  found.word(1).feats = "Definite=Def|PronType=Art|Typo=Yes";  // nor do features that are not universal
  EXPECT_EQ(score(barking(), found).mlas.correct, 3);
  EXPECT_EQ(score(barking(), found).ufeats.correct, 6);
  found.word(1).feats = "Definite=Def";
  EXPECT_EQ(score(barking(), found).mlas.correct, 2);
  found = barking();
  found.word(3).head = 2;  // have moves from barked to dogs: both lists change
  EXPECT_EQ(score(barking(), found).mlas.correct, 1);
}

TEST(UdScore, Lemmas) {
  Sentence found = barking();
  found.word(4).lemma = "barken";
  found.word(5).lemma = "loud";  // gold does not say: anything is right
  EXPECT_EQ(score(barking(), found).lemmas.correct, 5);
  EXPECT_EQ(score(barking(), found).blex.correct, 2);
  EXPECT_EQ(score(barking(), found).mlas.correct, 3);
}

TEST(UdScore, TagsAndPunctuation) {
  Sentence found = barking();
  found.word(2).xpos = "U";
  found.word(3).upos = "VERB";
  found.word(6).upos = "SYM";
  found.word(6).head = 2;
  const UdScore result = score(barking(), found);
  EXPECT_EQ(result.upos.correct, 4);
  EXPECT_EQ(result.xpos.correct, 5);
  EXPECT_EQ(result.alltags.correct, 3);
  EXPECT_EQ(result.uas.correct, 5);
  EXPECT_EQ(result.uas_nopunct, (Overlap{5, 5, 5})) << "gold decides what is punctuation";
}

TEST(UdScore, StrangeTreesAreScoredAsTheyAre) {
  EXPECT_EQ(score(dependencies("a/X/2/dep b/X/1/dep"), dependencies("a/X/2/dep b/X/1/dep")).uas.correct, 2) << "cycle";
  EXPECT_EQ(score(dependencies("a/X/0/root b/X/1/dep"), dependencies("a b")).uas.correct, 0) << "no heads";
  EXPECT_EQ(score(dependencies("a b"), dependencies("a b")).uas.correct, 0);
  EXPECT_EQ(score(dependencies("a/X/99/dep"), dependencies("a/X/99/dep")).uas.correct, 0) << "out of range";
  EXPECT_EQ(score(Sentence{}, Sentence{}).las, Overlap{});
}

TEST(UdScore, AnyTextAlignsWithItself) {
  Rng rng(7, "segmentations");
  for (int round = 0; round < 200; ++round) {
    Sentence sentence;
    const int words = 1 + static_cast<int>(rng.below(12));
    for (int i = 0; i < words; ++i) {
      sentence.tokens.push_back({});
      sentence.tokens.back().form = std::string(1 + rng.below(3), static_cast<char>('a' + rng.below(3)));
      sentence.tokens.back().head = static_cast<int>(rng.below(static_cast<size_t>(words) + 1));
    }
    for (int i = 0; i < words;) {
      const int size = 1 + static_cast<int>(rng.below(3));
      if (size > 1 && i + size <= words)
        sentence.extra.push_back({i, std::to_string(i + 1) + "-" + std::to_string(i + size) + "\tab\t_"});
      i += size;
    }
    const UdScore result = score(sentence, sentence);
    EXPECT_EQ(result.words.correct, words);
    EXPECT_EQ(result.uas.correct, words);
    EXPECT_EQ(result.tokens.correct, result.tokens.gold);
  }
}

}  // namespace
}  // namespace espalier
