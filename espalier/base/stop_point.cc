#include "espalier/base/stop_point.h"

#include <utility>

namespace espalier {
namespace {

constinit thread_local const StopScope* current_scope = nullptr;
constexpr unsigned kAsksPerLook = 16;  // calls per look at the clock, which costs more than a small step

}  // namespace

StopScope::StopScope(const Stop& stop) : stop_(&stop), outer_(current_scope) {
  if (stop.possible()) current_scope = this;
}
StopScope::StopScope(const std::function<bool()>& ask) : ask_(&ask), outer_(current_scope) {
  if (ask) current_scope = this;
}
StopScope::StopScope(const StopScope* as) : outer_(current_scope) {
  if (as) stop_ = as->stop_, ask_ = as->ask_;
  current_scope = as ? this : nullptr;
}
StopScope::~StopScope() { current_scope = outer_; }

const StopScope* StopScope::current() { return current_scope; }

bool StopScope::requested() const {
  if (ask_) return (*ask_)();
  return asked_++ % kAsksPerLook == 0 ? stop_->requested() : stop_->flagged();
}

void stop_point() {
  if (current_scope && current_scope->requested()) throw Stopped();
}

}  // namespace espalier
