#include "trammel/core/diagnostic.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "trammel/core/printable.h"

namespace trammel::core {
namespace {

std::string joined(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) {
    if (!text.empty()) text += '\n';
    text += to_string(diagnostic);
  }
  return text;
}

}  // namespace

std::string to_string(const Diagnostic& diagnostic) {
  std::string text;
  if (!diagnostic.file.empty()) {
    text += printable(diagnostic.file);
    if (diagnostic.line > 0) text += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
    text += ": ";
  }
  text += diagnostic.severity == Severity::error ? "error: " : "warning: ";
  if (!diagnostic.path.empty()) text += printable(diagnostic.path) + ": ";
  text += printable(diagnostic.message);
  if (!diagnostic.remedy.empty()) text += "; " + printable(diagnostic.remedy);
  return text;
}

InputError::InputError(std::vector<Diagnostic> diagnostics)
    : std::runtime_error(joined(diagnostics)), diagnostics_(std::move(diagnostics)) {}

InputError::InputError(std::string message, std::string remedy)
    : InputError(std::vector<Diagnostic>{
          Diagnostic{Severity::error, {}, std::move(message), std::move(remedy), {}, 0, 0}}) {}

RunError::RunError(const std::string& what, const std::string& remedy)
    : std::runtime_error(printable(what)), remedy_(printable(remedy)) {}

void Diagnostics::error(std::string path, std::string message, std::string remedy) {
  list_.push_back(
      {Severity::error, std::move(path), std::move(message), std::move(remedy), {}, 0, 0});
}

void Diagnostics::warning(std::string path, std::string message, std::string remedy) {
  list_.push_back(
      {Severity::warning, std::move(path), std::move(message), std::move(remedy), {}, 0, 0});
}

bool Diagnostics::has_errors() const {
  return std::any_of(list_.begin(), list_.end(),
                     [](const Diagnostic& d) { return d.severity == Severity::error; });
}

void Diagnostics::throw_if_errors() const {
  if (has_errors()) throw InputError(list_);
}

}  // namespace trammel::core
