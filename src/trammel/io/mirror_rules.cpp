#include "trammel/io/mirror_rules.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace trammel::io {
namespace {

using model::Space;

enum class Nature {
  even,    ///< a number that stays
  odd,     ///< a number that changes its sign
  polar,   ///< a vector that is mirrored
  axial,   ///< a vector that is mirrored and reversed
  choice,  ///< a word or flag
};

struct Rule {
  std::string_view field;
  Nature nature;
};

struct KindRules {
  std::string_view kind;
  Space space;
  bool is_joint;
  std::vector<Rule> rules{};
};

const std::vector<KindRules>& all_rules() {
  using enum Nature;
  constexpr Space planar = Space::planar;
  constexpr Space spatial = Space::spatial;
  static const std::vector<KindRules> rules{
      {"revolute", planar, true},
      {"prismatic", planar, true, {{"axis", polar}, {"axis_b", polar}}},
      {"fixed", planar, true},
      {"distance", planar, true, {{"length", even}}},
      {"spherical", spatial, true},
      {"universal", spatial, true, {{"axis", axial}, {"axis_b", axial}}},
      {"revolute", spatial, true, {{"axis", axial}, {"axis_b", axial}}},
      // The angle keeps its value; the displacement along the reversed axis changes its sign.
      {"cylindrical", spatial, true, {{"axis", axial}, {"axis_b", axial}}},
      {"prismatic", spatial, true, {{"axis", polar}, {"axis_b", polar}}},
      {"fixed", spatial, true},
      {"distance", spatial, true, {{"length", even}}},
      {"spring",
       planar,
       false,
       {{"stiffness", even}, {"damping", even}, {"length", even}, {"preload", even}}},
      {"spring",
       spatial,
       false,
       {{"stiffness", even}, {"damping", even}, {"length", even}, {"preload", even}}},
      {"rotational_spring",
       planar,
       false,
       {{"stiffness", even}, {"damping", even}, {"angle", odd}}},
      {"rotational_spring",
       spatial,
       false,
       {{"stiffness", even},
        {"damping", even},
        {"angle", even},
        {"axis", axial},
        {"axis_b", axial}}},
      {"force", planar, false, {{"force", polar}, {"axes", choice}}},
      {"force", spatial, false, {{"force", polar}, {"axes", choice}}},
      {"torque", planar, false, {{"torque", odd}}},
      {"torque", spatial, false, {{"torque", axial}, {"axes", choice}}},
  };
  return rules;
}

const KindRules* find_rules(const Kind& kind, Space space, bool is_joint) {
  const auto found = std::find_if(all_rules().begin(), all_rules().end(), [&](const auto& each) {
    return each.kind == kind.name && each.space == space && each.is_joint == is_joint;
  });
  return found == all_rules().end() ? nullptr : &*found;
}

const Rule* find_rule(const KindRules* rules, std::string_view field) {
  if (rules == nullptr) return nullptr;
  const auto found = std::find_if(rules->rules.begin(), rules->rules.end(),
                                  [&](const Rule& rule) { return rule.field == field; });
  return found == rules->rules.end() ? nullptr : &*found;
}

void mirror_value(const Transform& transform, Nature nature, model::Value& value) {
  if (auto* number = std::get_if<double>(&value)) {
    if (nature == Nature::odd) *number *= transform.handedness();
  } else if (auto* vector = std::get_if<Eigen::Vector3d>(&value)) {
    *vector =
        nature == Nature::axial ? transform.mirrored_axial(*vector) : transform.mirrored(*vector);
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

}  // namespace

bool has_mirror_rules(const Kind& kind, Space space, bool is_joint) {
  const KindRules* rules = find_rules(kind, space, is_joint);
  return rules != nullptr &&
         std::all_of(kind.fields.begin(), kind.fields.end(), [&](const model::Field& field) {
           return find_rule(rules, field.name) != nullptr;
         });
}

std::string move_values(const Transform& transform,
                        const Kind& kind,
                        Space space,
                        bool is_joint,
                        model::Values& values) {
  if (transform.is_shift()) return {};
  const bool reflects = transform.signs != Eigen::Vector3d::Ones();
  if (reflects && !has_mirror_rules(kind, space, is_joint)) {
    return fmt::format("a {} of type '{}' cannot be mirrored", is_joint ? "joint" : "force",
                       kind.name);
  }
  const KindRules* rules = find_rules(kind, space, is_joint);
  const bool world = in_world_axes(kind, values);
  for (const model::Field& field : kind.fields) {
    if (field.fallback) values.try_emplace(field.name, *field.fallback);
    const auto entry = values.find(field.name);
    if (entry == values.end()) continue;
    if (reflects) mirror_value(transform, find_rule(rules, field.name)->nature, entry->second);
    auto* vector = std::get_if<Eigen::Vector3d>(&entry->second);
    if (world && vector != nullptr) *vector = transform.turn * *vector;
  }
  return {};
}

}  // namespace trammel::io
