#include "server/metrics.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace espalier::server {

void Metrics::count_request(const std::string& route, int status, std::chrono::duration<double> time) {
  const std::lock_guard lock(mutex_);
  ++requests_[{route, status}];
  Histogram& histogram = times_[route];
  ++histogram.counts[static_cast<size_t>(std::ranges::lower_bound(kBounds, time.count()) - kBounds.begin())];
  histogram.sum += time.count();
}

std::string Metrics::text(const Gauges& gauges) const {
  std::string text;
  const auto out = std::back_inserter(text);
  const auto head = [&](const char* name, const char* type, const char* help) {
    fmt::format_to(out, "# HELP {0} {2}\n# TYPE {0} {1}\n", name, type, help);
  };
  const auto single = [&](const char* name, const char* type, const char* help, auto value) {
    head(name, type, help);
    fmt::format_to(out, "{} {}\n", name, value);
  };
  {
    const std::lock_guard lock(mutex_);
    head("espalier_requests_total", "counter", "Requests answered, by route and status.");
    for (const auto& [key, count] : requests_)
      fmt::format_to(out, "espalier_requests_total{{route=\"{}\",status=\"{}\"}} {}\n", key.first, key.second, count);
    head("espalier_request_seconds", "histogram", "From the end of a request to that of its answer.");
    for (const auto& [route, histogram] : times_) {
      uint64_t below = 0;
      for (size_t i = 0; i < kBounds.size(); ++i) {
        below += histogram.counts[i];
        fmt::format_to(out, "espalier_request_seconds_bucket{{route=\"{}\",le=\"{}\"}} {}\n", route, kBounds[i], below);
      }
      below += histogram.counts.back();
      fmt::format_to(out,
                     "espalier_request_seconds_bucket{{route=\"{0}\",le=\"+Inf\"}} {1}\n"
                     "espalier_request_seconds_sum{{route=\"{0}\"}} {2}\n"
                     "espalier_request_seconds_count{{route=\"{0}\"}} {1}\n",
                     route, below, histogram.sum);
    }
  }
  single("espalier_sentences_total", "counter", "Sentences parsed.", sentences_.load());
  single("espalier_words_total", "counter", "Words parsed.", words_.load());
  single("espalier_queue_waiting", "gauge", "Requests that wait for a thread.", gauges.waiting);
  single("espalier_queue_capacity", "gauge", "How many may wait before others are refused.", gauges.queue_capacity);
  single("espalier_requests_running", "gauge", "Requests that a thread works on.", gauges.running);
  single("espalier_connections", "gauge", "Open connections.", gauges.connections);
  single("process_resident_memory_bytes", "gauge", "Memory of the process.", resident_memory());
  return text;
}

size_t resident_memory() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return resident * static_cast<size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace espalier::server
