#include "trammel/model/forces/actuator.h"

namespace trammel::model {
namespace {

LawSet actuator_laws(const Item& item, const Description& /*description*/) {
  return {.laws = {{.along = text(item.values, "coordinate"),
                    .formula = text(item.values, "formula"),
                    .quantity = "load"}}};
}

ForceKind actuator(Space space) {
  return {.name = "actuator",
          .space = space,
          .summary = "force or torque along a coordinate, by a formula",
          .fields = {Field{.name = "coordinate",
                           .kind = FieldKind::quantity,
                           .description = "what it acts along, e.g. pin.angle; positive loads "
                                          "increase it"},
                     Field{.name = "formula",
                           .kind = FieldKind::formula,
                           .description = "the load, e.g. -5 N m s * pin.angle_rate"}},
          .mirroring = not_mirrored_with_quantities(),
          .attachments = 0,
          .laws = actuator_laws};
}

LawSet general_laws(const Item& item, const Description& /*description*/) {
  const Values& values = item.values;
  std::vector<LawText> laws;
  for (const char* name :
       {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z", "torque"}) {
    if (!has(values, name)) continue;
    std::string along = name;
    const bool is_torque = along[0] == 't';
    if (along == "torque") along = "torque_z";
    along[along.size() - 2] = '.';
    laws.push_back({.along = along,
                    .formula = text(values, name),
                    .quantity = name,
                    .dimension = is_torque ? core::dimension::torque : core::dimension::force});
  }
  return {.laws = std::move(laws)};
}

ForceKind general_force(Space space, std::initializer_list<const char*> names) {
  std::vector<Field> fields;
  for (const char* name : names) {
    const bool is_torque = name[0] == 't';
    fields.push_back(
        Field{.name = name,
              .kind = FieldKind::formula,
              .dimension = is_torque ? core::dimension::torque : core::dimension::force,
              .description = is_torque ? "torque on the second body, axes of the first frame"
                                       : "force on the second frame's origin, axes of the "
                                         "first frame",
              .optional = true});
  }
  return {.name = "general_force",
          .space = space,
          .summary = "force and torque between two frames, by formulas",
          .fields = std::move(fields),
          .mirroring = not_mirrored_with_quantities(),
          .laws = general_laws};
}

}  // namespace

ForceKind planar_actuator() {
  return actuator(Space::planar);
}
ForceKind spatial_actuator() {
  return actuator(Space::spatial);
}
ForceKind planar_general_force() {
  return general_force(Space::planar, {"force_x", "force_y", "torque"});
}
ForceKind spatial_general_force() {
  return general_force(Space::spatial,
                       {"force_x", "force_y", "force_z", "torque_x", "torque_y", "torque_z"});
}

}  // namespace trammel::model
