#include "espalier/learn/combine/committee.h"

#include <gtest/gtest.h>

#include "espalier/learn/combine/vote_weights.h"
#include "espalier/learn/dev_score.h"
#include "espalier/learn/trained.h"
#include "espalier/parser/model_file.h"
#include "tests/temporary_folder.h"
#include "tests/toy_treebank.h"
#include "tests/training.h"

namespace espalier {
namespace {

TrainData committee_data() { return {toy_treebank(60, 1), toy_treebank(30, 2)}; }

/// Members that have not learned enough to agree.
Settings small_committee(std::initializer_list<const char*> more = {}) {
  Settings s = settings({"recipe=committee", "member.0.recipe=beam", "member.0.epochs=1", "member.1.recipe=beam",
                         "member.1.direction=r2l", "member.1.epochs=1", "member.2.recipe=greedy", "member.2.epochs=1",
                         "member.2.seed=7"});
  for (const char* pair : more) s.set_pair(pair);
  return s;
}

std::vector<Sentence> parsed(const Parser& parser, std::vector<Sentence> sentences) {
  const auto workspace = parser.make_workspace();
  for (Sentence& sentence : sentences) parser.parse(sentence, *workspace);
  return sentences;
}

TEST(Committee, OneMemberDecidesAlone) {
  const TrainData data = committee_data();
  for (const char* recipe : {"beam", "greedy", "mst"}) {
    const std::string alone = std::string("recipe=") + recipe, member = "member.0." + alone;
    const auto committee =
        train(settings({"recipe=committee", member.c_str(), "member.0.epochs=1", "weights=equal", "projective=false"}),
              data, {});
    const auto only = train(settings({alone.c_str(), "epochs=1"}), data, {});
    const auto by_committee = parsed(*committee.parser, data.dev), by_member = parsed(*only.parser, data.dev);
    for (size_t i = 0; i < data.dev.size(); ++i) EXPECT_EQ(by_committee[i].tokens, by_member[i].tokens) << recipe;
  }
}

TEST(Committee, MembersMayBeFilesAndTheModelNeedsThemNoMore) {
  const TrainData data = committee_data();
  const TemporaryFolder folder;
  std::string files;
  for (const char* direction : {"l2r", "r2l"}) {
    const std::string file = folder / (std::string(direction) + ".esp"), set = std::string("direction=") + direction;
    save_parser(*train(settings({"recipe=beam", "epochs=1", set.c_str()}), data, {}).parser, {}, file);
    files += file + ",";
  }
  Settings by_file = settings({"recipe=committee"});
  by_file.set("members", files);
  const auto from_files = train(by_file, data, {});
  const auto trained = train(settings({"recipe=committee", "member.0.recipe=beam", "member.0.epochs=1",
                                       "member.1.recipe=beam", "member.1.epochs=1", "member.1.direction=r2l"}),
                             data, {});
  EXPECT_TRUE(bytes_of(*from_files.parser) == bytes_of(*trained.parser));
  const auto file = ModelFile::from_bytes(bytes_of(*trained.parser), "toy");
  const auto loaded = load_part({file, file->metadata(), ""});
  EXPECT_TRUE(bytes_of(*loaded) == bytes_of(*trained.parser));
  EXPECT_EQ(score_on_dev(*loaded, data.dev, 2).details, trained.report.at("dev"));
}

TEST(Committee, FittedRightsAreNeverWorseOnDevThanEqualOnes) {
  const TrainData data = committee_data();
  TrainContext two;
  two.threads = 2;
  const auto fitted = train(small_committee(), data, {}), equal = train(small_committee({"weights=equal"}), data, {});
  EXPECT_GE(fitted.report.at("dev").at("las").get<double>(), equal.report.at("dev").at("las").get<double>());
  EXPECT_TRUE(bytes_of(*fitted.parser) == bytes_of(*train(small_committee(), data, two).parser));
}

TEST(Committee, AMemberThatIsAlwaysRightIsBelieved) {
  const auto gold = toy_treebank(20, 3);
  Opinions opinions(gold.size(), std::vector<std::vector<Candidate>>(3));
  for (size_t i = 0; i < gold.size(); ++i) {
    for (auto& list : opinions[i]) list.resize(1);
    opinions[i][2][0].analysis = dependencies_of(gold[i]);
    // The other two agree on something else: every word hangs on the one before it.
    Analysis chain = dependencies_of(gold[i]);
    for (size_t w = 1; w < chain.heads.size(); ++w) chain.heads[w] = static_cast<int>(w) - 1;
    opinions[i][0][0].analysis = opinions[i][1][0].analysis = chain;
  }
  long words = 0;
  for (const Sentence& sentence : gold) words += sentence.size();
  std::vector<VoteWeight> vote_weights(3);
  EXPECT_LT(right_parts(opinions, gold, vote_weights, {}, 1), words);
  fit_vote_weights(opinions, gold, {}, 1, vote_weights);
  EXPECT_EQ(right_parts(opinions, gold, vote_weights, {}, 2), words);
}

TEST(Committee, ListsVoteByTheirScores) {
  // The second tree of the one member is nearly as good as its first, and is what the other member wants.
  std::vector<std::vector<Candidate>> lists(2);
  const auto candidate = [](double score, std::vector<int> heads) {
    Candidate c;
    c.score = score;
    c.analysis.heads = std::move(heads);
    c.analysis.deprels.assign(c.analysis.heads.size(), "x");
    return c;
  };
  const std::vector<int> first = {-1, 0, 1, 2}, second = {-1, 0, 1, 1};
  lists[0] = {candidate(10, first), candidate(9.9, second)};
  lists[1] = {candidate(5, second), candidate(-100, first)};
  Poll poll;
  Analysis winner;
  poll.count(3, lists, std::vector<VoteWeight>{{1.5, 0}, {1, 0}});
  poll.winner({}, winner);
  EXPECT_EQ(winner.heads, first);
  poll.count(3, lists, std::vector<VoteWeight>{{1.5, 1}, {1, 1}});
  poll.winner({}, winner);
  EXPECT_EQ(winner.heads, second);
  const auto list = poll.winners({}, 5);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].analysis, winner);
  EXPECT_NEAR(list[0].score + list[1].score, 2.5 * (2 + 2 + 1), 1e-3);  // they agree on two words
}

