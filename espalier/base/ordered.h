// Processes a stream with several threads and writes the results in the order of the input, in constant memory. Workers
// read batches one at a time, process them in parallel, and write them in order, so that reading and writing overlap
// with the work. A worker whose turn has not come waits, or leaves its batch to the worker whose turn it is. Tested by
// ordered_test.cc.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

namespace espalier {

/// read(batch) → false at the end of the input; work(worker, batch); write(batch). Batches are reused. The first
/// exception ends the stream and is rethrown; batches before the one that failed are written. There are as many batches
/// as workers, and up to `aside` more that wait for their turn.
template <class Batch, class Read, class Work, class Write>
void ordered_stream(int threads, Read read, Work work, Write write, size_t aside = 0) {
  std::mutex read_mutex, write_mutex;
  std::condition_variable turn_changed;
  size_t batches_read = 0, turn = 0;
  bool ended = false;  // guarded by read_mutex
  std::exception_ptr failure;
  std::map<size_t, std::pair<Batch, std::exception_ptr>> early;  // batches that wait for their turn, by ticket
  std::vector<Batch> spare;                                      // batches that have waited and are written

  const auto hand_on = [&](Batch& batch, std::exception_ptr error) {
    try {
      if (!failure && !error) write(batch);
    } catch (...) {
      error = std::current_exception();
    }
    if (error && !failure) failure = error;
    ++turn;
  };
  const auto loop = [&](int worker) {
    Batch batch{};
    for (;;) {
      size_t ticket;
      std::exception_ptr error;
      {
        std::lock_guard lock(read_mutex);
        if (ended) return;
        ticket = batches_read++;
        try {
          ended = !read(batch);
        } catch (...) {
          error = std::current_exception();
          ended = true;
        }
        if (ended && !error) return;
      }
      try {
        if (!error) work(worker, batch);
      } catch (...) {
        error = std::current_exception();
      }
      std::unique_lock lock(write_mutex);
      turn_changed.wait(lock, [&] { return turn == ticket || early.size() < aside; });
      if (turn != ticket) {
        Batch other{};
        if (!spare.empty()) {
          other = std::move(spare.back());
          spare.pop_back();
        }
        early.try_emplace(ticket, std::exchange(batch, std::move(other)), error);
        continue;
      }
      hand_on(batch, error);
      for (auto next = early.begin(); next != early.end() && next->first == turn; next = early.erase(next)) {
        hand_on(next->second.first, next->second.second);
        spare.push_back(std::move(next->second.first));
      }
      const bool failed = failure != nullptr;
      turn_changed.notify_all();
      lock.unlock();
      if (failed) {
        std::lock_guard stop(read_mutex);
        ended = true;
      }
    }
  };
  {
    std::vector<std::jthread> crew;
    for (int worker = 1; worker < threads; ++worker) crew.emplace_back(loop, worker);
    loop(0);
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace espalier
