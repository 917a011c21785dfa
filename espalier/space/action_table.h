// Actions as columns of a weight row: first by move, then labels by falling frequency, so that the labels of a move are
// one range. The rarest labels are folded into more frequent ones where a row would not hold them all.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace espalier {

class ActionTable {
 public:
  struct Action {
    int move;
    int label;  ///< -1 for moves that build nothing
  };
  struct Count {
    int move, label;
    long count;
  };
  static constexpr int kNone = -1;

  ActionTable() = default;
  /// `counts` holds the labelled actions of the training data, `unlabelled[m]` says that move m takes no label.
  /// At most `most_columns` columns; `label_names` decide where a dropped label goes.
  ActionTable(int moves, const std::vector<bool>& unlabelled, std::vector<Count> counts, int most_columns,
              const std::vector<std::string>& label_names);

  int columns() const { return static_cast<int>(actions_.size()); }
  const Action& action(int column) const { return actions_[column]; }
  int begin(int move) const { return begin_[move]; }
  int end(int move) const { return begin_[move + 1]; }
  int moves() const { return static_cast<int>(begin_.size()) - 1; }
  /// The column of a move with a label; a folded label gives the column that stands for it.
  int column(int move, int label) const;
  int dropped() const { return dropped_; }  ///< labelled actions without a column of their own

  nlohmann::json to_json() const;
  /// Writes what is wrong with the table to `problem`, or "". Does not throw.
  static ActionTable from_json(const nlohmann::json& json, int moves, int labels, std::string& problem);

 private:
  void index(int labels);

  std::vector<Action> actions_;
  std::vector<int> begin_;
  std::vector<std::vector<int>> column_;  // [move][label]
  int dropped_ = 0;
};

}  // namespace espalier
