#include "espalier/weights/float_rows.h"

#include <gtest/gtest.h>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

constexpr int kRowColumns = 96, kRows = 300;

struct Both {
  FloatRows dense{kRowColumns, false}, compact{kRowColumns, true};
  std::vector<FloatRows*> all{&dense, &compact};
};

/// Some rows change often and in many columns, most seldom. Steps are whole numbers, which add up exactly.
void learn(Both& both, int steps, uint64_t seed) {
  Rng rng(seed, "rows");
  for (FloatRows* rows : both.all)
    while (rows->size() <= kRows) rows->add_row();
  for (int i = 1; i <= steps; ++i) {
    const auto row = static_cast<uint32_t>(1 + rng.below(1 + rng.below(kRows)));
    const int column = static_cast<int>(rng.below(1 + rng.below(kRowColumns)));
    const auto step = static_cast<float>(rng.below(9)) - 4;
    const auto move = static_cast<int>(rng.below(i < steps / 2 ? 3 : 20));  // in the end more ranges than are kept
    std::vector<float> change(kRowColumns, 0), late(kRowColumns, 0);
    change[static_cast<size_t>(column)] = 2, late[static_cast<size_t>(column)] = static_cast<float>(2 * i);
    for (FloatRows* rows : both.all) {
      rows->adjust(row, column, column + 1, step, step * static_cast<float>(i));
      if (i % 2) rows->adjust(row, 4 * move, 4 * move + 16, -step, -step * static_cast<float>(i));
      if (i % 50 == 0) rows->change({&row, 1}, change.data(), late.data());
      if (i == steps / 3) rows->begin_anew(static_cast<float>(i));
    }
  }
}

void expect_equal(const FloatRows& a, const FloatRows& b) {
  ASSERT_EQ(a.size(), b.size());
  std::vector<float> w(kRowColumns), m(kRowColumns), w2(kRowColumns), m2(kRowColumns);
  for (uint32_t row = 0; row < a.size(); ++row) {
    a.read(row, w.data(), m.data());
    b.read(row, w2.data(), m2.data());
    ASSERT_EQ(w, w2) << row;
    ASSERT_EQ(m, m2) << row;
    for (const int c : {0, 7, kRowColumns - 1}) ASSERT_EQ(b.value(row, c), w[static_cast<size_t>(c)]);
  }
  Rng rng(1, "sums");
  for (int probe = 0; probe < 100; ++probe) {
    std::vector<uint32_t> rows;
    for (int i = 0; i < 150; ++i) rows.push_back(static_cast<uint32_t>(rng.below(a.size())));
    std::vector<float> sum(kRowColumns, 3), sum2(kRowColumns, 3);
    a.add(rows, sum.data());
    b.add(rows, sum2.data());
    ASSERT_EQ(sum, sum2);
  }
}

TEST(FloatRows, CompactOnesAreTheDenseOnes) {
  for (const int steps : {0, 100, 1000, 20000}) {
    Both both;
    learn(both, steps, static_cast<uint64_t>(steps));
    expect_equal(both.dense, both.compact);
  }
}

TEST(FloatRows, ComeBackFromTheirState) {
  Both both;
  learn(both, 5000, 7);
  for (FloatRows* rows : both.all) {
    Archive writes;
    rows->archive(writes);
    const std::string state = writes.take();
    EXPECT_GE(rows->archived_bytes() + 100, state.size());
    FloatRows again(kRowColumns, rows == &both.compact);
    while (again.size() < rows->size()) again.add_row();
    again.adjust(3, 1, 2, 5, 5);  // as if training had gone on from something
    Archive reads(state);
    again.archive(reads);
    EXPECT_EQ(reads.left(), 0u);
    expect_equal(*rows, again);
  }
}

TEST(FloatRows, RowsOfFewColumnsAreSmall) {
  FloatRows dense(128, false), compact(128, true);
  for (FloatRows* rows : {&dense, &compact})
    for (int i = 0; i < 1000; ++i) rows->adjust(rows->add_row(), i % 128, i % 128 + 1, 1, 1);
  EXPECT_LT(compact.archived_bytes() * 20, dense.archived_bytes());
}

}  // namespace
}  // namespace espalier
