// Shows the progress of a long run on standard error: on a terminal a bar, otherwise a line at the end of each epoch;
// and writes a log of JSON lines. Tested by tests/progress_test.cc.
#pragma once

#include <chrono>
#include <cstdio>
#include <fstream>
#include <mutex>
#include <optional>
#include <string>

#include "espalier/app/train.h"

namespace espalier::cli {

/// A duration for display: "42s", "3m10s", "2h05m".
std::string duration(double seconds);
/// The numbers and texts of a JSON object in one line, nested ones too: "dev las 88.12  dev uas 90.03  updates 1234".
std::string summary(const nlohmann::json& values, const std::string& prefix = "");

class ProgressDisplay {
 public:
  struct Options {
    bool quiet = false;
    bool terminal = false;  ///< update one line instead of writing many
    std::string log;        ///< file of JSON lines; "" = none
  };
  ProgressDisplay(Options options, std::FILE* output);
  ~ProgressDisplay();

  /// May be called from any thread.
  void show(const Progress& progress);

  /// Throws a run Error if the log could not be written; to be called at the end, since training continues without the
  /// log.
  void check_log() const;

  /// The bar or the line for this report; `seconds` since its phase began.
  static std::string bar(const Progress& progress, double seconds);
  static std::string line(const Progress& progress, double seconds);

 private:
  using Clock = std::chrono::steady_clock;

  void erase_bar();

  Options options_;
  std::FILE* output_;
  std::ofstream log_;
  std::mutex mutex_;
  std::string phase_;
  Clock::time_point start_ = Clock::now(), phase_start_ = start_, drawn_{};
  bool bar_is_shown_ = false;
};

}  // namespace espalier::cli
