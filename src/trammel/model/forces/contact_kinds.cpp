// The kinds of contact that a model file may name.
#include <fmt/format.h>

#include "trammel/model/forces/contact.h"

namespace trammel::model {
namespace {

Field contact_number_field(const char* name,
                           const core::Dimension& dimension,
                           const char* description,
                           const std::optional<Value>& fallback,
                           Sign sign) {
  return {.name = name,
          .dimension = dimension,
          .description = description,
          .fallback = fallback,
          .sign = sign};
}

Field plane_normal_field(Space space) {
  const bool planar = space == Space::planar;
  return {.name = "normal",
          .kind = FieldKind::direction,
          .description = "normal of the plane in the first frame, pointing to the second body",
          .fallback = Eigen::Vector3d(planar ? Eigen::Vector3d::UnitY() : Eigen::Vector3d::UnitZ()),
          .mirrored = Mirrored::polar};
}

std::vector<Field> material_fields() {
  using namespace core::dimension;
  return {contact_number_field("stiffness", none, "k in N = k d^exponent, SI units", std::nullopt,
                               Sign::positive),
          contact_number_field("exponent", none, "1.5: Hertz; 1: linear", 1.5, Sign::positive),
          contact_number_field("restitution", none, "speed after an impact over that before it",
                               1.0, Sign::positive),
          contact_number_field("impact_speed", velocity, "impact speed that has this restitution",
                               1.0, Sign::positive),
          contact_number_field("friction", none, "coefficient of sliding friction", 0.0,
                               Sign::non_negative),
          Field{.name = "static_friction",
                .description = "coefficient at small slip; when left out, that of sliding",
                .sign = Sign::non_negative,
                .optional = true},
          contact_number_field("stribeck_speed", velocity,
                               "slip at which the static part has faded", 1e-2, Sign::positive),
          contact_number_field("slip_speed", velocity, "slip below which friction is smoothed",
                               1e-3, Sign::positive)};
}

FrictionCoefficient friction_of(const Values& values) {
  FrictionCoefficient friction;
  friction.sliding = number(values, "friction");
  friction.sticking =
      has(values, "static_friction") ? number(values, "static_friction") : friction.sliding;
  friction.stribeck_speed = number(values, "stribeck_speed");
  friction.slip_speed = number(values, "slip_speed");
  if (friction.sticking < friction.sliding) {
    throw core::InputError(fmt::format("static_friction {:g} is below friction {:g}",
                                       friction.sticking, friction.sliding),
                           "give a static coefficient at least as large as the sliding one");
  }
  return friction;
}

template <class S>
typename Contact<S>::Parameters contact_material(const Values& values) {
  typename Contact<S>::Parameters p;
  const double restitution = number(values, "restitution");
  if (restitution > 1.0) {
    throw core::InputError(fmt::format("restitution is {:g}", restitution),
                           "give a number above 0, at most 1");
  }
  p.stiffness = number(values, "stiffness");
  p.exponent = number(values, "exponent");
  if (p.exponent < 1.0) {
    throw core::InputError(fmt::format("exponent is {:g}", p.exponent),
                           "give 1 (linear) or more; Hertz' law has 1.5");
  }
  p.damping = hunt_crossley_damping(restitution, number(values, "impact_speed"));
  p.friction = friction_of(values);
  return p;
}

template <class S>
std::unique_ptr<Force<S>> build_plane(const Values& values,
                                      const NodeFrame<S>& a,
                                      const NodeFrame<S>& b) {
  typename Contact<S>::Parameters p = contact_material<S>(values);
  p.normal = vector(values, "normal").head<S::dimension>().normalized();
  p.radius_b = number(values, "radius");
  return std::make_unique<Contact<S>>(a, b, p);
}

template <class S>
std::unique_ptr<Force<S>> build_sphere(const Values& values,
                                       const NodeFrame<S>& a,
                                       const NodeFrame<S>& b) {
  typename Contact<S>::Parameters p = contact_material<S>(values);
  p.shape = ContactShape::sphere;
  p.radius_a = number(values, "first_radius");
  p.radius_b = number(values, "second_radius");
  return std::make_unique<Contact<S>>(a, b, p);
}

template <class S>
std::unique_ptr<Force<S>> build_tyre(const Values& values,
                                     const NodeFrame<S>& a,
                                     const NodeFrame<S>& b) {
  typename Contact<S>::Parameters p;
  p.normal = vector(values, "normal").head<S::dimension>().normalized();
  p.radius_b = number(values, "radius");
  p.stiffness = number(values, "stiffness");
  p.exponent = 1.0;
  p.viscous = number(values, "damping");
  return std::make_unique<Contact<S>>(a, b, p);
}

ForceKind plane_contact(Space space) {
  std::vector<Field> fields{
      plane_normal_field(space),
      contact_number_field("radius", core::dimension::length,
                           "radius of the sphere about the second frame; 0: a point", 0.0,
                           Sign::non_negative)};
  for (Field& field : material_fields()) fields.push_back(std::move(field));
  return {.name = "plane_contact",
          .space = space,
          .summary = "compliant contact of a point or sphere with a plane, with friction",
          .fields = std::move(fields),
          .mirroring = mirrored_by_fields(),
          .build_planar = space == Space::planar ? build_plane<Planar> : nullptr,
          .build_spatial = space == Space::spatial ? build_plane<Spatial> : nullptr};
}

ForceKind sphere_contact(Space space) {
  std::vector<Field> fields{
      contact_number_field("first_radius", core::dimension::length,
                           "radius of the sphere about the first frame", std::nullopt,
                           Sign::positive),
      contact_number_field("second_radius", core::dimension::length,
                           "radius of the sphere about the second frame; 0: a point", std::nullopt,
                           Sign::non_negative)};
  for (Field& field : material_fields()) fields.push_back(std::move(field));
  return {.name = "sphere_contact",
          .space = space,
          .summary = "compliant contact of two spheres (discs), with friction",
          .fields = std::move(fields),
          .mirroring = mirrored_by_fields(),
          .build_planar = space == Space::planar ? build_sphere<Planar> : nullptr,
          .build_spatial = space == Space::spatial ? build_sphere<Spatial> : nullptr};
}

ForceKind tyre_spring(Space space) {
  using namespace core::dimension;
  return {.name = "tyre_spring",
          .space = space,
          .summary = "one-sided spring and damper of a wheel on a plane, normal to it",
          .fields = {plane_normal_field(space),
                     contact_number_field("radius", length,
                                          "of the unloaded wheel about the second frame", 0.0,
                                          Sign::non_negative),
                     contact_number_field("stiffness", stiffness, "force per deflection",
                                          std::nullopt, Sign::positive),
                     contact_number_field("damping", damping, "force per rate of deflection", 0.0,
                                          Sign::non_negative)},
          .mirroring = mirrored_by_fields(),
          .build_planar = space == Space::planar ? build_tyre<Planar> : nullptr,
          .build_spatial = space == Space::spatial ? build_tyre<Spatial> : nullptr};
}

}  // namespace

ForceKind planar_plane_contact() {
  return plane_contact(Space::planar);
}
ForceKind spatial_plane_contact() {
  return plane_contact(Space::spatial);
}
ForceKind planar_sphere_contact() {
  return sphere_contact(Space::planar);
}
ForceKind spatial_sphere_contact() {
  return sphere_contact(Space::spatial);
}
ForceKind planar_tyre_spring() {
  return tyre_spring(Space::planar);
}
ForceKind spatial_tyre_spring() {
  return tyre_spring(Space::spatial);
}

}  // namespace trammel::model
