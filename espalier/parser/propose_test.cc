#include "espalier/parser/propose.h"

#include <gtest/gtest.h>

#include <string>

namespace espalier {
namespace {

TEST(Propose, EverythingIsJudgedByAllAndOnce) {
  const std::vector<std::vector<Scored<std::string>>> favourites = {{{"a", 5}, {"b", 4}, {"a", 1}},
                                                                    {{"c", 9}, {"b", 7}}};
  std::string asked;
  auto all = propose_and_judge<std::string>(
      2, [&](size_t j) { return favourites[j]; },
      [&](size_t j, const std::string& thing) {
        asked += thing + std::to_string(j) + " ";
        return thing == "a" ? 6.0 : 2.0;
      });
  EXPECT_EQ(asked, "a1 c0 ");  // b is known to both
  ASSERT_EQ(all.size(), 3u);
  best_first(all);
  std::string order;
  for (const auto& proposal : all) order += proposal.thing + std::to_string(static_cast<int>(proposal.total())) + " ";
  EXPECT_EQ(order, "a11 b11 c11 ");  // ties in the order of proposal
}

}  // namespace
}  // namespace espalier
