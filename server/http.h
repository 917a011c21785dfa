// Requests and responses without network code, for routes, forms and tests.
// Tested by http_test.cc.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace espalier::server {

using Headers = std::vector<std::pair<std::string, std::string>>;

struct Request {
  std::string method = "GET";
  std::string target = "/";  ///< as it was sent: path and query
  Headers headers;
  std::string body;

  /// The value of a header, whatever the case of its name; "" if there is none.
  std::string_view header(std::string_view name) const;
  /// The target without its query.
  std::string_view path() const { return std::string_view(target).substr(0, target.find('?')); }
  std::string_view query() const;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body;
  Headers headers = {};
  /// The rest of a long body, piece by piece: appends the next piece and returns whether there are more. Empty if
  /// `body` is complete. Called by one thread at a time, not always the same one.
  std::function<bool(std::string& piece)> more = {};
};

/// A request that cannot be served: thrown anywhere while it is read, and answered with this status.
class HttpError : public std::runtime_error {
 public:
  HttpError(int status, const std::string& message) : std::runtime_error(message), status_(status) {}
  int status() const { return status_; }

 private:
  int status_;
};

/// {"error": {"status": 404, "message": "..."}}
Response error_response(int status, std::string_view message);

/// "Not Found"
std::string_view reason_phrase(int status);

/// How the end of the body is marked.
enum class Framing { kLength, kChunks, kClose };
/// The status line and the headers of an answer, up to the empty line.
std::string response_head(const Response& response, Framing framing, bool keep_alive);
/// A piece of a body in chunks; an empty one ends it.
std::string chunk(std::string_view piece);

/// Equal except for the case of ASCII letters.
bool same_name(std::string_view a, std::string_view b);
/// The text as a JSON string, with its quotes; bytes that are no UTF-8 become U+FFFD.
std::string json_string(std::string_view text);

}  // namespace espalier::server
