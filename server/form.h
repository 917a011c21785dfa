// Parameters of a request: from the query, from a form, from a form in several parts (RFC 7578).
// Tested by form_test.cc and fuzz/request_fuzz.cc.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "server/http.h"

namespace espalier::server {

/// Of several parameters of one name the last counts; those of the body win over those of the query.
using Parameters = std::map<std::string, std::string, std::less<>>;

/// Throws an HttpError: 400 if the query or the body is malformed, 415 for a body of another type. Values are any
/// bytes.
Parameters parameters(const Request& request);

/// "a%20b+c" to "a b c"; throws an HttpError if it is malformed.
std::string percent_decoded(std::string_view text);
/// "a=1&b": adds to `all`.
void read_urlencoded(std::string_view text, Parameters& all);
/// `content_type` names the boundary: multipart/form-data; boundary=xyz.
void read_multipart(std::string_view content_type, std::string_view body, Parameters& all);

}  // namespace espalier::server
