#include "trammel/model/sensors/sensors.h"

#include "trammel/model/euler_coordinate.h"
#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

template <class S>
using Pointer = std::shared_ptr<const Coordinate<S>>;

template <class S>
Pointer<S> distance(const Values& /*values*/, const NodeFrame<S>& a, const NodeFrame<S>& b) {
  return std::make_shared<DistanceCoordinate<S>>(PointPair<S>{a, b});
}

template <class S>
Pointer<S> make_displacement(const Values& values, const NodeFrame<S>& a, const NodeFrame<S>& b) {
  const Eigen::Vector3d axis = vector(values, "axis");
  const typename S::Point direction =
      a.axes * typename S::Point(axis.head<S::dimension>().normalized());
  return std::make_shared<DisplacementCoordinate<S>>(PointPair<S>{a, b}, direction);
}

Pointer<Planar> planar_angle(const Values& /*values*/,
                             const NodeFrame<Planar>& a,
                             const NodeFrame<Planar>& b) {
  return std::make_shared<AngleCoordinate<Planar>>(angle_about_z(a, b));
}

Pointer<Spatial> spatial_angle(const Values& values,
                               const NodeFrame<Spatial>& a,
                               const NodeFrame<Spatial>& b) {
  NodeFrame<Spatial> first = a;
  NodeFrame<Spatial> second = b;
  align_z(first, vector(values, "axis"));
  align_z(second, vector(values, has(values, "axis_b") ? "axis_b" : "axis"));
  return std::make_shared<AngleCoordinate<Spatial>>(angle_about_z(first, second));
}

Pointer<Spatial> euler_angle(const Values& values,
                             const NodeFrame<Spatial>& a,
                             const NodeFrame<Spatial>& b) {
  const std::string& turn = text(values, "turn");
  return std::make_shared<EulerCoordinate>(a, b,
                                           math::EulerSequence::parse(text(values, "sequence")),
                                           turn == "first" ? 0 : (turn == "second" ? 1 : 2));
}

Field axis_field(const Eigen::Vector3d& fallback) {
  return {.name = "axis",
          .kind = FieldKind::direction,
          .description = "direction, in the first frame's components",
          .fallback = fallback};
}

}  // namespace

SensorKind distance_sensor() {
  return {.name = "distance",
          .summary = "distance of two frames' origins",
          .dimension = core::dimension::length,
          .build_planar = distance<Planar>,
          .build_spatial = distance<Spatial>};
}

SensorKind displacement_sensor() {
  return {.name = "displacement",
          .summary = "position of the second frame along an axis of the first",
          .fields = {axis_field(Eigen::Vector3d(1, 0, 0))},
          .dimension = core::dimension::length,
          .build_planar = make_displacement<Planar>,
          .build_spatial = make_displacement<Spatial>};
}

SensorKind planar_angle_sensor() {
  return {.name = "angle",
          .space = Space::planar,
          .summary = "angle of the second frame against the first",
          .dimension = core::dimension::angle,
          .build_planar = planar_angle};
}

SensorKind spatial_angle_sensor() {
  return {.name = "angle",
          .space = Space::spatial,
          .summary = "angle of the second frame against the first about an axis",
          .fields = {axis_field(Eigen::Vector3d(0, 0, 1)),
                     Field{.name = "axis_b",
                           .kind = FieldKind::direction,
                           .description =
                               "the same axis in the second frame's components, when different",
                           .optional = true}},
          .dimension = core::dimension::angle,
          .build_spatial = spatial_angle};
}

SensorKind euler_angle_sensor() {
  return {.name = "euler_angle",
          .space = Space::spatial,
          .summary = "one of the three angles that turn the first frame into the second",
          .fields = {Field{.name = "sequence",
                           .kind = FieldKind::choice,
                           .description = "axes of the three turns, about axes that move along: "
                                          "`zxz` are Euler angles, `xyz` Bryant (Cardan) angles",
                           .choices = euler_sequence_names()},
                     Field{.name = "turn",
                           .kind = FieldKind::choice,
                           .description = "which of the three turns",
                           .choices = {"first", "second", "third"}}},
          .dimension = core::dimension::angle,
          .build_spatial = euler_angle};
}

SensorKind frame_sensor() {
  return {.name = "frame",
          .summary =
              "position, orientation, velocities and accelerations of the second frame as "
              "seen from the first"};
}

SensorKind formula_sensor() {
  return {
      .name = "formula",
      .summary = "a formula of any channels, for outputs",
      .fields = {Field{.name = "formula",
                       .kind = FieldKind::formula,
                       .description = "e.g. hypot(pin.reaction.force.x, pin.reaction.force.y)"}},
      .attachments = 0};
}

}  // namespace trammel::model
