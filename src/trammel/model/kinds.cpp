#include "trammel/model/kinds.h"

#include <algorithm>

#include "trammel/model/couplings/couplings.h"
#include "trammel/model/couplings/drives.h"
#include "trammel/model/forces/actuator.h"
#include "trammel/model/forces/beam.h"
#include "trammel/model/forces/bushing.h"
#include "trammel/model/forces/contact.h"
#include "trammel/model/forces/controllers.h"
#include "trammel/model/forces/coordinate_forces.h"
#include "trammel/model/forces/distributed_load.h"
#include "trammel/model/forces/drag.h"
#include "trammel/model/forces/ehd_traction.h"
#include "trammel/model/forces/fung.h"
#include "trammel/model/forces/gas_spring.h"
#include "trammel/model/forces/gravity_field.h"
#include "trammel/model/forces/hydraulic_cylinder.h"
#include "trammel/model/forces/joint_friction.h"
#include "trammel/model/forces/journal_film.h"
#include "trammel/model/forces/law_elements.h"
#include "trammel/model/forces/load.h"
#include "trammel/model/forces/motor.h"
#include "trammel/model/forces/nonlinear_spring.h"
#include "trammel/model/forces/rotational_spring.h"
#include "trammel/model/forces/spring.h"
#include "trammel/model/forces/triangle.h"
#include "trammel/model/forces/viscoelastic.h"
#include "trammel/model/joints/planar/cam.h"
#include "trammel/model/joints/planar/curve_on_curve.h"
#include "trammel/model/joints/planar/distance.h"
#include "trammel/model/joints/planar/fixed.h"
#include "trammel/model/joints/planar/free.h"
#include "trammel/model/joints/planar/pin_in_slot.h"
#include "trammel/model/joints/planar/point_on_curve.h"
#include "trammel/model/joints/planar/prismatic.h"
#include "trammel/model/joints/planar/revolute.h"
#include "trammel/model/joints/planar/rolling.h"
#include "trammel/model/joints/planar/skate.h"
#include "trammel/model/joints/planar/velocity_fixed.h"
#include "trammel/model/joints/spatial/constant_velocity.h"
#include "trammel/model/joints/spatial/curve_on_curve.h"
#include "trammel/model/joints/spatial/cylindrical.h"
#include "trammel/model/joints/spatial/distance.h"
#include "trammel/model/joints/spatial/fixed.h"
#include "trammel/model/joints/spatial/free.h"
#include "trammel/model/joints/spatial/planar.h"
#include "trammel/model/joints/spatial/point_on_curve.h"
#include "trammel/model/joints/spatial/point_on_line.h"
#include "trammel/model/joints/spatial/point_on_plane.h"
#include "trammel/model/joints/spatial/prismatic.h"
#include "trammel/model/joints/spatial/revolute.h"
#include "trammel/model/joints/spatial/revolute_cross.h"
#include "trammel/model/joints/spatial/revolute_spherical.h"
#include "trammel/model/joints/spatial/rolling.h"
#include "trammel/model/joints/spatial/screw.h"
#include "trammel/model/joints/spatial/skate.h"
#include "trammel/model/joints/spatial/spherical.h"
#include "trammel/model/joints/spatial/universal.h"
#include "trammel/model/joints/spatial/velocity_fixed.h"
#include "trammel/model/own_kinds.h"
#include "trammel/model/sensors/sensors.h"

