#include "server/work_queue.h"

namespace espalier::server {

WorkQueue::WorkQueue(int threads, size_t capacity) : capacity_(capacity) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

WorkQueue::~WorkQueue() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  changed_.notify_all();
}

bool WorkQueue::try_push(Job job) {
  {
    const std::lock_guard lock(mutex_);
    // Jobs for free threads start at once and do not count as waiting.
    const size_t free = threads_.size() - running_;
    if (jobs_.size() >= capacity_ + free) return false;
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void WorkQueue::push_step(Job job) {
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
  }
  changed_.notify_one();
}

size_t WorkQueue::waiting() const {
  const std::lock_guard lock(mutex_);
  return jobs_.size();
}
size_t WorkQueue::running() const {
  const std::lock_guard lock(mutex_);
  return running_;
}

void WorkQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return closed_ || !jobs_.empty(); });
    if (closed_) return;
    Job job = std::move(jobs_.front());
    jobs_.pop_front();
    ++running_;
    lock.unlock();
    job();
    job = nullptr;  // destroy the job before the thread counts as free
    lock.lock();
    --running_;
  }
}

}  // namespace espalier::server
