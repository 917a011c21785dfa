#include "espalier/space/action_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace espalier {
namespace {

std::string_view universal(std::string_view label) { return label.substr(0, label.find(':')); }

}  // namespace

ActionTable::ActionTable(int moves, const std::vector<bool>& unlabelled, std::vector<Count> counts, int most_columns,
                         const std::vector<std::string>& label_names) {
  std::ranges::sort(counts, [](const Count& a, const Count& b) {
    return std::tuple(-a.count, a.move, a.label) < std::tuple(-b.count, b.move, b.label);
  });
  const auto room = static_cast<size_t>(std::max<long>(most_columns - std::ranges::count(unlabelled, true), moves));
  std::vector<Count> folded;
  if (counts.size() > room) {
    folded.assign(counts.begin() + static_cast<long>(room), counts.end());
    counts.resize(room);
  }
  dropped_ = static_cast<int>(folded.size());
  for (int move = 0; move < moves; ++move) {
    begin_.push_back(columns());
    if (unlabelled[move]) actions_.push_back({move, -1});
    for (const Count& c : counts)
      if (c.move == move) actions_.push_back({move, c.label});
    // A move that never occurs in training needs an action, too.
    if (begin_.back() == columns()) actions_.push_back({move, 0});
  }
  begin_.push_back(columns());
  index(static_cast<int>(label_names.size()));
  // A folded label goes to the most frequent one of its move with the same universal part, else to the most frequent.
  for (const Count& c : folded) {
    int stand_in = begin(c.move);
    for (int column = end(c.move); column-- > begin(c.move);)
      if (universal(label_names[action(column).label]) == universal(label_names[c.label])) stand_in = column;
    column_[c.move][c.label] = stand_in;
  }
}

void ActionTable::index(int labels) {
  column_.assign(moves(), {});
  for (int move = 0; move < moves(); ++move) {
    auto& of_label = column_[move];
    of_label.assign(labels, begin(move));
    for (int column = begin(move); column < end(move); ++column)
      if (action(column).label >= 0) of_label[action(column).label] = column;
  }
}

int ActionTable::column(int move, int label) const { return label < 0 ? begin(move) : column_[move][label]; }

nlohmann::json ActionTable::to_json() const {
  auto json = nlohmann::json::array();
  for (const Action& a : actions_) json.push_back({a.move, a.label});
  return json;
}

ActionTable ActionTable::from_json(const nlohmann::json& json, int moves, int labels, std::string& problem) {
  ActionTable table;
  problem = "the action table is damaged";
  if (!json.is_array() || json.size() > 4096) return table;
  for (const auto& entry : json) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_number_integer() || !entry[1].is_number_integer())
      return table;
    const Action action{entry[0].get<int>(), entry[1].get<int>()};
    if (action.move < 0 || action.move >= moves || action.label < -1 || action.label >= labels) return table;
    // Columns stand in the order of their moves, and every move has one.
    const int last = table.actions_.empty() ? -1 : table.actions_.back().move;
    if (action.move != last && action.move != last + 1) return table;
    if (action.move != last) table.begin_.push_back(table.columns());
    table.actions_.push_back(action);
  }
  if (static_cast<int>(table.begin_.size()) != moves) return table;
  table.begin_.push_back(table.columns());
  table.index(labels);
  problem.clear();
  return table;
}

}  // namespace espalier
