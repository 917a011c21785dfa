#include "espalier/features/feature_bag.h"

#include <gtest/gtest.h>

#include <set>

namespace espalier {
namespace {

TEST(FeatureBag, ValuesAppearOnlyWhenOneIsNotOne) {
  FeatureBag bag;
  bag.add(1);
  bag.add(2);
  EXPECT_TRUE(bag.values().empty());
  bag.add(3, 0.5f);
  bag.add(4);
  ASSERT_EQ(bag.values().size(), 4u);
  EXPECT_EQ(bag.values()[1], 1);
  EXPECT_EQ(bag.values()[2], 0.5f);
  bag.truncate(2);
  EXPECT_EQ(bag.size(), 2u);
  EXPECT_EQ(bag.values().size(), 2u);
}

TEST(AtomGroups, TemplatesAreFullCrossProducts) {
  AtomGroups groups(3);
  for (uint64_t atom : {11, 12}) groups.add(0, atom);
  for (uint64_t atom : {11, 12, 13}) groups.add(1, atom);
  for (uint64_t atom : {21, 22}) groups.add(2, atom);
  const auto count = [&](GroupTemplate t) {
    FeatureBag bag;
    groups.expand(std::vector<GroupTemplate>{t}, bag);
    const std::set<uint64_t> different(bag.keys().begin(), bag.keys().end());
    EXPECT_EQ(different.size(), bag.size());
    return bag.size();
  };
  EXPECT_EQ(count({0}), 2u);
  EXPECT_EQ(count({0, 1}), 6u);
  EXPECT_EQ(count({1, 1}), 3u);  // unordered pairs
  EXPECT_EQ(count({0, 1, 2}), 12u);
  EXPECT_EQ(count({0, 1, 1}), 6u);
}

TEST(AtomGroups, TheSameAtomInAnotherGroupIsAnotherFeature) {
  AtomGroups groups(2);
  groups.add(0, 7);
  groups.add(1, 7);
  FeatureBag bag;
  groups.expand(std::vector<GroupTemplate>{{0}, {1}, {0, 1}, {1, 0}}, bag);
  EXPECT_EQ(std::set<uint64_t>(bag.keys().begin(), bag.keys().end()).size(), 4u);
}

TEST(AtomGroups, RefuseWhatTheyCannotHold) {
  const auto refused = [](auto&& work) {
    try {
      work();
      return std::string();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kUsage);
      return std::string(error.what());
    }
  };
  AtomGroups groups(2);
  for (uint64_t atom = 0; atom < AtomGroups::kMaxAtoms; ++atom) groups.add(1, atom);
  EXPECT_EQ(refused([&] { groups.add(1, 99); }), "group 1 has more than 16 atoms");
  EXPECT_EQ(refused([&] { groups.add(2, 1); }), "there is no group 2, only 0 to 1");
  EXPECT_EQ(refused([&] { groups.add(-1, 1); }), "there is no group -1, only 0 to 1");
  FeatureBag bag;
  const auto expand = [&](GroupTemplate t) { groups.expand(std::vector<GroupTemplate>{t}, bag); };
  EXPECT_EQ(refused([&] { expand({1, 1, 0}); }), "template 1 1 0: the first two groups must differ");
  for (const GroupTemplate t : {GroupTemplate{2}, GroupTemplate{0, 2}, GroupTemplate{0, 1, 2}})
    EXPECT_EQ(refused([&] { expand(t); }), "there is no group 2, only 0 to 1");
}

// Rows are addressed by the topmost bits: small numbers as atoms must spread over them all the same.
TEST(AtomGroups, KeysSpreadOverRows) {
  std::set<uint64_t> rows;
  const int atoms = 40;
  for (uint64_t a = 0; a < atoms; ++a) {
    for (uint64_t b = 0; b < atoms; ++b) {
      AtomGroups groups(2);
      groups.add(0, a);
      groups.add(1, b);
      FeatureBag bag;
      groups.expand(std::vector<GroupTemplate>{{0, 1}}, bag);
      rows.insert(bag.keys()[0] >> (64 - 20));
    }
  }
  EXPECT_GT(rows.size(), static_cast<size_t>(0.99 * atoms * atoms));
}

}  // namespace
}  // namespace espalier
