#include "trammel/model/forces/rotational_spring.h"

#include "trammel/model/forces/formula_text.h"

namespace trammel::model {

PlanarRotationalSpring::PlanarRotationalSpring(RelativeAngle<Planar> angle, Parameters parameters)
    : Force<Planar>(angle.a, angle.b), angle_(angle), parameters_(parameters) {}

double PlanarRotationalSpring::torque(double angle, double rate) const {
  return -parameters_.stiffness * (angle - parameters_.angle) - parameters_.damping * rate;
}

void PlanarRotationalSpring::evaluate(const Kinematics& a,
                                      const Kinematics& b,
                                      double /*t*/,
                                      PairVector<Planar>& f) const {
  f = torque(angle_.value(a, b), angle_.rate(a, b)) * angle_.gradient(a, b);
}

void PlanarRotationalSpring::tangent(const Kinematics& a,
                                     const Kinematics& b,
                                     double /*t*/,
                                     PairMatrix<Planar>& f_q,
                                     PairMatrix<Planar>& f_v) const {
  // phi is linear in the freedoms.
  const PairVector<Planar> J = angle_.gradient(a, b);
  f_q.noalias() = -parameters_.stiffness * J * J.transpose();
  f_v.noalias() = -parameters_.damping * J * J.transpose();
}

double PlanarRotationalSpring::potential(const Kinematics& a, const Kinematics& b) const {
  const double turned = angle_.value(a, b) - parameters_.angle;
  return 0.5 * parameters_.stiffness * turned * turned;
}

ForcePower PlanarRotationalSpring::power(const Kinematics& a,
                                         const Kinematics& b,
                                         double /*t*/) const {
  const double rate = angle_.rate(a, b);
  return {.dissipated = parameters_.damping * rate * rate};
}

std::vector<Quantity> PlanarRotationalSpring::quantities() const {
  return {{"angle", "rad", "", "angle of the second frame against the first"},
          {"rate", "rad/s", "", "rate of the angle"},
          {"torque", "N m", "", "torque on the second body about the axis"}};
}

void PlanarRotationalSpring::measure(const Kinematics& a,
                                     const Kinematics& b,
                                     double /*t*/,
                                     double* values) const {
  values[0] = angle_.value(a, b);
  values[1] = angle_.rate(a, b);
  values[2] = torque(values[0], values[1]);
}

namespace {

std::vector<Field> rotational_spring_fields(Space space) {
  std::vector<Field> fields{
      Field{.name = "stiffness",
            .dimension = core::dimension::rotational_stiffness,
            .description = "torque per angle",
            .fallback = 0.0,
            .sign = Sign::non_negative},
      Field{.name = "damping",
            .dimension = core::dimension::rotational_damping,
            .description = "torque per angular velocity",
            .fallback = 0.0,
            .sign = Sign::non_negative},
      Field{.name = "angle",
            .dimension = core::dimension::angle,
            .description = "angle of the unloaded spring",
            .fallback = 0.0,
            .mirrored = space == Space::planar ? Mirrored::odd : Mirrored::same}};
  if (space == Space::spatial) {
    fields.push_back({.name = "axis",
                      .kind = FieldKind::direction,
                      .description = "axis of the spring, in the first frame's components",
                      .fallback = Eigen::Vector3d(0, 0, 1),
                      .mirrored = Mirrored::axial});
    fields.push_back(
        {.name = "axis_b",
         .kind = FieldKind::direction,
         .description = "the same axis in the second frame's components, when different",
         .optional = true});
  }
  return fields;
}

std::unique_ptr<Force<Planar>> build_planar_rotational_spring(const Values& values,
                                                              const NodeFrame<Planar>& a,
                                                              const NodeFrame<Planar>& b) {
  return std::make_unique<PlanarRotationalSpring>(
      angle_about_z(a, b),
      PlanarRotationalSpring::Parameters{number(values, "stiffness"), number(values, "damping"),
                                         number(values, "angle")});
}

// ---- in space

std::string angle_of(const Item& item) {
  return item.name + ".angle";
}

std::vector<Item> angle_sensor(const Item& item) {
  Values axes;
  for (const char* name : {"axis", "axis_b"}) {
    if (has(item.values, name)) axes.emplace(name, item.values.at(name));
  }
  return {Item{.name = angle_of(item),
               .type = "angle",
               .attachments = item.attachments,
               .at = item.at,
               .values = std::move(axes)}};
}

LawSet spatial_laws(const Item& item, const Description& /*description*/) {
  const std::string angle = angle_of(item);
  const std::string turned = difference(angle, number(item.values, "angle"));
  const std::string stiffness = digits(number(item.values, "stiffness"));
  const double damping = number(item.values, "damping");
  LawText law{.along = angle,
              .formula = fmt::format("-{}*{}", stiffness, turned),
              .quantity = "torque",
              .dissipates = true,
              .potential = fmt::format("0.5*{}*{}^2", stiffness, turned)};
  // Without a damper it may stand inside a connection, where nothing reads velocities.
  if (damping != 0.0) law.formula += fmt::format(" - {}*{}", digits(damping), rate_of(angle));
  return {.laws = {std::move(law)},
          .outputs = {{item.name + ".rate", angle + "_rate", core::dimension::angular_velocity}}};
}

constexpr const char* rotational_spring_summary = "rotational spring and damper about an axis";

}  // namespace

ForceKind planar_rotational_spring() {
  return {.name = "rotational_spring",
          .space = Space::planar,
          .summary = rotational_spring_summary,
          .fields = rotational_spring_fields(Space::planar),
          .mirroring = mirrored_by_fields(),
          .build_planar = build_planar_rotational_spring};
}

ForceKind spatial_rotational_spring() {
  return {.name = "rotational_spring",
          .space = Space::spatial,
          .summary = rotational_spring_summary,
          .fields = rotational_spring_fields(Space::spatial),
          .mirroring = mirrored_without_axis_b(),
          .laws = spatial_laws,
          .sensors = angle_sensor};
}

}  // namespace trammel::model
