// Lets a Stop cancel long work from inside, without every function in between passing it on. The function that begins
// work for a caller opens a StopScope; every search calls stop_point() once per step (not per item: it takes some ten
// instructions), which throws Stopped. Work in progress is then lost, its workspace included.
//
//   const StopScope scope(options.stop);   // in app/, server/, learn/: the thread's work from here on
//   for (...) { stop_point(); ... }        // in a search's outer loop
//
// Tested by stop_test.cc and tests/contract/.
#pragma once

#include <functional>

#include "espalier/base/stop.h"

namespace espalier {

/// While a StopScope exists, its thread's stop points check the scope's Stop, which must outlive the scope. Of nested
/// scopes the innermost counts.
class StopScope {
 public:
  /// A Stop without deadline and flag leaves the outer scope in force.
  explicit StopScope(const Stop& stop);
  explicit StopScope(const std::function<bool()>& ask);
  /// Takes over another thread's scope (parallel_for passes on its caller's); null: nothing can be
  /// cancelled.
  explicit StopScope(const StopScope* as);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

  /// The scope in force; null if there is none.
  static const StopScope* current();

 private:
  friend void stop_point();
  bool requested() const;

  const Stop* stop_ = nullptr;
  const std::function<bool()>* ask_ = nullptr;
  mutable unsigned asked_ = 0;
  const StopScope* outer_;
};

/// Throws Stopped if the Stop of the thread's scope says so.
void stop_point();

}  // namespace espalier
