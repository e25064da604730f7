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
  if (!parameter->second) return "0";
  const std::string unit = core::si_unit(parameter->second->dimension);
  return fmt::format("({:.17g}{}{})", parameter->second->value, unit.empty() ? "" : " ", unit);
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
                           const Quantities& parameters) {
  if (prefix.empty()) return std::string(text);
  std::string result;
  const char* copied = text.data();
  for (const std::string_view name : expression::names_in(text)) {
    result.append(copied, name.data());
    result += is_called(text, name) ? std::string(name) : scoped_name(name, prefix, parameters);
    copied = name.data() + name.size();
  }
  result.append(copied, text.data() + text.size());
  return result;
}

}  // namespace trammel::io
