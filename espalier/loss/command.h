// "command: ./my_cost": a loss computed by a program of the user (docs/objectives.md). It is started once, reads a line
// of JSON per list of analyses, and answers with a line of as many costs. Tested by command_test.cc.
#pragma once

#include <chrono>
#include <mutex>

#include "espalier/base/line_process.h"
#include "espalier/loss/loss.h"

namespace espalier {

class CommandLoss final : public Loss {
 public:
  static constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(1);
  explicit CommandLoss(std::string_view command, std::chrono::milliseconds patience = kPatience);

  /// The range of a program's costs is not known: as of counts, a difference of one asks for a margin of one.
  LossScale scale() const override { return LossScale::kCount; }
  bool is_program() const override { return true; }
  /// Throws a run Error that names the sentence if the program fails or answers nonsense.
  std::vector<double> costs(const Sentence& gold, std::span<const Analysis* const> analyses) const override;

 private:
  mutable std::mutex mutex_;
  mutable LineProcess process_;
};

std::unique_ptr<const Loss> make_command_loss(std::string_view argument);

}  // namespace espalier
