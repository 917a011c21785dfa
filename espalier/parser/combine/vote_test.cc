#include "espalier/parser/combine/vote.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "espalier/base/rng.h"
#include "tests/tree_enumeration.h"

namespace espalier {
namespace {

Analysis tree_of(const std::vector<int>& heads, const std::string& relation) {
  Analysis analysis;
  analysis.heads = heads;
  analysis.heads[0] = -1;
  analysis.deprels.assign(heads.size(), relation);
  analysis.deprels[0].clear();
  return analysis;
}

std::vector<std::vector<int>> all_trees(int words, TreeKind kind) {
  std::vector<std::vector<int>> trees;
  for_each_tree(words, kind.single_root, [&](const std::vector<int>& heads) {
    if (!kind.projective || arcs_do_not_cross(heads)) trees.push_back(heads);
  });
  return trees;
}

TEST(ArcVotes, NoTreeOfTheProposedArcsHasMoreVotes) {
  for (uint64_t seed = 0; seed < 200; ++seed) {
    Rng rng(seed, "votes");
    const int words = 1 + static_cast<int>(rng.below(5));
    for (const TreeKind kind : {TreeKind{true, false}, {true, true}, {false, false}, {false, true}}) {
      const auto trees = all_trees(words, kind);
      std::vector<Analysis> members;
      for (int m = 0; m < 4; ++m) members.push_back(tree_of(trees[rng.below(trees.size())], "x"));
      ArcVotes votes;
      votes.reset(words);
      std::set<std::pair<int, int>> proposed;
      for (const Analysis& member : members) {
        votes.add(member, 1 + static_cast<double>(rng.below(3)));
        for (int w = 1; w <= words; ++w) proposed.insert({member.heads[static_cast<size_t>(w)], w});
      }
      double most = -1;
      size_t possible = 0;
      for (const auto& heads : trees) {
        bool of_proposed = true;
        for (int w = 1; w <= words; ++w) of_proposed &= proposed.contains({heads[static_cast<size_t>(w)], w});
        if (!of_proposed) continue;
        ++possible;
        most = std::max(most, votes.votes(tree_of(heads, "x")));
      }
      Analysis winner;
      ASSERT_TRUE(votes.best_tree(kind, winner));
      EXPECT_EQ(votes.votes(winner), most);
      const auto list = votes.best_trees(kind, 1000);
      EXPECT_EQ(list.size(), possible);
      EXPECT_EQ(list[0], winner);
      std::set<std::vector<int>> seen;
      for (size_t i = 0; i < list.size(); ++i) {
        EXPECT_TRUE(seen.insert(list[i].heads).second);
        if (i == 0) continue;
        EXPECT_LE(votes.votes(list[i]), votes.votes(list[i - 1]));
      }
    }
  }
}

TEST(ArcVotes, OneVoterGetsItsTree) {
  for (const auto& heads : all_trees(4, {})) {
    const Analysis only = tree_of(heads, "x");
    ArcVotes votes;
    votes.reset(4);
    votes.add(only, 0.5);
    Analysis winner;
    ASSERT_TRUE(votes.best_tree({}, winner));
    EXPECT_EQ(winner, only);
  }
}

TEST(ArcVotes, RelationsAreChosenAmongThoseWhoAgreeOnTheHead) {
  const Analysis a = tree_of({0, 0, 1}, "a"), b = tree_of({0, 0, 1}, "b"), c = tree_of({0, 2, 0}, "c");
  ArcVotes votes;
  votes.reset(2);
  votes.add(c, 1.9);  // more than either of the others, but not than both
  votes.add(a, 1);
  votes.add(b, 1.5);
  Analysis winner;
  ASSERT_TRUE(votes.best_tree({}, winner));
  EXPECT_EQ(winner, b);
}

TEST(ArcVotes, ThereMayBeNoTreeOfTheKindThatIsAskedFor) {
  const Analysis two_roots = tree_of({0, 0, 0}, "x"), crossing = tree_of({0, 3, 0, 2, 2}, "x");
  ArcVotes votes;
  Analysis winner;
  votes.reset(2);
  votes.add(two_roots, 1);
  EXPECT_FALSE(votes.best_tree({true, false}, winner));
  EXPECT_TRUE(votes.best_trees({true, false}, 4).empty());
  votes.reset(4);
  votes.add(crossing, 1);
  EXPECT_FALSE(votes.best_tree({true, true}, winner));
  EXPECT_TRUE(votes.best_tree({true, false}, winner));
}

}  // namespace
}  // namespace espalier
