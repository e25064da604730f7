#include "trammel/model/connections/element_kinds.h"

#include <algorithm>

namespace trammel::model {
namespace {

// A load on one frame, told by code and not by formulas of places.
bool loads_a_node(const ForceKind& kind) {
  return kind.attachments == 1 && (kind.build_planar != nullptr || kind.build_spatial != nullptr);
}

// Without attachments, it acts along coordinates that it names.
bool names_coordinates(const ForceKind& kind) {
  return std::any_of(kind.fields.begin(), kind.fields.end(), [](const Field& field) {
    return field.kind == FieldKind::quantity || field.kind == FieldKind::quantities;
  });
}

}  // namespace

ElementKind element_kind(Space space, std::string_view type, bool kinematic) {
  if (kinematic) {
    const JointKind* kind = find_joint_kind(space, type);
    return {kind == nullptr ? nullptr : &kind->fields};
  }
  const ForceKind* kind = find_force_kind(space, type);
  if (kind == nullptr || kind->constraint_dependent) return {};
  if (kind->attachments == 1 && !loads_a_node(*kind)) return {};
  if (kind->has_local_names || (kind->attachments == 0 && !names_coordinates(*kind))) return {};
  return {&kind->fields, static_cast<std::size_t>(kind->attachments)};
}

std::vector<std::string> element_kinds(Space space, bool kinematic) {
  std::vector<std::string> names;
  if (kinematic) {
    for (const JointKind& kind : joint_kinds()) {
      if (kind.space == space) names.push_back(kind.name);
    }
    return names;
  }
  for (const ForceKind& kind : force_kinds()) {
    if (element_kind(space, kind.name, false).fields != nullptr && kind.space == space) {
      names.push_back(kind.name);
    }
  }
  return names;
}

}  // namespace trammel::model
