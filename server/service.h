// The answers of the server, without network code: routes, permission, limits. Tested by service_test.cc.
#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "espalier/base/stop.h"
#include "server/http.h"
#include "server/metrics.h"
#include "server/models.h"
#include "server/options.h"

namespace espalier::server {

class Service {
 public:
  /// Keeps references.
  Service(const ServerOptions& options, const ModelStore& models, Metrics& metrics);

  /// True if the answer needs parsing, and therefore a place in the queue; others are sent at once.
  bool takes_work(const Request& request) const;
  /// Does not throw: errors become answers.
  Response answer(const Request& request, const Stop& stop = {}) const;
  /// Adds the headers that every answer has, also to answers for requests that could not be read.
  Response finished(Response response, const Request& request) const;
  /// The path as metrics name it: "other" unless there is such a route.
  std::string route_name(const Request& request) const;

  /// Answers GET of this path with a fixed text.
  void add_file(const std::string& path, Response response);
  /// Called by /metrics.
  std::function<Metrics::Gauges()> gauges = [] { return Metrics::Gauges(); };
  /// False when the server is stopping, for /readyz.
  std::atomic<bool> ready = true;

 private:
  struct Route {
    std::string_view methods;  // "GET POST"
    bool takes_work, open;     // open: needs no token
    Response (Service::*answer)(const Request&, const Stop&) const;
  };
  struct File {
    Response response;
    std::string gzipped;  // the body
    std::string tag;      // of this content
  };
  void add_page_file(std::string_view name, std::string_view text);
  Response routed(const Request& request, const Stop& stop) const;
  Response file_response(const File& file, const Request& request) const;
  bool allowed(const Request& request) const;
  Response preflight(const Request& request) const;

  Response health(const Request&, const Stop&) const;
  Response readiness(const Request&, const Stop&) const;
  Response metrics_text(const Request&, const Stop&) const;
  Response models(const Request&, const Stop&) const;
  Response parse(const Request&, const Stop&) const;
  Response udpipe_models(const Request&, const Stop&) const;
  Response udpipe_process(const Request&, const Stop&) const;

  const ServerOptions& options_;
  const ModelStore& models_;
  Metrics& metrics_;
  std::map<std::string, Route, std::less<>> routes_;
  std::map<std::string, File, std::less<>> files_;
};

}  // namespace espalier::server
