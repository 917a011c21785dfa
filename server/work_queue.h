// Threads that parse, and their bounded queue of requests. A long answer is made in steps; each step goes to the end of
// the queue, so that short requests are answered between steps. Tested by work_queue_test.cc.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace espalier::server {

class WorkQueue {
 public:
  using Job = std::function<void()>;  ///< throws nothing

  /// At most `capacity` new jobs wait at once.
  WorkQueue(int threads, size_t capacity);
  /// Waits for running jobs; waiting jobs are dropped.
  ~WorkQueue();
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  /// False if the queue is full.
  bool try_push(Job job);
  /// The next step of an accepted job, which is never refused.
  void push_step(Job job);

  size_t waiting() const;
  size_t running() const;
  size_t capacity() const { return capacity_; }
  size_t threads() const { return threads_.size(); }

 private:
  void work();

  const size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  size_t running_ = 0;
  bool closed_ = false;
  std::vector<std::jthread> threads_;  // the last member, so that it is destroyed first
};

}  // namespace espalier::server
