#include "trammel/io/mirror_rules.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace trammel::io {
namespace {

using model::Space;

enum class Nature {
  odd,     ///< a number that changes its sign
  polar,   ///< a vector that is mirrored
  axial,   ///< a vector that is mirrored and reversed
  matrix,  ///< over displacements and rotations, row by row
  hand,    ///< right or left
};

struct Rule {
  std::string_view field;
  Nature nature;
};

/// Fields without a rule stay as they are.
struct KindRules {
  std::string_view kind;
  Space space;
  bool is_joint;
  std::vector<Rule> rules{};
  /// Given this field, the zero angle depends on directions that are chosen for the user
  /// and have no mirror image.
  std::string_view unless{};
};

void add_joint_rules(std::vector<KindRules>& list) {
  using enum Nature;
  constexpr Space planar = Space::planar;
  constexpr Space spatial = Space::spatial;
  const std::vector<Rule> hinge{{"axis", axial}, {"axis_b", axial}};
  const std::vector<Rule> slider{{"axis", polar}, {"axis_b", polar}};
  const std::vector<Rule> rolling{{"normal", polar}, {"axle", axial}};
  for (const auto* kind : {"revolute", "fixed", "distance", "rolling_discs"}) {
    list.push_back({kind, planar, true});
  }
  list.push_back({"prismatic", planar, true, slider});
  list.push_back({"pin_in_slot", planar, true, slider});
  // The disc stands to the left of the line.
  list.push_back({"rolling_disc", planar, true, {{"axis", axial}}});
  list.push_back({"skate", planar, true, {{"blade", polar}}});

  for (const auto* kind : {"spherical", "fixed", "distance"}) list.push_back({kind, spatial, true});
  // The angle keeps its value; the displacement along the reversed axis changes its sign.
  for (const auto* kind : {"universal", "revolute", "cylindrical", "planar", "revolute_cross"}) {
    list.push_back({kind, spatial, true, hinge});
  }
  list.push_back({"constant_velocity", spatial, true, hinge, "axis_b"});
  list.push_back({"screw", spatial, true, {{"axis", axial}, {"hand", hand}}, "axis_b"});
  list.push_back({"prismatic", spatial, true, slider, "axis_b"});
  for (const auto* kind : {"point_on_line", "revolute_spherical"}) {
    list.push_back({kind, spatial, true, slider});
  }
  list.push_back({"point_on_plane", spatial, true, {{"normal", polar}}});
  for (const auto* kind : {"rolling_sphere", "rolling_disc", "rolling_wheel"}) {
    list.push_back({kind, spatial, true, rolling});
  }
  list.push_back({"skate", spatial, true, {{"normal", polar}, {"blade", polar}}});
}

void add_force_rules(std::vector<KindRules>& list) {
  using enum Nature;
  constexpr Space planar = Space::planar;
  constexpr Space spatial = Space::spatial;
  for (const Space space : {planar, spatial}) {
    for (const auto* kind : {"spring", "polynomial_spring", "table_spring", "gas_spring",
                             "sphere_contact", "joint_friction", "drag"}) {
      list.push_back({kind, space, false});
    }
    list.push_back({"force", space, false, {{"force", polar}}});
    for (const auto* kind : {"plane_contact", "tyre_spring"}) {
      list.push_back({kind, space, false, {{"normal", polar}}});
    }
    list.push_back({"bushing",
                    space,
                    false,
                    {{"preload_force", polar},
                     {"preload_torque", space == planar ? odd : axial},
                     {"stiffness_matrix", matrix},
                     {"damping_matrix", matrix}}});
  }
  list.push_back({"rotational_spring", planar, false, {{"angle", odd}}});
  list.push_back({"rotational_spring", spatial, false, {{"axis", axial}}, "axis_b"});
  list.push_back({"torque", planar, false, {{"torque", odd}}});
  list.push_back({"torque", spatial, false, {{"torque", axial}}});
}

const std::vector<KindRules>& all_rules() {
  static const std::vector<KindRules> rules = [] {
    std::vector<KindRules> list;
    add_joint_rules(list);
    add_force_rules(list);
    return list;
  }();
  return rules;
}

const KindRules* find_rules(const Kind& kind, Space space, bool is_joint) {
  const auto found = std::find_if(all_rules().begin(), all_rules().end(), [&](const auto& each) {
    return each.kind == kind.name && each.space == space && each.is_joint == is_joint;
  });
  return found == all_rules().end() ? nullptr : &*found;
}

const Rule* find_rule(const KindRules& rules, std::string_view field) {
  const auto found = std::find_if(rules.rules.begin(), rules.rules.end(),
                                  [&](const Rule& rule) { return rule.field == field; });
  return found == rules.rules.end() ? nullptr : &*found;
}

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

void mirror_value(const Transform& transform, Nature nature, model::Value& value) {
  if (auto* number = std::get_if<double>(&value)) {
    if (nature == Nature::odd) *number *= transform.handedness();
  } else if (auto* vector = std::get_if<Eigen::Vector3d>(&value)) {
    *vector =
        nature == Nature::axial ? transform.mirrored_axial(*vector) : transform.mirrored(*vector);
  } else if (auto* list = std::get_if<std::vector<double>>(&value)) {
    mirror_matrix(transform, *list);
  } else if (auto* word = std::get_if<std::string>(&value)) {
    if (transform.is_mirrored()) *word = *word == "left" ? "right" : "left";
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

// A slider's displacement and a distance keep their value in the mirror, an angle in the plane
// changes its sign, a position in the world becomes another function of the placement, a state is
// whatever its own formula makes it: neither names nor dimensions tell which.
constexpr std::string_view unknown_signs =
    ": the mirror keeps some of the quantities that it may read or act along, reverses others and "
    "does neither with positions in the world, and its values do not tell which";

bool reads_quantities(const Kind& kind) {
  using model::FieldKind;
  return std::any_of(kind.fields.begin(), kind.fields.end(), [](const model::Field& field) {
    return field.kind == FieldKind::formula || field.kind == FieldKind::formulas ||
           field.kind == FieldKind::quantity || field.kind == FieldKind::quantities;
  });
}

}  // namespace

bool has_mirror_rules(const Kind& kind, Space space, bool is_joint) {
  return find_rules(kind, space, is_joint) != nullptr;
}

std::string move_values(const Transform& transform,
                        const Kind& kind,
                        Space space,
                        bool is_joint,
                        model::Values& values) {
  if (transform.is_shift()) return {};
  const bool reflects = transform.signs != Eigen::Vector3d::Ones();
  if (reflects && !has_mirror_rules(kind, space, is_joint)) {
    return fmt::format("a {} of type '{}' cannot be mirrored{}", is_joint ? "joint" : "force",
                       kind.name, reads_quantities(kind) ? std::string(unknown_signs) : "");
  }
  const KindRules* rules = find_rules(kind, space, is_joint);
  if (reflects && !rules->unless.empty() && values.contains(std::string(rules->unless))) {
    return fmt::format("a {} of type '{}' with '{}' cannot be mirrored",
                       is_joint ? "joint" : "force", kind.name, rules->unless);
  }
  const bool world = in_world_axes(kind, values);
  for (const model::Field& field : kind.fields) {
    if (field.fallback) values.try_emplace(field.name, *field.fallback);
    const auto entry = values.find(field.name);
    if (entry == values.end()) continue;
    const Rule* rule = reflects ? find_rule(*rules, field.name) : nullptr;
    if (rule != nullptr) mirror_value(transform, rule->nature, entry->second);
    auto* vector = std::get_if<Eigen::Vector3d>(&entry->second);
    if (world && vector != nullptr) *vector = transform.turn * *vector;
  }
  return {};
}

}  // namespace trammel::io
