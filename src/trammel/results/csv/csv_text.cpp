#include "trammel/results/csv/csv_text.h"

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

}  // namespace

void append_field(std::string& line, std::string_view text) {
  const bool quoted = text.find_first_of(",\"\n\r\\#") != std::string_view::npos ||
                      (!text.empty() && (text.front() == ' ' || text.back() == ' '));
  if (quoted) line += '"';
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
