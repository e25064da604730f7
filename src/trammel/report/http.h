// As much of HTTP/1.1 as a page and its data on the same machine need: GET, one request per
// connection, no state.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace trammel::report {

struct HttpRequest {
  std::string method;
  std::string path;  ///< without the query
  std::string host;  ///< of the Host header
};

/// Empty while the head of the request has not arrived completely. A head that is no HTTP gives a
/// request with an empty method.
std::optional<HttpRequest> parse_request(std::string_view bytes);

struct HttpResponse {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
};

/// Status line, headers and body. Nothing may be cached, framed by other sites or sniffed.
std::string to_bytes(const HttpResponse& response);

}  // namespace trammel::report
