// The server's metrics in the text format of Prometheus. Tested by metrics_test.cc.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace espalier::server {

class Metrics {
 public:
  void count_request(const std::string& route, int status, std::chrono::duration<double> time);
  void count_words(uint64_t sentences, uint64_t words) { sentences_ += sentences, words_ += words; }

  /// Current values that the server provides on request.
  struct Gauges {
    size_t waiting = 0, running = 0, queue_capacity = 0, connections = 0;
  };
  std::string text(const Gauges& gauges) const;

 private:
  static constexpr std::array<double, 12> kBounds = {0.001, 0.0025, 0.005, 0.01, 0.025, 0.05,
                                                     0.1,   0.25,   0.5,   1,    2.5,   10};
  struct Histogram {
    std::array<uint64_t, kBounds.size() + 1> counts{};  // the last: more than all bounds
    double sum = 0;
  };

  mutable std::mutex mutex_;
  std::map<std::pair<std::string, int>, uint64_t> requests_;
  std::map<std::string, Histogram> times_;
  std::atomic<uint64_t> sentences_{0}, words_{0};
};

/// The resident memory of this process in bytes; 0 if unknown.
size_t resident_memory();

}  // namespace espalier::server
