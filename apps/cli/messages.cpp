#include "messages.h"

#include <algorithm>
#include <fstream>
#include <map>

#include "printing.h"
#include "terminal.h"
#include <fmt/format.h>

#include "trammel/core/printable.h"

namespace trammel::cli {
namespace {

constexpr std::size_t most_shown = 50;
constexpr std::size_t widest_excerpt = 90;

std::string coloured_severity(core::Severity severity, const Style& style) {
  return severity == core::Severity::error ? style.red("error") : style.yellow("warning");
}

std::string with_remedy(const std::string& message, const std::string& remedy) {
  return core::printable(remedy.empty() ? message : message + "; " + remedy);
}

std::string headline(const core::Diagnostic& diagnostic, const Style& style) {
  std::string place = diagnostic.file.empty() ? "trammel" : core::printable(diagnostic.file);
  if (diagnostic.line > 0) place += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
  const std::string path = diagnostic.path.empty() ? "" : core::printable(diagnostic.path) + ": ";
  return fmt::format("{}: {}: {}{}\n", style.bold(place),
                     coloured_severity(diagnostic.severity, style), path,
                     with_remedy(diagnostic.message, diagnostic.remedy));
}

// The wanted lines of a file; fewer when it cannot be read.
std::map<int, std::string> lines_of_file(const std::string& file, const std::vector<int>& wanted) {
  std::map<int, std::string> lines;
  if (wanted.empty()) return lines;
  std::ifstream stream(file);
  const int last = *std::max_element(wanted.begin(), wanted.end());
  std::string line;
  for (int number = 1; number <= last && std::getline(stream, line); ++number) {
    if (std::find(wanted.begin(), wanted.end(), number) != wanted.end()) lines[number] = line;
  }
  return lines;
}

bool is_continuation(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

// The line with a caret below the column (counted in bytes from 1). Long lines are cut around it,
// and whatever is no printable text is shown as '?'.
std::string excerpt(std::string line, int number, int column, const Style& style) {
  const auto place = std::min(static_cast<std::size_t>(std::max(column, 1) - 1), line.size());
  std::size_t begin = place > widest_excerpt * 2 / 3 ? place - widest_excerpt / 3 : 0;
  while (begin > 0 && is_continuation(line[begin])) --begin;
  std::size_t end = std::min(begin + widest_excerpt, line.size());
  while (end < line.size() && is_continuation(line[end])) ++end;
  for (char& letter : line) {
    if (letter == '\t') letter = ' ';
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = '?';
  }
  const std::string before = line.substr(begin, place - begin);
  const auto columns = static_cast<std::size_t>(
      std::count_if(before.begin(), before.end(), [](char b) { return !is_continuation(b); }));
  return fmt::format("{} {}\n      {} {}{}\n", style.faint(fmt::format("{:>5} |", number)),
                     core::printable(line.substr(begin, end - begin)), style.faint("|"),
                     std::string(columns, ' '), style.green("^"));
}

// Every file is read once, however many mistakes are in it.
using SourceLines = std::map<std::string, std::map<int, std::string>>;

SourceLines source_lines(const std::vector<core::Diagnostic>& diagnostics, std::size_t shown) {
  std::map<std::string, std::vector<int>> wanted;
  for (std::size_t i = 0; i < shown; ++i) {
    if (diagnostics[i].line > 0) wanted[diagnostics[i].file].push_back(diagnostics[i].line);
  }
  SourceLines lines;
  for (const auto& [file, numbers] : wanted) lines[file] = lines_of_file(file, numbers);
  return lines;
}

}  // namespace

void print(const std::vector<core::Diagnostic>& diagnostics) {
  const Style style = error_style();
  const std::size_t shown = std::min(diagnostics.size(), most_shown);
  const SourceLines lines = source_lines(diagnostics, shown);
  for (std::size_t i = 0; i < shown; ++i) {
    const core::Diagnostic& diagnostic = diagnostics[i];
    print_message("{}", headline(diagnostic, style));
    if (diagnostic.line == 0) continue;
    const auto& known = lines.at(diagnostic.file);
    const auto line = known.find(diagnostic.line);
    if (line == known.end()) continue;
    print_message("{}", excerpt(line->second, diagnostic.line, diagnostic.column, style));
  }
  if (shown < diagnostics.size()) {
    print_message("trammel: {} more are not shown; mend these first\n", diagnostics.size() - shown);
  }
}

void print_error(const std::string& message, const std::string& remedy) {
  const Style style = error_style();
  print_message("{}: {}: {}\n", style.bold("trammel"), style.red("error"),
                with_remedy(message, remedy));
}

void print_warning(const std::string& message, const std::string& remedy) {
  const Style style = error_style();
  print_message("{}: {}: {}\n", style.bold("trammel"), style.yellow("warning"),
                with_remedy(message, remedy));
}

}  // namespace trammel::cli
