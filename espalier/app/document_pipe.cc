#include <condition_variable>
#include <deque>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <utility>

#include "espalier/app/stream.h"
#include "espalier/base/error.h"
#include "espalier/base/ordered.h"
#include "espalier/base/parallel.h"

namespace espalier {
namespace {

constexpr size_t kUnderWayPerThread = 8;

}  // namespace

struct DocumentPipe::Crew {
  struct Job {
    Document document;
    std::exception_ptr failure;
  };

  Crew(const Model& model_in, int threads, const ParseOptions& options_in)
      : model(model_in),
        options(options_in),
        capacity(static_cast<size_t>(threads) * kUnderWayPerThread),
        stream([this, threads] { run(threads); }) {}
  ~Crew() {
    {
      const std::lock_guard lock(mutex);
      closed = true;
    }
    changed.notify_all();
  }

  void run(int threads) {
    const auto read = [this](Job& job) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return closed || !waiting.empty(); });
      if (closed) return false;
      job = {std::move(waiting.front()), nullptr};
      waiting.pop_front();
      return true;
    };
    const auto work = [this](int, Job& job) {
      try {
        model.parse(job.document, options);
      } catch (...) {
        job.failure = std::current_exception();
      }
    };
    const auto write = [this](Job& job) {
      {
        const std::lock_guard lock(mutex);
        done.push_back(std::move(job));
      }
      changed.notify_all();
    };
    // No limit on batches that wait for an earlier one: `full` bounds the number of documents.
    ordered_stream<Job>(threads, read, work, write, std::numeric_limits<size_t>::max());
  }

  const Model model;
  const ParseOptions options;
  const size_t capacity;
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Document> waiting;
  std::deque<Job> done;
  size_t inside = 0;  // documents put in and not yet taken
  bool closed = false;
  std::jthread stream;  // the last member, so that it is destroyed first
};

DocumentPipe::DocumentPipe(const Model& model, int threads, const ParseOptions& options)
    : crew_(std::make_unique<Crew>(model, threads > 0 ? threads : hardware_threads(), options)) {}
DocumentPipe::~DocumentPipe() = default;

bool DocumentPipe::empty() const {
  const std::lock_guard lock(crew_->mutex);
  return crew_->inside == 0;
}

bool DocumentPipe::full() const {
  const std::lock_guard lock(crew_->mutex);
  return crew_->inside >= crew_->capacity;
}

void DocumentPipe::put(Document document) {
  {
    const std::lock_guard lock(crew_->mutex);
    crew_->waiting.push_back(std::move(document));
    ++crew_->inside;
  }
  crew_->changed.notify_all();
}

Document DocumentPipe::take() {
  std::unique_lock lock(crew_->mutex);
  if (crew_->inside == 0) throw usage_error("nothing was put into the pipe");
  crew_->changed.wait(lock, [this] { return !crew_->done.empty(); });
  Crew::Job job = std::move(crew_->done.front());
  crew_->done.pop_front();
  --crew_->inside;
  if (job.failure) std::rethrow_exception(job.failure);
  return std::move(job.document);
}

}  // namespace espalier
