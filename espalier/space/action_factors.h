// Factors that actions share. An action's score is the sum of its factors' weights, so that actions with a
// common factor learn from one another, and a row of weights may be shorter than the list of actions. Two
// ways:
//   * plain: a column per action. The move is a factor only in training: an update of a move is added to the columns
//     of all its actions;
//   * factored: a column per factor; `expand` computes the scores of the actions from them.
// Tested by action_factors_test.cc.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "espalier/space/action_table.h"

namespace espalier {

class ActionFactors {
 public:
  struct Columns {
    int begin, end;
  };

  /// Plain.
  explicit ActionFactors(const ActionTable& actions) : columns_(actions.columns()) {
    for (int c = 0; c < actions.columns(); ++c) {
      ranges_.push_back({c, c + 1});
      factors_.insert(factors_.end(), {c, actions.columns() + actions.action(c).move});
      ends_.push_back(static_cast<int>(factors_.size()));
    }
    for (int move = 0; move < actions.moves(); ++move) ranges_.push_back({actions.begin(move), actions.end(move)});
  }
  /// Factored: `of_action[c]` are the columns of action c, below `columns`.
  ActionFactors(int columns, const std::vector<std::vector<int>>& of_action) : columns_(columns), factored_(true) {
    for (int c = 0; c < columns; ++c) ranges_.push_back({c, c + 1});
    for (const auto& factors : of_action) {
      factors_.insert(factors_.end(), factors.begin(), factors.end());
      ends_.push_back(static_cast<int>(factors_.size()));
    }
  }
  ActionFactors() = default;

  int columns() const { return columns_; }  ///< of a row of weights
  bool factored() const { return factored_; }
  std::span<const int> of(int action) const {
    const int begin = action == 0 ? 0 : ends_[action - 1];
    return std::span(factors_).subspan(begin, static_cast<size_t>(ends_[action] - begin));
  }
  /// The columns that a factor's weight is added to.
  Columns columns_of(int factor) const { return ranges_[factor]; }

  /// scores[c] of actions begin..end-1; only for factored ones.
  template <class Sum, class Score>
  void expand(const Sum* row, int begin, int end, Score* scores) const {
    for (int c = begin; c < end; ++c) {
      Score score{0};
      for (const int factor : of(c)) score = static_cast<Score>(score + row[factor]);
      scores[c] = score;
    }
  }
  /// As above, for all actions of some moves.
  template <class Sum, class Score>
  const Score* expand(const Sum* row, const ActionTable& actions, uint32_t moves, std::vector<Score>& scores) const {
    scores.resize(ends_.size());
    for (; moves; moves &= moves - 1) {
      const int move = std::countr_zero(moves);
      expand(row, actions.begin(move), actions.end(move), scores.data());
    }
    return scores.data();
  }

 private:
  int columns_ = 0;
  bool factored_ = false;
  std::vector<int> factors_, ends_;  // of all actions, one after the other
  std::vector<Columns> ranges_;      // by factor
};

}  // namespace espalier
