#include "espalier/base/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace espalier {
namespace {

struct Thing {
  int number = 0;
  std::string text;
  std::vector<double> reals;
  std::vector<float> rows = std::vector<float>(5 * 3, 0.0f);
  size_t few = 0;

  void archive(Archive& a) {
    a.value(number);
    a.array(text);
    a.array(reals);
    a.sparse_rows(rows.data(), 5, 3);
    a.count(few, 0, 9);
  }
  friend bool operator==(const Thing&, const Thing&) = default;
};

Thing example() {
  Thing thing{7, "text", {1.5, -2}};
  thing.rows[4] = 3;
  thing.rows[14] = -0.0f;
  thing.few = 9;
  return thing;
}

TEST(Archive, PutsBackWhatItWroteDown) {
  Thing from = example(), to;
  restore_state(to, state_of(from));
  EXPECT_EQ(from, to);
  EXPECT_TRUE(std::signbit(to.rows[14]));
  Thing empty, again = empty;
  restore_state(again, state_of(empty));
  EXPECT_EQ(again, empty);
}

TEST(Archive, OnlyRowsThatHoldSomethingAreWritten) {
  std::vector<float> rows(1000 * 8, 0.0f);
  rows[8 * 999 + 7] = 1;
  Archive archive;
  archive.sparse_rows(rows.data(), 1000, 8);
  EXPECT_EQ(archive.take().size(), 2 * sizeof(uint64_t) + 8 * sizeof(float));
}

TEST(Archive, CutOrLongerBytesAreRefused) {
  Thing from = example();
  const std::string bytes = state_of(from);
  for (size_t length = 0; length < bytes.size(); ++length) {
    Thing to;
    EXPECT_THROW(restore_state(to, bytes.substr(0, length)), Error) << length;
  }
  Thing to;
  EXPECT_THROW(restore_state(to, bytes + "x"), Error);
  std::string huge = bytes;
  huge[sizeof(int) + 7] = 0x7f;  // the text's length
  EXPECT_THROW(restore_state(to, huge), Error);
}

TEST(Archive, NumbersThatAreNoneAreRefused) {
  for (const float odd : {std::nanf(""), HUGE_VALF, -HUGE_VALF, 1e31f}) {
    Thing from = example(), to;
    from.rows[4] = odd;
    const std::string bytes = state_of(from);
    EXPECT_THROW(restore_state(to, bytes), Error) << odd;
  }
  Thing from = example(), to;
  from.reals[0] = -HUGE_VAL;  // a score that there is not yet
  restore_state(to, state_of(from));
  EXPECT_EQ(from, to);
  from.reals[0] = std::nan("");
  EXPECT_THROW(restore_state(to, state_of(from)), Error);
}

}  // namespace
}  // namespace espalier
