// How a Stop reaches the inside of long work without every function in between passing it on. Whoever begins work
// for a caller opens a StopScope; every search calls stop_point() once per step (not per item: it costs some ten
// instructions), which throws Stopped when it is time. What was under way is then lost, its workspace included.
//
//   const StopScope scope(options.stop);   // in app/, server/, learn/: the thread's work from here on
//   for (...) { stop_point(); ... }        // in a search's outer loop
//
// Tested by stop_test.cc and tests/contract/.
#pragma once

#include <functional>

#include "espalier/base/stop.h"

namespace espalier {

/// While it lives, this thread's stop points ask what it was given, which must stay. Scopes nest; the innermost counts.
class StopScope {
 public:
  /// A Stop that never comes, or no function, leaves what is there.
  explicit StopScope(const Stop& stop);
  explicit StopScope(const std::function<bool()>& ask);
  /// Another thread's scope (parallel_for hands its caller's on); null: nothing is asked, and nothing given up half
  /// done.
  explicit StopScope(const StopScope* as);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

  /// Null: nothing asks.
  static const StopScope* current();

 private:
  friend void stop_point();
  bool requested() const;

  const Stop* stop_ = nullptr;
  const std::function<bool()>* ask_ = nullptr;
  mutable unsigned asked_ = 0;
  const StopScope* outer_;
};

/// Throws Stopped if the thread's scope says that it is time.
void stop_point();

}  // namespace espalier
