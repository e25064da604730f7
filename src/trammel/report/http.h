// As much of HTTP/1.1 as a page and its data on the same machine need: GET, and POST with
// everything in its address; one request per connection, no state.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace trammel::report {

struct HttpRequest {
  std::string method;
  std::string path;                               ///< without the query
  std::string host;                               ///< of the Host header
  std::map<std::string, std::string> query = {};  ///< decoded
  /// Has the header X-Trammel, which pages of other sites cannot send without being asked.
  bool own_page = false;
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
