#include "trammel/report/json_writer.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/json_string.h"

namespace trammel::report {
namespace {

// What a string may contain but a <script> element must not, with its escape.
constexpr std::pair<std::string_view, std::string_view> unsafe[] = {{"<", "\\u003c"},
                                                                    {">", "\\u003e"},
                                                                    {"&", "\\u0026"},
                                                                    {"\xE2\x80\xA8", "\\u2028"},
                                                                    {"\xE2\x80\xA9", "\\u2029"}};

}  // namespace

std::string quoted(std::string_view text) {
  const std::string plain = core::json_string(text);
  std::string out;
  out.reserve(plain.size());
  for (std::string_view rest = plain; !rest.empty();) {
    const auto* found = std::find_if(std::begin(unsafe), std::end(unsafe), [&](const auto& entry) {
      return rest.substr(0, entry.first.size()) == entry.first;
    });
    const bool safe = found == std::end(unsafe);
    out += safe ? rest.substr(0, 1) : found->second;
    rest.remove_prefix(safe ? 1 : found->first.size());
  }
  return out;
}

std::string escaped_html(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

void JsonWriter::separate() {
  if (!first_ && !after_key_) text_ += ',';
  first_ = false;
  after_key_ = false;
}

void JsonWriter::open(char bracket) {
  separate();
  text_ += bracket;
  first_ = true;
}

void JsonWriter::close(char bracket) {
  text_ += bracket;
  first_ = false;
}

void JsonWriter::key(std::string_view name) {
  separate();
  text_ += quoted(name);
  text_ += ':';
  after_key_ = true;
}

void JsonWriter::raw(std::string_view json) {
  separate();
  text_ += json;
}

void JsonWriter::value(std::string_view text) {
  raw(quoted(text));
}

void JsonWriter::value(double number) {
  raw(std::isfinite(number) ? fmt::format("{}", number) : "null");
}

void JsonWriter::value(const Eigen::Ref<const Eigen::VectorXd>& numbers) {
  begin_array();
  for (const double number : numbers) value(number);
  end_array();
}

}  // namespace trammel::report
