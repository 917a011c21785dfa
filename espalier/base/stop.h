// When to cancel work: at a deadline, or when a flag is set. Callers pass a Stop along; it is checked between sentences
// and, through base/stop_point.h, within them. Tested by stop_test.cc.
#pragma once

#include <atomic>
#include <chrono>

#include "espalier/base/error.h"
#include "espalier/base/export.h"

namespace espalier {

/// The work was cancelled by its Stop.
class ESPALIER_API Stopped : public Error {
 public:
  Stopped() : Error(ErrorKind::kRun, "stopped before it was done") {}
};

/// By default never.
struct Stop {
  using Clock = std::chrono::steady_clock;

  Clock::time_point deadline = Clock::time_point::max();
  const std::atomic<bool>* flag = nullptr;  ///< may be set by another thread; must outlive the work

  static Stop after(Clock::duration time) { return {Clock::now() + time}; }
  bool possible() const { return flag || deadline != Clock::time_point::max(); }
  bool flagged() const { return flag && flag->load(std::memory_order_relaxed); }
  bool requested() const { return flagged() || (deadline != Clock::time_point::max() && Clock::now() >= deadline); }
  /// Throws Stopped if the deadline has passed or the flag is set.
  void check() const {
    if (requested()) throw Stopped();
  }
};

}  // namespace espalier
