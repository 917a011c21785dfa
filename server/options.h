// The options of a server; see `espalier serve --help`.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace espalier::server {

struct Limits {
  size_t body = size_t{4} << 20;     ///< bytes of a request's body
  size_t header = size_t{16} << 10;  ///< bytes of a request's header
  size_t sentence_words = 1000;      ///< in one sentence
  size_t sentences = 20000;          ///< in one request
  int kbest = 64;                    ///< analyses per sentence
  int queue = 64;                    ///< requests that wait for a thread; more are refused (503)
  int connections = 1024;
  std::chrono::milliseconds request_time{60000};  ///< from the end of the request to that of its answer
  std::chrono::seconds header_time{10};           ///< for a header to arrive
  std::chrono::seconds body_time{30};             ///< for a body to arrive, and for each piece of an answer to leave
  std::chrono::seconds idle_time{60};             ///< between requests of a connection
  std::chrono::seconds stop_time{10};             ///< for running requests when the server is stopped
};

struct ServerOptions {
  std::vector<std::string> models;  ///< NAME=FILE, or FILE, whose name without its ending is the model's; the first is
                                    ///< the default
  std::vector<std::string> settings;  ///< of the models, as --set takes them
  std::string host = "127.0.0.1";
  int port = 8000;  ///< 0 = any that is free
  int threads = 0;  ///< that parse; 0 = one per core
  Limits limits;
  std::string token;  ///< if not empty: requests need "Authorization: Bearer TOKEN" (but for /healthz and /readyz)
  std::string cors;   ///< if not empty: the origin whose pages may send requests, or "*"
  std::function<void(const std::string&)> message = [](const std::string&) {};  ///< lines for the log
};

}  // namespace espalier::server
