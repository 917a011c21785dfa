#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "espalier/app/stream.h"
#include "espalier/base/error.h"
#include "espalier/base/parallel.h"

namespace espalier {
namespace {

constexpr size_t kUnderWayPerThread = 8;

}  // namespace

struct DocumentPipe::Crew {
  struct Job {
    Document document;
    std::exception_ptr failure;
    bool done = false;
  };

  Crew(const Model& model_in, size_t threads_in, const ParseOptions& options_in)
      : model(model_in), options(options_in), capacity(threads_in * kUnderWayPerThread) {
    for (size_t i = 0; i < threads_in; ++i) threads.emplace_back([this] { work(); });
  }
  ~Crew() {
    {
      const std::lock_guard lock(mutex);
      closed = true;
    }
    changed.notify_all();
  }

  void work() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [this] { return closed || begun < jobs.size(); });
      if (closed) return;
      Job& job = jobs[begun++];  // stays where it is while others come and go at the ends
      lock.unlock();
      try {
        model.parse(job.document, options);
      } catch (...) {
        job.failure = std::current_exception();
      }
      lock.lock();
      job.done = true;
      changed.notify_all();
    }
  }

  const Model model;
  const ParseOptions options;
  const size_t capacity;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Job> jobs;  // oldest first
  size_t begun = 0;      // how many of them a thread has taken up
  bool closed = false;
  std::vector<std::jthread> threads;  // the last member: they end before the rest goes
};

DocumentPipe::DocumentPipe(const Model& model, int threads, const ParseOptions& options)
    : crew_(std::make_unique<Crew>(model, static_cast<size_t>(threads > 0 ? threads : hardware_threads()), options)) {}
DocumentPipe::~DocumentPipe() = default;

bool DocumentPipe::empty() const {
  const std::lock_guard lock(crew_->mutex);
  return crew_->jobs.empty();
}

bool DocumentPipe::full() const {
  const std::lock_guard lock(crew_->mutex);
  return crew_->jobs.size() >= crew_->capacity;
}

void DocumentPipe::put(Document document) {
  {
    const std::lock_guard lock(crew_->mutex);
    crew_->jobs.push_back({std::move(document), nullptr, false});
  }
  crew_->changed.notify_all();
}

Document DocumentPipe::take() {
  std::unique_lock lock(crew_->mutex);
  if (crew_->jobs.empty()) throw usage_error("nothing was put into the pipe");
  crew_->changed.wait(lock, [this] { return crew_->jobs.front().done; });
  Crew::Job job = std::move(crew_->jobs.front());
  crew_->jobs.pop_front();
  --crew_->begun;
  if (job.failure) std::rethrow_exception(job.failure);
  return std::move(job.document);
}

}  // namespace espalier
