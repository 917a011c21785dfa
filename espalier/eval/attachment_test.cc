// Attachment scores on sentences small enough to count by hand.
#include "espalier/eval/attachment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "espalier/base/error.h"
#include "tests/test_trees.h"

namespace espalier {
namespace {

using testing::dependencies;

const Sentence kGold = dependencies(
    "Flying/VERB/2/amod planes/NOUN/5/nsubj:pass can/AUX/5/aux be/AUX/5/cop dangerous/ADJ/0/root ./PUNCT/5/punct");
// Wrong: Flying (head and label), planes (only the subtype), be (head), "." (tag, head).
const Sentence kFound = dependencies(
    "Flying/VERB/5/csubj planes/NOUN/5/nsubj can/AUX/5/aux be/AUX/3/cop dangerous/ADJ/0/root ./SYM/2/punct");

TEST(Attachment, CountsByHand) {
  const AttachmentScore score = score_attachment(kGold, kFound);
  EXPECT_EQ(score.words, 6);
  EXPECT_EQ(score.uas, (Share{3, 6}));            // planes, can, dangerous
  EXPECT_EQ(score.las, (Share{2, 6}));            // can, dangerous
  EXPECT_EQ(score.las_universal, (Share{3, 6}));  // and planes
  EXPECT_EQ(score.label, (Share{4, 6}));          // can, be, dangerous, "."
  EXPECT_EQ(score.upos, (Share{5, 6}));
  EXPECT_EQ(score.xpos.total, 0);
  EXPECT_TRUE(std::isnan(score.xpos.percent()));
  EXPECT_EQ(score.uem, (Share{0, 1}));
  // Arc lengths 1 3 2 1 5 1; right are planes, can, dangerous.
  EXPECT_EQ(score.arc_length, (Share{10, 13}));
  EXPECT_EQ(score.arc_length_labelled, (Share{7, 13}));
  EXPECT_EQ(score.root_length, (Share{5, 5}));
  EXPECT_DOUBLE_EQ(score.arc_length_sum, 10.0 / 13);
  EXPECT_EQ(score.root, (Overlap{1, 1, 1}));
}

TEST(Attachment, PerfectAnalysis) {
  const AttachmentScore score = score_attachment(kGold, kGold);
  EXPECT_EQ(score.las.percent(), 100);
  EXPECT_EQ(score.lem, (Share{1, 1}));
}

TEST(Attachment, SentencesAddUp) {
  const std::vector<Sentence> gold = {kGold, kGold}, system = {kFound, kGold};
  const AttachmentScore score = score_attachment(gold, system);
  EXPECT_EQ(score.sentences, 2);
  EXPECT_EQ(score.las, (Share{8, 12}));
  EXPECT_EQ(score.uem, (Share{1, 2}));
  EXPECT_EQ(score.root, (Overlap{2, 2, 2}));
  EXPECT_DOUBLE_EQ(score.arc_length_sum, 1 + 10.0 / 13);
}

TEST(Attachment, SeveralRootsInTheSystem) {
  const auto gold = dependencies("a/X/0/root b/X/1/dep c/X/1/dep");
  const auto found = dependencies("a/X/0/root b/X/0/root c/X/0/root");
  EXPECT_EQ(score_attachment(gold, found).root, (Overlap{1, 1, 3}));
  EXPECT_DOUBLE_EQ(score_attachment(gold, found).root.f1(), 50);
}

TEST(Attachment, HeadsThatAreNotThere) {
  const auto unannotated = dependencies("Flying/VERB planes/NOUN can/AUX be/AUX dangerous/ADJ ./PUNCT");
  EXPECT_EQ(score_attachment(kGold, unannotated).uas, (Share{0, 6}));
  EXPECT_EQ(score_attachment(unannotated, kGold).uas, (Share{0, 0}));
  EXPECT_EQ(score_attachment(unannotated, kGold).upos, (Share{6, 6}));
  EXPECT_EQ(score_attachment(kGold, Sentence{}).las, (Share{0, 6}));
  EXPECT_EQ(score_attachment(Sentence{}, Sentence{}).uem, (Share{1, 1})) << "nothing to get wrong";
  const std::vector<Sentence> two = {kGold, kGold}, one = {kGold};
  EXPECT_EQ(score_attachment(two, one).las, (Share{6, 12}));
}

TEST(Punctuation, Conventions) {
  const auto scored = [](const char* form, const char* upos, const char* xpos, const char* label, Punctuation rule) {
    Token token;
    token.form = form;
    token.upos = upos;
    token.xpos = xpos;
    token.deprel = label;
    return is_scored(token, rule);
  };
  EXPECT_TRUE(scored(".", "PUNCT", ".", "punct", Punctuation::kInclude));
  EXPECT_FALSE(scored("word", "PUNCT", "_", "dep", Punctuation::kUpos));
  EXPECT_FALSE(scored("…", "X", "_", "dep", Punctuation::kConllx));
  EXPECT_FALSE(scored("«", "X", "_", "dep", Punctuation::kConllx));
  EXPECT_FALSE(scored("?!", "X", "_", "dep", Punctuation::kConllx));
  EXPECT_FALSE(scored("。", "X", "_", "dep", Punctuation::kConllx));
  EXPECT_TRUE(scored("$", "SYM", "$", "dep", Punctuation::kConllx));
  EXPECT_TRUE(scored("`", "PUNCT", "``", "punct", Punctuation::kConllx)) << "a symbol (Sk) for Unicode";
  EXPECT_TRUE(scored("a.", "X", "_", "dep", Punctuation::kConllx));
  EXPECT_TRUE(scored("\xff", "X", "_", "dep", Punctuation::kConllx)) << "not UTF-8";
  EXPECT_FALSE(scored("\"", "PUNCT", "''", "punct", Punctuation::kPtb));
  EXPECT_FALSE(scored("--", "_", ":", "dep", Punctuation::kPtb));
  EXPECT_FALSE(scored(",", ",", "_", "dep", Punctuation::kPtb)) << "UPOS where there is no XPOS";
  EXPECT_TRUE(scored("(", "PUNCT", "-LRB-", "punct", Punctuation::kPtb));
  EXPECT_FALSE(scored("，", "PU", "PU", "dep", Punctuation::kCtb));
  EXPECT_FALSE(scored(".", "X", "_", "punct", Punctuation::kUd));
  EXPECT_TRUE(scored(".", "PUNCT", ".", "root", Punctuation::kUd));
}

TEST(Punctuation, Names) {
  for (const std::string& name : punctuation_names()) {
    const auto index = static_cast<size_t>(punctuation_named(name));
    EXPECT_EQ(punctuation_names()[index], name);
  }
  EXPECT_EQ(punctuation_named("conllx"), Punctuation::kConllx);
  EXPECT_THROW(punctuation_named("all"), Error);
}

TEST(Punctuation, IsLeftOutByGoldTags) {
  const AttachmentScore score = score_attachment(kGold, kFound, Punctuation::kUpos);
  EXPECT_EQ(score.uas, (Share{3, 5}));
  EXPECT_EQ(score.upos, (Share{5, 6})) << "tags count on every word";
  const auto mark = dependencies("./PUNCT/0/root");
  const auto wrong = dependencies("./X/_/_");
  EXPECT_EQ(score_attachment(mark, wrong, Punctuation::kUpos).lem, (Share{1, 1})) << "no scored word, none wrong";
}

TEST(Breakdown, ByRelationDistanceAndLength) {
  AttachmentBreakdown breakdown;
  breakdown.add(kGold, kFound);
  EXPECT_EQ(breakdown.relations.at("nsubj:pass").arc, (Overlap{0, 1, 0}));
  EXPECT_EQ(breakdown.relations.at("nsubj").arc, (Overlap{0, 0, 1}));
  EXPECT_EQ(breakdown.relations.at("cop").arc, (Overlap{0, 1, 1}));
  EXPECT_EQ(breakdown.relations.at("cop").label, (Overlap{1, 1, 1}));
  EXPECT_EQ(breakdown.relations.at("aux").arc, (Overlap{1, 1, 1}));
  EXPECT_EQ(breakdown.head_by_distance[0], (Overlap{1, 1, 1}));
  EXPECT_EQ(breakdown.head_by_distance[1], (Overlap{0, 3, 1}));  // gold: Flying, be, "."; found: be
  EXPECT_EQ(breakdown.head_by_distance[2], (Overlap{1, 1, 1}));
  EXPECT_EQ(breakdown.head_by_distance[3], (Overlap{1, 1, 3}));  // gold: planes; found: Flying, planes, "."
  EXPECT_EQ(breakdown.arc_by_distance[3], (Overlap{0, 1, 3}));
  EXPECT_EQ(breakdown.las_by_length[0], (Share{2, 6}));
}

TEST(Breakdown, LengthBucketsBeginAtOneElevenAndSoOn) {
  const auto flat = [](int words) {
    Sentence sentence;
    for (int i = 0; i < words; ++i) {
      sentence.tokens.push_back({});
      sentence.tokens.back().head = i;
    }
    return sentence;
  };
  AttachmentBreakdown breakdown;
  for (int words : {0, 1, 10, 11, 50, 51, 500}) breakdown.add(flat(words), flat(words));
  const long expected[] = {11, 11, 0, 0, 50, 551};
  for (int i = 0; i < AttachmentBreakdown::kLengths; ++i) EXPECT_EQ(breakdown.uas_by_length[i].total, expected[i]) << i;
}

}  // namespace
}  // namespace espalier
