#include "report_argument.h"

#include <algorithm>
#include <filesystem>

namespace trammel::cli {
namespace {

std::string shell_word(const std::string& text) {
  const auto harmless = [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("._-/=+,:@").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), harmless)) return text;
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted += '\'';
}

}  // namespace

std::string report_beside(const std::string& results) {
  return std::filesystem::path(results).replace_extension(".html").string();
}

std::string reproduction_command(const std::string& model,
                                 const std::vector<std::string>& assignments) {
  std::string command = "trammel run " + shell_word(model);
  for (const std::string& assignment : assignments) {
    command += " --set " + shell_word(assignment);
  }
  return command;
}

}  // namespace trammel::cli
