#include "espalier/base/parallel.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

#include "espalier/base/stop_point.h"

namespace espalier {

void parallel_for(size_t items, int threads, const std::function<void(int, size_t)>& body) {
  threads = static_cast<int>(std::min<size_t>(std::max(threads, 1), items));
  if (threads <= 1) {
    for (size_t i = 0; i < items; ++i) body(0, i);
    return;
  }
  std::atomic<size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  auto work = [&, outer = StopScope::current()](int worker) {
    const StopScope handed_on(outer);
    try {
      for (size_t i; (i = next.fetch_add(1)) < items;) body(worker, i);
    } catch (...) {
      std::lock_guard lock(failure_mutex);
      if (!failure) failure = std::current_exception();
      next = items;
    }
  };
  {
    std::vector<std::jthread> crew;
    for (int worker = 1; worker < threads; ++worker) crew.emplace_back(work, worker);
    work(0);
  }
  if (failure) std::rethrow_exception(failure);
}

int hardware_threads() { return static_cast<int>(std::max(1u, std::thread::hardware_concurrency())); }

}  // namespace espalier