TEST(Committee, WhatCannotVoteIsRefused) {
  const TrainData data = committee_data();
  EXPECT_THROW(train(settings({"recipe=committee"}), data, {}), Error);
  for (const char* recipe : {"tagger", "pipeline", "committee"}) {
    const std::string member = std::string("member.0.recipe=") + recipe;
    EXPECT_THROW(configure(settings({"recipe=committee", member.c_str()})), Error) << recipe;
  }
  EXPECT_THROW(train(settings({"recipe=committee", "member.0.recipe=beam", "member.0.bean=2"}), data, {}), Error);
  EXPECT_THROW(train(settings({"recipe=committee", "members=nowhere.esp"}), data, {}), Error);
  EXPECT_THROW(configure(settings({"recipe=committee", "member.0.recipe=beam", "member.1.recipe=shift-reduce"})),
               Error);
  // Nobody votes twice.
  EXPECT_THROW(configure(settings({"recipe=committee", "members=a.esp,b.esp,a.esp"})), Error);
  const auto twins = [](const char* difference) {
    return settings({"recipe=committee", "member.0.recipe=beam", "member.1.recipe=beam", difference});
  };
  EXPECT_THROW(configure(twins("list=2")), Error);
  for (const char* difference : {"member.1.seed=2", "member.1.epochs=3"}) EXPECT_NO_THROW(configure(twins(difference)));
}

}  // namespace
}  // namespace espalier
