#include "espalier/loss/callable.h"

#include <gtest/gtest.h>

#include "espalier/base/error.h"

namespace espalier {
namespace {

TEST(CallableLoss, IsKnownWhileItIsRegistered) {
  EXPECT_THROW(make_loss("callable:mine"), Error);
  std::unique_ptr<const Loss> loss;
  {
    const LossRegistration mine("mine", [](const Sentence& gold, std::span<const Analysis* const> analyses) {
      return std::vector<double>(analyses.size(), gold.size());
    });
    EXPECT_THROW(LossRegistration("mine", {}), Error);
    loss = make_loss("callable:mine");
  }
  EXPECT_THROW(make_loss("callable:mine"), Error);
  Sentence gold;
  gold.tokens.resize(3);
  EXPECT_EQ(loss->cost(gold, {}), 3);  // who has it keeps it
}

TEST(CallableLoss, RefusesNonsense) {
  for (const std::vector<double>& answer : {std::vector<double>{}, {-1.0}, {0.0, 1.0}, {std::nan("")}}) {
    const LossRegistration mine("odd", [&](const Sentence&, std::span<const Analysis* const>) { return answer; });
    EXPECT_THROW(make_loss("callable:odd")->cost({}, {}), Error);
  }
}

}  // namespace
}  // namespace espalier
