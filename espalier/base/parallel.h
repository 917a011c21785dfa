// Shares work among a fixed number of threads. Results do not depend on their number: each item is computed by itself
// and stored in its own place.
#pragma once

#include <cstddef>
#include <functional>

namespace espalier {

/// Calls body(worker, item) for every item in 0..items-1, worker in 0..threads-1; rethrows the first exception.
/// The caller's Stop (base/stop_point.h) cancels all threads.
void parallel_for(size_t items, int threads, const std::function<void(int worker, size_t item)>& body);

/// The number of cores, which --threads 0 stands for.
int hardware_threads();

}  // namespace espalier
