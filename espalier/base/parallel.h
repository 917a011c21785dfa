// Work sharing between a fixed number of threads. Results never depend on the number of threads: each item is
// computed on its own and lands in its own place.
#pragma once

#include <cstddef>
#include <functional>

namespace espalier {

/// Calls body(worker, item) for every item in 0..items-1, worker in 0..threads-1; rethrows the first exception.
/// What stops the caller (base/stop_point.h) stops all of them.
void parallel_for(size_t items, int threads, const std::function<void(int worker, size_t item)>& body);

/// What --threads 0 means: one thread per core.
int hardware_threads();

}  // namespace espalier
