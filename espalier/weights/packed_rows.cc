#include "espalier/weights/packed_rows.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <limits>

namespace espalier {
namespace {

struct Header {
  uint32_t columns, groups;
  uint64_t rows, differences;
};

/// The parts of packed rows.
struct Streams {
  Header header;
  std::vector<ColumnGroup> groups;
  std::string_view weights, counts, places, differences;
};

template <class T>
std::string_view bytes_of(const T& item) {
  return {reinterpret_cast<const char*>(&item), sizeof item};
}

std::optional<Streams> streams_of(std::string_view packed) {
  Streams s;
  const auto take = [&](size_t size) {
    const std::string_view part = packed.substr(0, size);
    packed.remove_prefix(part.size());
    return part;
  };
  if (packed.size() < sizeof s.header) return {};
  std::memcpy(&s.header, take(sizeof s.header).data(), sizeof s.header);
  const auto& [columns, groups, rows, differences] = s.header;
  if (columns == 0 || columns > kMostPackedColumns || groups > columns || rows > packed.size() ||
      differences > packed.size() || packed.size() < groups * sizeof(ColumnGroup))
    return {};
  s.groups.resize(groups);
  if (groups != 0) std::memcpy(s.groups.data(), packed.data(), groups * sizeof(ColumnGroup));
  packed.remove_prefix(groups * sizeof(ColumnGroup));
  for (size_t g = 0, from = 0; g < groups; from = s.groups[g++].end)
    if (s.groups[g].begin < from || s.groups[g].end <= s.groups[g].begin || s.groups[g].end > columns) return {};
  if (packed.size() != (groups + 1) * rows + 2 * differences) return {};
  s.weights = take(groups * rows);
  s.counts = take(rows);
  s.places = take(differences);
  s.differences = take(differences);
  return s;
}

}  // namespace

std::vector<ColumnGroup> column_groups(std::span<const int8_t> rows, size_t columns) {
  std::vector<size_t> filled(columns), either(columns), same(columns);  // the last two: of a column and the one before
  for (size_t at = 0; at < rows.size(); at += columns) {
    const int8_t* row = &rows[at];
    filled[0] += row[0] != 0;
    for (size_t c = 1; c < columns; ++c) {
      filled[c] += row[c] != 0;
      either[c] += (row[c] | row[c - 1]) != 0;
      same[c] += row[c] != 0 && row[c] == row[c - 1];
    }
  }
  const size_t count = rows.size() / columns;
  std::vector<ColumnGroup> groups;
  for (size_t begin = 0, end; begin < columns; begin = end) {
    for (end = begin + 1; end < columns && same[end] * 3 > either[end]; ++end) {
    }
    if (end - begin > 1 || filled[begin] * 4 > count)
      groups.push_back({static_cast<uint16_t>(begin), static_cast<uint16_t>(end)});
  }
  return groups;
}

int8_t common_weight(std::span<const int8_t> weights) {
  if (weights.size() == 1) return weights[0];
  std::array<uint16_t, 256> counts;
  for (const int8_t weight : weights) counts[static_cast<uint8_t>(weight)] = 0;
  for (const int8_t weight : weights) ++counts[static_cast<uint8_t>(weight)];
  return *std::ranges::max_element(weights, {}, [&](int8_t weight) { return counts[static_cast<uint8_t>(weight)]; });
}

std::string pack_rows(std::span<const int8_t> rows, size_t columns) {
  assert(columns <= kMostPackedColumns && rows.size() % columns == 0);
  const std::vector<ColumnGroup> groups = column_groups(rows, columns);
  const size_t count = rows.size() / columns;
  std::string weights(groups.size() * count, '\0'), counts(count, '\0'), places, differences;
  std::vector<int8_t> usual(columns);
  for (size_t r = 0; r < count; ++r) {
    const auto row = rows.subspan(r * columns, columns);
    for (size_t g = 0; g < groups.size(); ++g) {
      const auto& [begin, end] = groups[g];
      const int8_t weight = common_weight(row.subspan(begin, size_t{end} - begin));
      std::fill(usual.begin() + begin, usual.begin() + end, weight);
      weights[g * count + r] = static_cast<char>(weight);
    }
    size_t last = 0, differ = 0;
    for (size_t c = 0; c < columns; ++c) {
      if (row[c] == usual[c]) continue;
      places.push_back(static_cast<char>(c - last));
      differences.push_back(static_cast<char>(row[c] - usual[c]));
      last = c;
      ++differ;
    }
    counts[r] = static_cast<char>(differ);
  }
  std::string packed(bytes_of(
      Header{static_cast<uint32_t>(columns), static_cast<uint32_t>(groups.size()), count, differences.size()}));
  for (const ColumnGroup& group : groups) packed += bytes_of(group);
  return packed.append(weights).append(counts).append(places).append(differences);
}

std::optional<size_t> unpacked_rows_size(std::string_view packed) {
  const auto s = streams_of(packed);
  if (!s) return {};
  return s->header.rows * s->header.columns;  // cannot overflow: there is a byte for each row
}

bool unpack_rows(std::string_view packed, std::span<int8_t> rows) {
  const auto s = streams_of(packed);
  if (!s || rows.size() != s->header.rows * s->header.columns) return false;
  const size_t columns = s->header.columns, count = s->header.rows;
  std::ranges::fill(rows, int8_t{0});
  size_t next = 0;  // difference
  for (size_t r = 0; r < count; ++r) {
    int8_t* row = rows.data() + r * columns;
    for (size_t g = 0; g < s->groups.size(); ++g)
      std::memset(row + s->groups[g].begin, s->weights[g * count + r], size_t{s->groups[g].end} - s->groups[g].begin);
    const size_t differ = static_cast<uint8_t>(s->counts[r]);
    if (differ > s->differences.size() - next) return false;
    for (size_t c = 0, end = next + differ; next < end; ++next) {
      c += static_cast<uint8_t>(s->places[next]);
      if (c >= columns) return false;
      row[c] = static_cast<int8_t>(row[c] + s->differences[next]);
    }
  }
  return next == s->differences.size();
}

}  // namespace espalier
