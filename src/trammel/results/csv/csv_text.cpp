#include "trammel/results/csv/csv_text.h"

#include <charconv>

namespace trammel::results::csv {
namespace {

std::string unescaped(std::string_view text) {
  std::string plain;
  plain.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      plain += text[i];
      continue;
    }
    const char next = text[++i];
    plain += next == 'n' ? '\n' : next == 'r' ? '\r' : next;
  }
  return plain;
}

// Of a spreadsheet, that is; numbers may have a sign.
bool begins_a_formula(std::string_view text) {
  if (text.empty() || std::string_view("=+-@\t").find(text.front()) == std::string_view::npos) {
    return false;
  }
  double number = 0.0;
  const char* end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, number);
  return read.ec != std::errc{} || read.ptr != end;
}

}  // namespace

void append_field(std::string& line, std::string_view text) {
  const bool formula = begins_a_formula(text);
  const bool quoted = formula || text.find_first_of(",\"\n\r\\#") != std::string_view::npos ||
                      (!text.empty() && (text.front() == ' ' || text.back() == ' '));
  if (quoted) line += '"';
  if (formula) line += '\\';
  for (const char c : text) {
    switch (c) {
      case '"':
        line += "\"\"";
        break;
      case '\\':
        line += "\\\\";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\r':
        line += "\\r";
        break;
      default:
        line += c;
    }
  }
  if (quoted) line += '"';
}

std::string join(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    append_field(line, fields[i]);
  }
  return line;
}

std::vector<std::string> split(std::string_view line) {
  std::vector<std::string> fields;
  std::string raw;
  bool quoted = false;
  bool was_quoted = false;
  const auto close = [&] {
    fields.push_back(was_quoted ? unescaped(raw) : raw);
    raw.clear();
    was_quoted = false;
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quoted && c == '"' && i + 1 < line.size() && line[i + 1] == '"') {
      raw += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
      was_quoted = true;
    } else if (c == ',' && !quoted) {
      close();
    } else {
      raw += c;
    }
  }
  close();
  return fields;
}

}  // namespace trammel::results::csv
