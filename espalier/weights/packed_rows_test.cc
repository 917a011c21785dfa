#include "espalier/weights/packed_rows.h"

#include <gtest/gtest.h>

#include "espalier/base/rng.h"

namespace espalier {
namespace {

/// Columns 2..9 of a row are mostly the same, column 0 is its own, the others are mostly empty.
std::vector<int8_t> some_rows(size_t count, size_t columns) {
  Rng rng(1, "rows");
  std::vector<int8_t> rows(count * columns);
  const auto weight = [&] { return static_cast<int8_t>(static_cast<int>(rng.below(256)) - 128); };
  for (size_t r = 0; r < count; ++r) {
    int8_t* row = &rows[r * columns];
    row[0] = weight();
    const int8_t common = weight();
    for (size_t c = 2; c < 10; ++c) row[c] = rng.below(8) == 0 ? weight() : common;
    for (size_t c = 10; c < columns; ++c)
      if (rng.below(16) == 0) row[c] = weight();
  }
  return rows;
}

TEST(PackedRows, UnpackToWhatTheyWere) {
  for (const size_t columns : {16u, 64u, 255u})
    for (const size_t count : {0u, 1u, 500u}) {
      const std::vector<int8_t> rows = some_rows(count, columns);
      const std::string packed = pack_rows(rows, columns);
      EXPECT_EQ(unpacked_rows_size(packed), rows.size());
      std::vector<int8_t> again(rows.size(), 1);
      EXPECT_TRUE(unpack_rows(packed, again));
      EXPECT_EQ(again, rows);
    }
  const std::vector<int8_t> all_differ(255, -128);
  std::vector<int8_t> again(255);
  EXPECT_TRUE(unpack_rows(pack_rows(all_differ, 255), again));
  EXPECT_EQ(again, all_differ);
}

TEST(PackedRows, AreSmall) {
  const std::vector<int8_t> rows = some_rows(500, 64);
  const auto groups = column_groups(rows, 64);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].end, 1);
  EXPECT_EQ(groups[1].begin, 2);
  EXPECT_EQ(groups[1].end, 10);
  EXPECT_LT(pack_rows(rows, 64).size(), 500u * 15);
}

TEST(PackedRows, DamageIsFoundOrHarmless) {
  const std::vector<int8_t> rows = some_rows(20, 16);
  const std::string packed = pack_rows(rows, 16);
  std::vector<int8_t> again(rows.size());
  for (size_t length = 0; length < packed.size(); ++length) {
    EXPECT_FALSE(unpacked_rows_size(packed.substr(0, length)));
    EXPECT_FALSE(unpack_rows(packed.substr(0, length), again));
  }
  for (size_t bit = 0; bit < packed.size() * 8; ++bit) {
    std::string damaged = packed;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    const auto size = unpacked_rows_size(damaged);
    if (!size) continue;
    EXPECT_LE(*size, packed.size() * kMostPackedColumns);
    again.resize(*size);
    unpack_rows(damaged, again);
  }
}

}  // namespace
}  // namespace espalier
