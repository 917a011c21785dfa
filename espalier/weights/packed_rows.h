// Compresses rows of weights, for packed model files. Learners update whole groups of columns (a move's actions)
// and single columns, so that within a group most columns of a row have the same weight. A packed row has that
// common weight once per group, and the columns that differ: their number, which, and by how much. Numbers of
// one kind are stored together, in the order of the rows, which helps the general compression that follows
// (zstd).
//
//   u32 columns, u32 groups, u64 rows, u64 differences, then per group u16 first column, u16 the one after its last;
//   per group a byte for each row: the weight; a byte for each row: how many columns differ; a byte for each
//   difference: by how many columns it is after the one before it in the row; a byte for each difference: by how much.
//
// Columns outside all groups differ from 0. Tested by packed_rows_test.cc.
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

/// Neighbouring columns with mostly equal weights, and single columns with many weights other than 0.
std::vector<ColumnGroup> column_groups(std::span<const int8_t> rows, size_t columns);

/// The most frequent of these weights; among equally frequent ones the first.
int8_t common_weight(std::span<const int8_t> weights);

/// Rows of more columns cannot be packed.
constexpr size_t kMostPackedColumns = 255;

/// Packs rows of `columns` weights each.
std::string pack_rows(std::span<const int8_t> rows, size_t columns);

/// The number of bytes that packed rows unpack to; nothing if they are damaged.
std::optional<size_t> unpacked_rows_size(std::string_view packed);
/// False if they are damaged. `rows` has unpacked_rows_size bytes.
bool unpack_rows(std::string_view packed, std::span<int8_t> rows);

}  // namespace espalier
