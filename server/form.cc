#include "server/form.h"

#include <algorithm>
#include <optional>

namespace espalier::server {
namespace {

constexpr size_t kMaxParameters = 1000;

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string_view trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

void add(std::string name, std::string value, Parameters& all) {
  all.insert_or_assign(std::move(name), std::move(value));
  if (all.size() > kMaxParameters) throw HttpError(400, "more than 1000 parameters");
}

/// Of `form-data; name="x y"; filename=z`: the parameter's value, without quotes and escapes.
std::optional<std::string> header_parameter(std::string_view header, std::string_view name) {
  size_t at = header.find(';');
  while (at < header.size()) {
    const size_t equals = header.find('=', ++at);
    if (equals == std::string_view::npos) break;
    const std::string_view key = trimmed(header.substr(at, equals - at));
    at = equals + 1;
    std::string value;
    if (at < header.size() && header[at] == '"') {
      for (++at; at < header.size() && header[at] != '"'; ++at) {
        if (header[at] == '\\' && at + 1 < header.size()) ++at;
        value += header[at];
      }
      at = header.find(';', at);
    } else {
      const size_t end = header.find(';', at);
      value = trimmed(header.substr(at, end == std::string_view::npos ? end : end - at));
      at = end;
    }
    if (same_name(key, name)) return value;
  }
  return std::nullopt;
}

/// Takes a line off the front, without its end; false if no line end is left.
bool take_line(std::string_view& text, std::string_view& line) {
  const size_t end = text.find("\r\n");
  if (end == std::string_view::npos) return false;
  line = text.substr(0, end);
  text.remove_prefix(end + 2);
  return true;
}

/// One part of a form: its headers, an empty line, its value.
void read_part(std::string_view part, Parameters& all) {
  const HttpError malformed(400, "a part of the multipart form has no Content-Disposition with a name");
  std::optional<std::string> name;
  for (std::string_view line; take_line(part, line) && !line.empty();) {
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos) throw malformed;
    if (!same_name(trimmed(line.substr(0, colon)), "Content-Disposition")) continue;
    name = header_parameter(line.substr(colon + 1), "name");
  }
  if (!name) throw malformed;
  add(std::move(*name), std::string(part), all);
}

std::string_view media_type(std::string_view content_type) {
  return trimmed(content_type.substr(0, content_type.find(';')));
}

}  // namespace

std::string percent_decoded(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      decoded += ' ';
    } else if (text[i] != '%') {
      decoded += text[i];
    } else {
      const int high = i + 2 < text.size() ? hex_value(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_value(text[i + 2]) : -1;
      if (high < 0 || low < 0) throw HttpError(400, "'%' without two hexadecimal digits");
      decoded += static_cast<char>(16 * high + low);
      i += 2;
    }
  }
  return decoded;
}

void read_urlencoded(std::string_view text, Parameters& all) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const size_t equals = std::min(pair.find('='), pair.size());
    add(percent_decoded(pair.substr(0, equals)), percent_decoded(pair.substr(std::min(equals + 1, pair.size()))), all);
  }
}

void read_multipart(std::string_view content_type, std::string_view body, Parameters& all) {
  const auto boundary = header_parameter(content_type, "boundary");
  if (!boundary || boundary->empty() || boundary->size() > 70)
    throw HttpError(400, "a multipart form needs a boundary of 1 to 70 characters");
  // Every delimiter but the first has a line end before it, which belongs to it.
  const std::string delimiter = "\r\n--" + *boundary;
  const HttpError unfinished(400, "the multipart form does not end with its boundary");
  size_t at = body.starts_with(std::string_view(delimiter).substr(2)) ? 0 : body.find(delimiter);
  if (at == std::string_view::npos) throw unfinished;
  at += at == 0 && !body.starts_with(delimiter) ? delimiter.size() - 2 : delimiter.size();
  while (!body.substr(at).starts_with("--")) {
    const size_t line_end = body.find("\r\n", at);
    if (line_end == std::string_view::npos) throw unfinished;
    // Searches from the line end, since a part may consist of it alone.
    const size_t end = body.find(delimiter, line_end);
    if (end == std::string_view::npos) throw unfinished;
    read_part(body.substr(std::min(line_end + 2, end), end - std::min(line_end + 2, end)), all);
    at = end + delimiter.size();
  }
}

Parameters parameters(const Request& request) {
  Parameters all;
  read_urlencoded(request.query(), all);
  if (request.body.empty()) return all;
  const std::string_view content_type = request.header("Content-Type");
  const std::string_view type = media_type(content_type);
  if (same_name(type, "multipart/form-data")) {
    read_multipart(content_type, request.body, all);
  } else if (same_name(type, "application/x-www-form-urlencoded")) {
    read_urlencoded(request.body, all);
  } else {
    throw HttpError(415, "the body must be application/x-www-form-urlencoded or multipart/form-data");
  }
  return all;
}

}  // namespace espalier::server
