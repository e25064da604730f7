// The vocabulary of the model file: which values a kind of joint or force takes.
//
// One table of fields serves the reader, the published JSON Schema, the reference page, the C++
// builder and the checks, so that they cannot disagree.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <Eigen/Core>

#include "trammel/core/dimension.h"
#include "trammel/model/mirroring.h"

namespace trammel::model {

/// Planar models move in the x-y plane and turn about z; vectors then have z = 0.
enum class Space { planar, spatial };

std::string to_string(Space space);

/// A value of a field, in SI units.
using Value = std::variant<double,
                           bool,
                           std::string,
                           Eigen::Vector3d,
                           std::vector<double>,
                           std::vector<std::string>>;
using Values = std::map<std::string, Value, std::less<>>;

enum class FieldKind {
  number,      ///< double, with a dimension
  vector,      ///< Vector3d, with a dimension; two components in planar models
  direction,   ///< Vector3d without dimension, of non-zero length; need not be normalised
  flag,        ///< bool
  choice,      ///< string, one of `choices`
  numbers,     ///< vector<double>, with a dimension
  formula,     ///< string: an expression of time and measured quantities, with a dimension
  quantity,    ///< string: the name of a coordinate, e.g. "pin.angle"
  quantities,  ///< vector<string>: names of coordinates
  formulas     ///< vector<string>: expressions
};

enum class Sign { any, positive, non_negative };

struct Field {
  std::string name;
  FieldKind kind = FieldKind::number;
  core::Dimension dimension;
  std::string description;           ///< one line for the reference page and the editor
  std::optional<Value> fallback;     ///< the value when none is given; without one it is required
  Sign sign = Sign::any;             ///< of numbers, components and list entries
  bool optional = false;             ///< may be left out although there is no fallback value
  std::vector<std::string> choices;  ///< for choices
  bool increasing = false;           ///< for lists of numbers: each above the one before it
  std::vector<std::string>
      variables{};                     ///< of a formula: names that it alone knows, as u of a curve
  Mirrored mirrored = Mirrored::same;  ///< what becomes of its value in a mirror
};

/// Typed access to values that were checked against their fields. Missing names are a bug of the
/// kind's own code and assert.
double number(const Values& values, std::string_view name);
Eigen::Vector3d vector(const Values& values, std::string_view name);
bool flag(const Values& values, std::string_view name);
const std::string& text(const Values& values, std::string_view name);
const std::vector<double>& numbers(const Values& values, std::string_view name);
const std::vector<std::string>& texts(const Values& values, std::string_view name);
bool has(const Values& values, std::string_view name);

}  // namespace trammel::model
