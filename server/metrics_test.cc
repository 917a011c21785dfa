#include "server/metrics.h"

#include <gtest/gtest.h>

namespace espalier::server {
namespace {

TEST(Metrics, CountsInTheFormatOfPrometheus) {
  Metrics metrics;
  metrics.count_request("/v1/parse", 200, std::chrono::milliseconds(3));
  metrics.count_request("/v1/parse", 200, std::chrono::seconds(60));
  metrics.count_request("/v1/parse", 503, std::chrono::milliseconds(1));
  metrics.count_words(2, 30);
  const std::string text = metrics.text({.waiting = 4, .running = 2, .queue_capacity = 64, .connections = 9});
  for (const std::string line : {
           "# TYPE espalier_requests_total counter\n",
           "espalier_requests_total{route=\"/v1/parse\",status=\"200\"} 2\n",
           "espalier_requests_total{route=\"/v1/parse\",status=\"503\"} 1\n",
           "espalier_request_seconds_bucket{route=\"/v1/parse\",le=\"0.001\"} 1\n",
           "espalier_request_seconds_bucket{route=\"/v1/parse\",le=\"0.005\"} 2\n",
           "espalier_request_seconds_bucket{route=\"/v1/parse\",le=\"10\"} 2\n",
           "espalier_request_seconds_bucket{route=\"/v1/parse\",le=\"+Inf\"} 3\n",
           "espalier_request_seconds_sum{route=\"/v1/parse\"} 60.004\n",
           "espalier_words_total 30\n",
           "espalier_queue_waiting 4\n",
           "espalier_connections 9\n",
       })
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_GT(resident_memory(), size_t{1} << 20);
}

}  // namespace
}  // namespace espalier::server
