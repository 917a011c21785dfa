#include "server/service.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "espalier/base/builtin_texts.h"
#include "espalier/base/error.h"
#include "espalier/base/hash.h"
#include "espalier/base/json_text.h"
#include "server/answer.h"
#include "server/parse_api.h"
#include "server/udpipe_api.h"

namespace espalier::server {
namespace {

/// Compares in constant time.
bool same_secret(std::string_view a, std::string_view b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (size_t i = 0; i < a.size(); ++i)
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b.empty() ? 0 : b[i % b.size()]);
  return difference == 0;
}

bool is_among(std::string_view method, std::string_view methods) {
  return methods == method || methods.starts_with(fmt::format("{} ", method)) ||
         methods.ends_with(fmt::format(" {}", method));
}

/// HEAD is handled as GET, without sending the body.
std::string_view method_of(const Request& request) {
  const std::string_view method = request.method;
  return method == "HEAD" ? "GET" : method;
}

std::string gzipped(std::string_view text) {
  constexpr int kGzip = 15 + 16;  // the largest window, and gzip's header
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, kGzip, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    throw run_error("zlib cannot compress");
  std::string out(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

/// Whether the client takes gzip: "gzip, br", and not "gzip;q=0".
bool takes_gzip(const Request& request) {
  std::string_view rest = request.header("Accept-Encoding");
  while (!rest.empty()) {
    std::string_view coding = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(rest.size(), coding.size() + 1));
    coding.remove_prefix(std::min(coding.size(), coding.find_first_not_of(' ')));
    const std::string_view name = coding.substr(0, coding.find_first_of("; "));
    const size_t weight = coding.find("q=");
    if (same_name(name, "gzip"))
      return weight == std::string_view::npos || coding.find_first_not_of("0. ", weight + 2) != std::string_view::npos;
  }
  return false;
}

}  // namespace

Service::Service(const ServerOptions& options, const ModelStore& models, Metrics& metrics)
    : options_(options), models_(models), metrics_(metrics) {
  routes_ = {{"/healthz", {"GET", false, true, &Service::health}},
             {"/readyz", {"GET", false, true, &Service::readiness}},
             {"/metrics", {"GET", false, false, &Service::metrics_text}},
             {"/v1/models", {"GET", false, false, &Service::models}},
             {"/v1/parse", {"POST", true, false, &Service::parse}},
             {"/models", {"GET POST", false, false, &Service::udpipe_models}},
             {"/process", {"GET POST", true, false, &Service::udpipe_process}}};
  for (const BuiltinText& text : builtin_openapi()) add_file("/openapi.json", {.body = std::string(text.text)});
  for (const BuiltinText& text : builtin_page()) add_page_file(text.name, text.text);
}

/// The page may only run its own script and send requests to this server.
void Service::add_page_file(std::string_view name, std::string_view text) {
  constexpr const char* kPolicy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data: blob:; "
      "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
  struct File {
    std::string_view name;
    const char *path, *type;
  };
  for (const File& file : {File{"index", "/", "text/html"}, File{"script", "/script.js", "text/javascript"},
                           File{"style", "/style.css", "text/css"}}) {
    if (file.name != name) continue;
    add_file(file.path, {.content_type = fmt::format("{}; charset=utf-8", file.type),
                         .body = std::string(text),
                         .headers = {{"Content-Security-Policy", kPolicy},
                                     {"Referrer-Policy", "no-referrer"},
                                     {"Cache-Control", "no-cache"}}});
  }
}

void Service::add_file(const std::string& path, Response response) {
  const std::string tag = fmt::format("W/\"{:016x}\"", hash_string(response.body));
  response.headers.insert(response.headers.end(), {{"ETag", tag}, {"Vary", "Accept-Encoding"}});
  std::string smaller = gzipped(response.body);
  files_.insert_or_assign(path, File{std::move(response), std::move(smaller), tag});
}

bool Service::takes_work(const Request& request) const {
  const auto route = routes_.find(request.path());
  return route != routes_.end() && route->second.takes_work && is_among(method_of(request), route->second.methods) &&
         allowed(request);
}

std::string Service::route_name(const Request& request) const {
  const std::string path(request.path());
  return routes_.contains(path) || files_.contains(path) ? path : "other";
}

bool Service::allowed(const Request& request) const {
  if (options_.token.empty()) return true;
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = request.header("Authorization");
  return given.size() > kScheme.size() && same_name(given.substr(0, kScheme.size()), kScheme) &&
         same_secret(given.substr(kScheme.size()), options_.token);
}

Response Service::answer(const Request& request, const Stop& stop) const {
  try {
    return finished(routed(request, stop), request);
  } catch (...) {
    return finished(response_to_exception(), request);
  }
}

Response Service::finished(Response response, const Request& request) const {
  response.headers.emplace_back("X-Content-Type-Options", "nosniff");
  if (!options_.cors.empty() && (options_.cors == "*" || request.header("Origin") == options_.cors)) {
    response.headers.emplace_back("Access-Control-Allow-Origin", options_.cors);
    if (options_.cors != "*") response.headers.emplace_back("Vary", "Origin");
  }
  return response;
}

/// Answers 304 if the browser has the file, and compresses with gzip if it accepts that.
Response Service::file_response(const File& file, const Request& request) const {
  Response response = file.response;
  if (request.header("If-None-Match").find(file.tag) != std::string_view::npos) {
    response.status = 304;
    response.body.clear();
  } else if (takes_gzip(request)) {
    response.body = file.gzipped;
    response.headers.emplace_back("Content-Encoding", "gzip");
  }
  return response;
}

Response Service::routed(const Request& request, const Stop& stop) const {
  if (request.method == "OPTIONS" && !options_.cors.empty()) return preflight(request);
  const std::string_view method = method_of(request);
  const auto not_allowed = [&](std::string_view methods) {
    Response response = error_response(405, fmt::format("{} takes {}", request.path(), methods));
    response.headers.emplace_back("Allow", methods);
    return response;
  };
  if (const auto file = files_.find(request.path()); file != files_.end())
    return method == "GET" ? file_response(file->second, request) : not_allowed("GET");
  const auto found = routes_.find(request.path());
  if (found == routes_.end()) return error_response(404, "there is nothing at this path; /openapi.json lists what is");
  const Route& route = found->second;
  if (!route.open && !allowed(request)) {
    Response response = error_response(401, "this server wants a token: Authorization: Bearer TOKEN");
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
    return response;
  }
  if (!is_among(method, route.methods)) return not_allowed(route.methods);
  return (this->*route.answer)(request, stop);
}

Response Service::preflight(const Request&) const {
  Response response{.status = 204, .body = ""};
  response.headers = {{"Access-Control-Allow-Methods", "GET, POST"},
                      {"Access-Control-Allow-Headers", "Authorization, Content-Type"},
                      {"Access-Control-Max-Age", "600"}};
  return response;
}

Response Service::health(const Request&, const Stop&) const { return {.body = "{\"status\": \"ok\"}\n"}; }

Response Service::readiness(const Request&, const Stop&) const {
  return ready ? Response{.body = "{\"status\": \"ready\"}\n"} : error_response(503, "the server is stopping");
}

Response Service::metrics_text(const Request&, const Stop&) const {
  return {.content_type = "text/plain; version=0.0.4; charset=utf-8", .body = metrics_.text(gauges())};
}

Response Service::models(const Request&, const Stop&) const {
  const auto set = models_.current();
  nlohmann::json all = nlohmann::json::array();
  for (const NamedModel& model : set->all()) all.push_back(model.about());
  return {.body = json_text(nlohmann::json{{"models", all}, {"default", set->all().front().name}}, 1) + "\n"};
}

Response Service::parse(const Request& request, const Stop& stop) const {
  return answer_parse(request, *models_.current(), options_.limits, metrics_, stop);
}

Response Service::udpipe_models(const Request&, const Stop&) const { return answer_udpipe_models(*models_.current()); }

Response Service::udpipe_process(const Request& request, const Stop& stop) const {
  return answer_udpipe_process(request, *models_.current(), options_.limits, metrics_, stop);
}

}  // namespace espalier::server
