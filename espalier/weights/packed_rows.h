// Rows of weights in few bytes, for files that are packed. Learners add to whole groups of columns (a move's actions)
// and to single ones, so that within a group most columns of a row have the same weight. A packed row says that weight
// once per group, and what differs from it: how many columns, which, and by how much. Each kind of number stands by
// itself, in the order of the rows, so that a general packer afterwards (zstd) finds numbers of one kind beside each
// other.
//
//   u32 columns, u32 groups, u64 rows, u64 differences, then per group u16 first column, u16 the one after its last;
//   per group a byte for each row: the weight; a byte for each row: how many columns differ; a byte for each
//   difference: by how many columns it is after the one before it in the row; a byte for each difference: by how much.
//
// A column of no group has 0 to differ from. Tested by packed_rows_test.cc.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace espalier {

/// Columns begin..end-1.
struct ColumnGroup {
  uint16_t begin, end;
};

/// Columns whose weights are mostly the same, and single ones that are mostly not 0.
std::vector<ColumnGroup> column_groups(std::span<const int8_t> rows, size_t columns);

/// The weight that most of these columns have; of several the one that is met first.
int8_t common_weight(std::span<const int8_t> weights);

/// The most columns of rows that can be packed.
constexpr size_t kMostPackedColumns = 255;

/// All of `rows`, which has a whole number of them.
std::string pack_rows(std::span<const int8_t> rows, size_t columns);

/// Of packed rows, how many bytes they unpack to; nothing if they are damaged.
std::optional<size_t> unpacked_rows_size(std::string_view packed);
/// False if they are damaged. `rows` has as many bytes as they unpack to.
bool unpack_rows(std::string_view packed, std::span<int8_t> rows);

}  // namespace espalier
