#include "trammel/report/http.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace trammel::report {
namespace {

const char* reason(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    case 405:
      return "Method Not Allowed";
    default:
      return "Service Unavailable";
  }
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const int letter = std::tolower(static_cast<unsigned char>(c));
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

std::string decoded(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hexadecimal(text[i + 1]) >= 0 &&
        hexadecimal(text[i + 2]) >= 0) {
      result += static_cast<char>(16 * hexadecimal(text[i + 1]) + hexadecimal(text[i + 2]));
      i += 2;
    } else {
      result += text[i] == '+' ? ' ' : text[i];
    }
  }
  return result;
}

// "name=length&value=0.3"
std::map<std::string, std::string> read_query(std::string_view text) {
  std::map<std::string, std::string> query;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view entry = text.substr(0, end);
    const std::size_t equal = entry.find('=');
    if (equal != std::string_view::npos) {
      query[decoded(entry.substr(0, equal))] = decoded(entry.substr(equal + 1));
    }
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return query;
}

// The first line: "GET /path?query HTTP/1.1".
void read_request_line(std::string_view line, HttpRequest& request) {
  const std::size_t first = line.find(' ');
  const std::size_t second = line.rfind(' ');
  if (first == std::string_view::npos || second <= first + 1) return;
  if (line.substr(second + 1).substr(0, 7) != "HTTP/1.") return;
  const std::string_view target = line.substr(first + 1, second - first - 1);
  request.method = line.substr(0, first);
  const std::size_t question = target.find('?');
  request.path = target.substr(0, question);
  if (question != std::string_view::npos) request.query = read_query(target.substr(question + 1));
}

}  // namespace

std::optional<HttpRequest> parse_request(std::string_view bytes) {
  const std::size_t end = bytes.find("\r\n\r\n");
  if (end == std::string_view::npos) return std::nullopt;
  HttpRequest request;
  std::string_view rest = bytes.substr(0, end);
  bool first = true;
  while (!rest.empty()) {
    const std::size_t line_end = std::min(rest.find("\r\n"), rest.size());
    const std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(std::min(rest.size(), line_end + 2));
    const std::size_t colon = line.find(':');
    if (first) {
      read_request_line(line, request);
    } else if (colon != std::string_view::npos && lower(line.substr(0, colon)) == "host") {
      request.host = trimmed(line.substr(colon + 1));
    } else if (colon != std::string_view::npos && lower(line.substr(0, colon)) == "x-trammel") {
      request.own_page = true;
    }
    first = false;
  }
  return request;
}

// Frames may be those of notebooks on this machine, not of pages elsewhere.
std::string to_bytes(const HttpResponse& response) {
  std::string bytes = fmt::format(
      "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nContent-Security-Policy: frame-ancestors 'self' "
      "http://localhost:* http://127.0.0.1:* https://localhost:* https://127.0.0.1:*\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n",
      response.status, reason(response.status), response.type, response.body.size());
  return bytes += response.body;
}

}  // namespace trammel::report