namespace trammel::model {

namespace {

std::vector<JointKind>& joint_registry() {
  static std::vector<JointKind> kinds{
      planar_revolute(),
      planar_prismatic(),
      planar_fixed(),
      planar_distance(),
      planar_pin_in_slot(),
      planar_rolling_disc(),
      planar_rolling_discs(),
      planar_skate(),
      planar_point_on_curve(),
      planar_cam_roller(),
      planar_cam_flat(),
      planar_curve_on_curve(),
      planar_velocity_fixed(),
      planar_free(),
      spatial_spherical(),
      spatial_universal(),
      spatial_revolute(),
      spatial_cylindrical(),
      spatial_prismatic(),
      spatial_fixed(),
      spatial_distance(),
      spatial_screw(),
      spatial_planar(),
      spatial_point_on_line(),
      spatial_point_on_plane(),
      spatial_constant_velocity(),
      spatial_revolute_spherical(),
      spatial_revolute_cross(),
      spatial_rolling_sphere(),
      spatial_rolling_disc(),
      spatial_rolling_wheel(),
      spatial_skate(),
      spatial_point_on_curve(),
      spatial_curve_on_curve(),
      spatial_velocity_fixed(),
      spatial_free(),
  };
  return kinds;
}

std::vector<ForceKind> planar_forces() {
  return {
      planar_spring(),
      planar_rotational_spring(),
      planar_polynomial_spring(),
      planar_table_spring(),
      planar_gas_spring(),
      planar_bushing(),
      planar_force(),
      planar_torque(),
      planar_actuator(),
      planar_general_force(),
      planar_drag(),
      planar_plane_contact(),
      planar_sphere_contact(),
      planar_tyre_spring(),
      coordinate_spring(Space::planar),
      coordinate_stop(Space::planar),
      coordinate_friction(Space::planar),
      lugre_friction(Space::planar),
      joint_friction(Space::planar),
      gravity_field(Space::planar),
      central_gravity(Space::planar),
      surface_load(Space::planar),
      volume_load(Space::planar),
      planar_beam(),
      dc_motor(Space::planar),
      position_servo(Space::planar),
      pid(Space::planar),
      state_space(Space::planar),
      hydraulic_cylinder(Space::planar),
      viscoelastic_spring(Space::planar),
      coordinate_viscoelastic(Space::planar),
      implicit_force(Space::planar),
      parametric_spring(Space::planar),
      matrix_element(Space::planar),
      fung_element(Space::planar),
      triangle(Space::planar),
      planar_journal_film(),
      ehd_traction(),
  };
}

std::vector<ForceKind> spatial_forces() {
  return {
      spatial_spring(),
      spatial_rotational_spring(),
      spatial_polynomial_spring(),
      spatial_table_spring(),
      spatial_gas_spring(),
      spatial_bushing(),
      spatial_force(),
      spatial_torque(),
      spatial_actuator(),
      spatial_general_force(),
      spatial_drag(),
      spatial_plane_contact(),
      spatial_sphere_contact(),
      spatial_tyre_spring(),
      coordinate_spring(Space::spatial),
      coordinate_stop(Space::spatial),
      coordinate_friction(Space::spatial),
      lugre_friction(Space::spatial),
      joint_friction(Space::spatial),
      gravity_field(Space::spatial),
      central_gravity(Space::spatial),
      surface_load(Space::spatial),
      volume_load(Space::spatial),
      spatial_beam(),
      dc_motor(Space::spatial),
      position_servo(Space::spatial),
      pid(Space::spatial),
      state_space(Space::spatial),
      hydraulic_cylinder(Space::spatial),
      viscoelastic_spring(Space::spatial),
      coordinate_viscoelastic(Space::spatial),
      implicit_force(Space::spatial),
      parametric_spring(Space::spatial),
      matrix_element(Space::spatial),
      fung_element(Space::spatial),
      triangle(Space::spatial),
      spatial_journal_film(),
  };
}

std::vector<ForceKind>& force_registry() {
  static std::vector<ForceKind> kinds = [] {
    std::vector<ForceKind> list = planar_forces();
    for (ForceKind& kind : spatial_forces()) list.push_back(std::move(kind));
    return list;
  }();
  return kinds;
}

}  // namespace

const std::vector<JointKind>& joint_kinds() {
  return joint_registry();
}

void register_joint_kind(JointKind kind) {
  if (find_joint_kind(kind.space, kind.name) != nullptr) {
    throw core::InputError("there is a joint kind '" + kind.name + "' already",
                           "choose another name");
  }
  joint_registry().push_back(std::move(kind));
}

const std::vector<ForceKind>& force_kinds() {
  return force_registry();
}

void register_force_kind(ForceKind kind) {
  if (find_force_kind(kind.space, kind.name) != nullptr) {
    throw core::InputError("there is a force kind '" + kind.name + "' already",
                           "choose another name");
  }
  force_registry().push_back(std::move(kind));
}

const std::vector<CouplingKind>& coupling_kinds() {
  static const std::vector<CouplingKind> kinds{
      gear_coupling(), linear_coupling(), curve_coupling(), equation_coupling(), pfaff_coupling(),
  };
  return kinds;
}

const std::vector<CouplingKind>& drive_kinds() {
  static const std::vector<CouplingKind> kinds{
      position_drive(),
      velocity_drive(),
      acceleration_drive(),
      rate_drive(),
  };
  return kinds;
}

const std::vector<SensorKind>& sensor_kinds() {
  static const std::vector<SensorKind> kinds{
      distance_sensor(),    displacement_sensor(), planar_angle_sensor(), spatial_angle_sensor(),
      euler_angle_sensor(), frame_sensor(),        formula_sensor(),
  };
  return kinds;
}

namespace {

template <class Kind>
const Kind* find(const std::vector<Kind>& kinds, Space space, std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) {
    return kind.space == space && kind.name == name;
  });
  return found == kinds.end() ? nullptr : &*found;
}

const CouplingKind* find(const std::vector<CouplingKind>& kinds, std::string_view name) {
  const auto found = std::find_if(kinds.begin(), kinds.end(),
                                  [&](const CouplingKind& kind) { return kind.name == name; });
  return found == kinds.end() ? nullptr : &*found;
}

}  // namespace

const CouplingKind* find_coupling_kind(std::string_view name) {
  return find(coupling_kinds(), name);
}

const CouplingKind* find_drive_kind(std::string_view name) {
  return find(drive_kinds(), name);
}

const SensorKind* find_sensor_kind(Space space, std::string_view name) {
  const auto& kinds = sensor_kinds();
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const SensorKind& kind) {
    return kind.name == name && (!kind.space || *kind.space == space);
  });
  return found == kinds.end() ? nullptr : &*found;
}

const JointKind* find_joint_kind(Space space, std::string_view name) {
  return find(joint_kinds(), space, name);
}

const ForceKind* find_force_kind(Space space, std::string_view name) {
  return find(force_kinds(), space, name);
}

}  // namespace trammel::model
