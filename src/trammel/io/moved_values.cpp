#include "trammel/io/moved_values.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace trammel::io {
namespace {

using model::Mirrored;

/// Displacements are polar, rotations axial.
void mirror_matrix(const Transform& transform, std::vector<double>& matrix) {
  std::vector<double> signs(transform.signs.begin(), transform.signs.end());
  if (matrix.size() == 9) {
    signs[2] = transform.handedness();
  } else {
    for (const double sign : transform.signs) signs.push_back(transform.handedness() * sign);
  }
  const std::size_t n = signs.size();
  if (matrix.size() != n * n) return;  // refused by the kind itself
  for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] *= signs[i / n] * signs[i % n];
}

// Values of another type than their field's have been reported.
void mirror_value(const Transform& transform, Mirrored nature, model::Value& value) {
  auto* number = std::get_if<double>(&value);
  auto* vector = std::get_if<Eigen::Vector3d>(&value);
  auto* list = std::get_if<std::vector<double>>(&value);
  auto* word = std::get_if<std::string>(&value);
  if (nature == Mirrored::odd && number != nullptr) *number *= transform.handedness();
  if (nature == Mirrored::polar && vector != nullptr) *vector = transform.mirrored(*vector);
  if (nature == Mirrored::axial && vector != nullptr) *vector = transform.mirrored_axial(*vector);
  if (nature == Mirrored::matrix && list != nullptr) mirror_matrix(transform, *list);
  if (nature == Mirrored::hand && word != nullptr && transform.is_mirrored()) {
    *word = *word == "left" ? "right" : "left";
  }
}

/// Vectors are given in world axes, which stand for those of the sub-assembly.
bool in_world_axes(const Kind& kind, const model::Values& values) {
  const auto field = std::find_if(kind.fields.begin(), kind.fields.end(),
                                  [](const model::Field& each) { return each.name == "axes"; });
  if (field == kind.fields.end()) return false;
  const auto given = values.find("axes");
  const model::Value& axes = given != values.end() ? given->second : *field->fallback;
  const auto* word = std::get_if<std::string>(&axes);
  return word != nullptr && *word == "world";
}

/// Why items with these values have no mirror image; empty when they have one.
std::string mirror_refusal(const Kind& kind,
                           std::string_view section,
                           const model::Values& values) {
  const bool possible = kind.mirroring && kind.mirroring->is_possible();
  const std::string reason = kind.mirroring ? kind.mirroring->reason() : "";
  const std::string because = reason.empty() ? "" : ": " + reason;
  if (!possible) {
    return fmt::format("a {} of type '{}' cannot be mirrored{}", section, kind.name, because);
  }
  const std::string& unless = kind.mirroring->unless();
  if (unless.empty() || !values.contains(unless)) return {};
  return fmt::format("a {} of type '{}' with '{}' cannot be mirrored{}", section, kind.name, unless,
                     because);
}

}  // namespace

std::string move_values(const Transform& transform,
                        const Kind& kind,
                        std::string_view section,
                        model::Values& values) {
  if (transform.is_shift()) return {};
  const bool reflects = transform.signs != Eigen::Vector3d::Ones();
  if (reflects) {
    if (std::string problem = mirror_refusal(kind, section, values); !problem.empty())
      return problem;
  }
  const bool world = in_world_axes(kind, values);
  for (const model::Field& field : kind.fields) {
    if (field.fallback) values.try_emplace(field.name, *field.fallback);
    const auto entry = values.find(field.name);
    if (entry == values.end()) continue;
    if (reflects) mirror_value(transform, field.mirrored, entry->second);
    auto* vector = std::get_if<Eigen::Vector3d>(&entry->second);
    if (world && vector != nullptr) *vector = transform.turn * *vector;
  }
  return {};
}

}  // namespace trammel::io
