#include "server/http.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "espalier/app/model.h"
#include "espalier/base/json_text.h"

namespace espalier::server {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view Request::header(std::string_view name) const {
  for (const auto& [key, value] : headers)
    if (same_name(key, name)) return value;
  return {};
}

std::string_view Request::query() const {
  const size_t mark = target.find('?');
  return mark == std::string::npos ? std::string_view() : std::string_view(target).substr(mark + 1);
}

std::string json_string(std::string_view text) { return json_text(nlohmann::json(text)); }

Response error_response(int status, std::string_view message) {
  return {.status = status,
          .body = fmt::format("{{\"error\": {{\"status\": {}, \"message\": {}}}}}\n", status, json_string(message))};
}

std::string_view reason_phrase(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 204:
      return "No Content";
    case 304:
      return "Not Modified";
    case 400:
      return "Bad Request";
    case 401:
      return "Unauthorized";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    case 408:
      return "Request Timeout";
    case 413:
      return "Content Too Large";
    case 415:
      return "Unsupported Media Type";
    case 422:
      return "Unprocessable Content";
    case 431:
      return "Request Header Fields Too Large";
    case 500:
      return "Internal Server Error";
    case 501:
      return "Not Implemented";
    case 503:
      return "Service Unavailable";
    default:
      return "Unknown";
  }
}

std::string response_head(const Response& response, Framing framing, bool keep_alive) {
  std::string head = fmt::format("HTTP/1.1 {} {}\r\nServer: espalier/{}\r\n", response.status,
                                 reason_phrase(response.status), version());
  const auto add = [&](std::string_view name, std::string_view value) {
    head.append(name).append(": ").append(value) += "\r\n";
  };
  const bool empty = response.status == 204 || response.status == 304;
  if (!empty) add("Content-Type", response.content_type);
  for (const auto& [name, value] : response.headers) add(name, value);
  if (framing == Framing::kChunks) add("Transfer-Encoding", "chunked");
  if (framing == Framing::kLength && !empty) add("Content-Length", std::to_string(response.body.size()));
  add("Connection", keep_alive ? "keep-alive" : "close");
  return head += "\r\n";
}

std::string chunk(std::string_view piece) { return fmt::format("{:x}\r\n{}\r\n", piece.size(), piece); }

}  // namespace espalier::server
