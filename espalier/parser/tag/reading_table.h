// Readings: the UPOS, XPOS and FEATS of a word together. A sequence model decides each word's class (UPOS, or UPOS with
// XPOS if these are few); the readings seen with a class then compete by the sum of the scores of their parts, so that
// rare bundles of features share what is learned about their parts.
// Tested by reading_table_test.cc.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace espalier {

struct Reading {
  std::string upos, xpos, feats;
  friend auto operator<=>(const Reading&, const Reading&) = default;
};

class ReadingTable {
 public:
  static constexpr int kNone = -1;

  struct Entry {
    int tag_class;
    Reading reading;
    long count = 0;
    int number = kNone;  ///< kNone = its id
  };

  ReadingTable() = default;
  /// Readings of each class, the most frequent first. `classes` is the number of classes; each needs a reading.
  ReadingTable(std::vector<Entry> entries, int classes);

  int size() const { return static_cast<int>(readings_.size()); }
  int classes() const { return static_cast<int>(class_begin_.size()) - 1; }
  const Reading& reading(int id) const { return readings_[id]; }
  /// Readings begin(c)..end(c)-1 are those of class c.
  int begin(int tag_class) const { return class_begin_[tag_class]; }
  int end(int tag_class) const { return class_begin_[tag_class + 1]; }
  int class_of(int id) const { return class_of_[id]; }
  /// kNone if the class was never seen with it.
  int find(int tag_class, const Reading& reading) const;
  /// The id by which features refer to it: its own, or in an extended table its former one.
  int number(int id) const { return numbers_.empty() ? id : numbers_[id]; }

  /// The columns of a reading's parts, ascending: attribute=value pairs, and XPOS, whole or (in tagsets that are too
  /// large for that) character by character, as positional tagsets are made.
  std::span<const uint16_t> parts(int id) const {
    const auto i = static_cast<size_t>(id);
    return std::span(parts_).subspan(part_begin_[i], part_begin_[i + 1] - part_begin_[i]);
  }
  int columns() const { return columns_; }
  /// The names of the columns.
  const std::vector<std::string>& part_names() const { return part_names_; }

  template <class Sum>
  auto score(const Sum* row, int id) const {
    decltype(Sum() + Sum()) sum = 0;  // wider than the row's own integers
    for (const uint16_t part : parts(id)) sum += row[part];
    return sum;
  }
  /// The best reading of a class; ties: the more frequent one.
  template <class Sum>
  int best(const Sum* row, int tag_class) const {
    int best = begin(tag_class);
    auto most = score(row, best);
    for (int id = best + 1; id < end(tag_class); ++id)
      if (const auto sum = score(row, id); sum > most) most = sum, best = id;
    return best;
  }

  nlohmann::json to_json() const;
  /// Writes what is wrong with the data to `problem`, or "".
  static ReadingTable from_json(const nlohmann::json& json, int classes, std::string& problem);

 private:
  void index_parts();

  std::vector<Reading> readings_;
  std::vector<int> class_of_, class_begin_;
  std::vector<uint16_t> parts_;
  std::vector<size_t> part_begin_;
  std::vector<int> numbers_;  // empty: they are the ids
  std::vector<std::string> part_names_;
  int columns_ = 0;
};

}  // namespace espalier
