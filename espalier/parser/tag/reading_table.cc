#include "espalier/parser/tag/reading_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <string_view>

#include "espalier/tree/vocabulary.h"

namespace espalier {
namespace {

constexpr size_t kMostWholeTags = 160;
constexpr int kMostColumns = 1 << 14, kMostReadings = 1 << 24;

template <class Use>
void for_each_feature(std::string_view feats, Use&& use) {
  while (!feats.empty()) {
    const size_t bar = std::min(feats.find('|'), feats.size());
    use(feats.substr(0, bar));
    feats.remove_prefix(std::min(bar + 1, feats.size()));
  }
}

}  // namespace

ReadingTable::ReadingTable(std::vector<Entry> entries, int classes) {
  std::ranges::sort(entries, [](const Entry& a, const Entry& b) {
    return std::tie(a.tag_class, b.count, a.reading) < std::tie(b.tag_class, a.count, b.reading);
  });
  class_begin_.assign(1, 0);
  const bool numbered = std::ranges::any_of(entries, [](const Entry& entry) { return entry.number != kNone; });
  for (Entry& entry : entries) {
    if (numbered) numbers_.push_back(entry.number);
    while (static_cast<int>(class_begin_.size()) <= entry.tag_class) class_begin_.push_back(size());
    readings_.push_back(std::move(entry.reading));
    class_of_.push_back(entry.tag_class);
  }
  while (static_cast<int>(class_begin_.size()) <= classes) class_begin_.push_back(size());
  index_parts();
}

void ReadingTable::index_parts() {
  std::set<std::string_view> tags;
  for (const Reading& reading : readings_) tags.insert(reading.xpos);
  const bool whole = tags.size() <= kMostWholeTags;
  Vocabulary names;
  part_begin_.assign(1, 0);
  for (const Reading& reading : readings_) {
    std::set<int> columns;
    for_each_feature(reading.feats, [&](std::string_view feature) { columns.insert(names.add(feature)); });
    if (whole) {
      columns.insert(names.add("xpos " + reading.xpos));
    } else {
      // What a character means depends on its place and on the category, which the first one names.
      for (size_t i = 0; i < reading.xpos.size(); ++i)
        columns.insert(names.add("xpos " + std::to_string(i) + reading.xpos[0] + reading.xpos[i]));
    }
    parts_.insert(parts_.end(), columns.begin(), columns.end());
    part_begin_.push_back(parts_.size());
  }
  part_names_ = names.texts();
  columns_ = std::max(names.size(), 1);
}

int ReadingTable::find(int tag_class, const Reading& reading) const {
  for (int id = begin(tag_class); id < end(tag_class); ++id)
    if (this->reading(id) == reading) return id;
  return kNone;
}

nlohmann::json ReadingTable::to_json() const {
  auto json = nlohmann::json::array();
  for (int id = 0; id < size(); ++id) {
    const Reading& r = reading(id);
    json.push_back({class_of(id), r.upos, r.xpos, r.feats});
    if (!numbers_.empty()) json.back().push_back(number(id));
  }
  return json;
}

ReadingTable ReadingTable::from_json(const nlohmann::json& json, int classes, std::string& problem) {
  problem = "the table of readings is damaged";
  std::vector<Entry> entries;
  std::vector<bool> seen(classes, false);
  if (!json.is_array()) return {};
  long rank = static_cast<long>(json.size());
  const size_t fields = json.empty() ? 0 : json[0].size();  // the fifth, where there is one, is its number
  for (const auto& item : json) {
    if (!item.is_array() || item.size() != fields || fields < 4 || fields > 5 || !item[0].is_number_integer())
      return {};
    for (size_t i = 1; i < 4; ++i)
      if (!item[i].is_string()) return {};
    const long tag_class = item[0];
    if (tag_class < 0 || tag_class >= classes) return {};
    seen[tag_class] = true;
    // The order within a class is kept: readings are written by falling frequency.
    entries.push_back({static_cast<int>(tag_class), {item[1], item[2], item[3]}, rank--});
    if (fields == 5) {
      if (!item[4].is_number_integer() || item[4] < 0 || item[4] > kMostReadings) return {};
      entries.back().number = item[4];
    }
  }
  if (std::ranges::count(seen, false)) return {};
  ReadingTable table(std::move(entries), classes);
  if (table.columns() > kMostColumns) return {};
  problem.clear();
  return table;
}

}  // namespace espalier
