// Values of an item against the fields of its kind.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/core/names.h"
#include "trammel/model/kinds.h"

namespace trammel::model {
namespace {

using core::Diagnostics;

const char* kind_name(FieldKind kind) {
  switch (kind) {
    case FieldKind::number:
      return "a number";
    case FieldKind::vector:
      return "a vector";
    case FieldKind::direction:
      return "a direction";
    case FieldKind::flag:
      return "true or false";
    case FieldKind::choice:
      return "a word";
    case FieldKind::numbers:
      return "a list of numbers";
    case FieldKind::formula:
      return "a formula";
    case FieldKind::quantity:
      return "the name of a coordinate";
    case FieldKind::quantities:
      return "a list of names of coordinates";
    case FieldKind::formulas:
      return "a list of formulas";
  }
  return "";
}

bool has_kind(const Value& value, FieldKind kind) {
  switch (kind) {
    case FieldKind::number:
      return std::holds_alternative<double>(value);
    case FieldKind::vector:
    case FieldKind::direction:
      return std::holds_alternative<Eigen::Vector3d>(value);
    case FieldKind::flag:
      return std::holds_alternative<bool>(value);
    case FieldKind::choice:
    case FieldKind::formula:
    case FieldKind::quantity:
      return std::holds_alternative<std::string>(value);
    case FieldKind::numbers:
      return std::holds_alternative<std::vector<double>>(value);
    case FieldKind::quantities:
    case FieldKind::formulas:
      return std::holds_alternative<std::vector<std::string>>(value);
  }
  return false;
}

void check_number(const Field& field,
                  const std::string& path,
                  double value,
                  Diagnostics& diagnostics) {
  const std::string unit = core::si_unit(field.dimension);
  if (!std::isfinite(value)) {
    diagnostics.error(path, fmt::format("{} is {}", field.name, value), "give a finite number");
  } else if (field.sign == Sign::positive && value <= 0.0) {
    diagnostics.error(path, fmt::format("{} is {:g} {}", field.name, value, unit),
                      "give a number above zero");
  } else if (field.sign == Sign::non_negative && value < 0.0) {
    diagnostics.error(path, fmt::format("{} is {:g} {}", field.name, value, unit),
                      "give zero or a number above it");
  }
}

void check_value(const Field& field,
                 Space space,
                 const std::string& path,
                 const Value& value,
                 Diagnostics& diagnostics) {
  if (!has_kind(value, field.kind)) {
    diagnostics.error(path, fmt::format("{} must be {}", field.name, kind_name(field.kind)),
                      field.description);
    return;
  }
  if (field.kind == FieldKind::number) {
    check_number(field, path, std::get<double>(value), diagnostics);
  } else if (field.kind == FieldKind::choice) {
    const auto& word = std::get<std::string>(value);
    if (std::find(field.choices.begin(), field.choices.end(), word) == field.choices.end()) {
      diagnostics.error(path, fmt::format("{} is '{}'", field.name, word),
                        core::suggestion(word, field.choices));
    }
  } else if (field.kind == FieldKind::numbers) {
    const auto& list = std::get<std::vector<double>>(value);
    for (const double number : list) check_number(field, path, number, diagnostics);
    const auto not_above = std::adjacent_find(list.begin(), list.end(), std::greater_equal<>());
    if (field.increasing && not_above != list.end()) {
      diagnostics.error(path,
                        fmt::format("{:g} does not come before {:g}", *not_above, not_above[1]),
                        "sort the list; each number must be above the one before it");
    }
  } else if (field.kind == FieldKind::vector || field.kind == FieldKind::direction) {
    const auto& v = std::get<Eigen::Vector3d>(value);
    if (!v.allFinite()) {
      diagnostics.error(path, field.name + " has a component that is not finite",
                        "give finite numbers");
    } else if (field.sign == Sign::non_negative && v.minCoeff() < 0.0) {
      diagnostics.error(path, fmt::format("{} has the component {:g}", field.name, v.minCoeff()),
                        "give zero or numbers above it");
    } else if (field.kind == FieldKind::direction &&
               (space == Space::planar ? v.head<2>().norm() : v.norm()) == 0.0) {
      diagnostics.error(path, field.name + " has length 0",
                        space == Space::planar ? "give a direction, e.g. [1, 0]"
                                               : "give a direction, e.g. [0, 0, 1]");
    }
  }
}

std::vector<std::string> field_names(const std::vector<Field>& fields) {
  std::vector<std::string> names;
  for (const Field& field : fields) names.push_back(field.name);
  return names;
}

}  // namespace

void check_values(const std::vector<Field>& fields,
                  Space space,
                  const std::string& path,
                  Values& values,
                  core::Diagnostics& diagnostics) {
  for (const auto& entry : values) {
    // Not a structured binding: clang 14 cannot capture those.
    const std::string& name = entry.first;
    const Value& value = entry.second;
    const auto field =
        std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
    if (field == fields.end()) {
      diagnostics.error(path + "." + name, fmt::format("unknown key '{}'", name),
                        core::suggestion(name, field_names(fields)));
    } else {
      check_value(*field, space, path + "." + name, value, diagnostics);
    }
  }
  for (const Field& field : fields) {
    if (has(values, field.name)) continue;
    if (field.fallback) {
      values.emplace(field.name, *field.fallback);
    } else if (!field.optional) {
      diagnostics.error(path, fmt::format("'{}' is missing", field.name), field.description);
    }
  }
}

}  // namespace trammel::model
