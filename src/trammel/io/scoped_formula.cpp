#include "trammel/io/scoped_formula.h"

#include <algorithm>

#include <fmt/format.h>

#include "trammel/expression/callables.h"
#include "trammel/expression/scanner.h"

namespace trammel::io {
namespace {

std::string scoped_name(std::string_view name,
                        std::string_view prefix,
                        const Quantities& parameters) {
  const auto& reserved = expression::reserved_names();
  if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) return std::string(name);
  const auto parameter = parameters.find(name);
  if (parameter == parameters.end()) return fmt::format("{}{}", prefix, name);
  // One without value was reported where it is defined.
  return parameter->second ? expression::written(*parameter->second) : "0";
}

/// Functions belong to the whole model.
bool is_called(std::string_view text, std::string_view name) {
  const auto end = static_cast<std::size_t>(name.data() - text.data()) + name.size();
  const std::size_t next = text.find_first_not_of(" \t", end);
  return next != std::string_view::npos && text[next] == '(';
}

}  // namespace

std::string scoped_formula(std::string_view text,
                           std::string_view prefix,
                           const Quantities& parameters,
                           const std::vector<std::string>& own) {
  if (prefix.empty()) return std::string(text);
  return expression::with_names_replaced(text, [&](std::string_view name) {
    const bool stays =
        is_called(text, name) || std::find(own.begin(), own.end(), name) != own.end();
    return stays ? std::string(name) : scoped_name(name, prefix, parameters);
  });
}

}  // namespace trammel::io
