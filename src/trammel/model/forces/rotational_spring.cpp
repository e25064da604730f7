#include "trammel/model/forces/rotational_spring.h"

#include "trammel/model/joint_assembly.h"

namespace trammel::model {
namespace {

PairVector<Planar> velocities(const Planar::Kinematics& a, const Planar::Kinematics& b) {
  PairVector<Planar> v;
  v << a.v, a.w, b.v, b.w;
  return v;
}

PairVector<Spatial> velocities(const Spatial::Kinematics& a, const Spatial::Kinematics& b) {
  PairVector<Spatial> v;
  v << a.v, a.w, b.v, b.w;
  return v;
}

}  // namespace

template <class S>
RotationalSpring<S>::RotationalSpring(RelativeAngle<S> angle, Parameters parameters)
    : Force<S>(angle.a, angle.b), angle_(std::move(angle)), parameters_(parameters) {}

template <class S>
double RotationalSpring<S>::torque(double angle, double rate) const {
  return -parameters_.stiffness * (angle - parameters_.angle) - parameters_.damping * rate;
}

template <class S>
void RotationalSpring<S>::evaluate(const Kinematics& a,
                                   const Kinematics& b,
                                   double /*t*/,
                                   PairVector<S>& f) const {
  const auto phi = angle_.derivatives(a, b);
  f = torque(phi.value, phi.rate) * phi.gradient;
}

template <class S>
void RotationalSpring<S>::tangent(const Kinematics& a,
                                  const Kinematics& b,
                                  double /*t*/,
                                  PairMatrix<S>& f_q,
                                  PairMatrix<S>& f_v) const {
  const auto phi = angle_.derivatives(a, b);
  // phi' = gradient . v, so its derivative by q at fixed v is hessian^T v.
  const PairVector<S> rate_q = phi.hessian.transpose() * velocities(a, b);
  const PairVector<S> torque_q =
      -parameters_.stiffness * phi.gradient - parameters_.damping * rate_q;
  f_q.noalias() = phi.gradient * torque_q.transpose();
  f_q += torque(phi.value, phi.rate) * phi.hessian;
  f_v.noalias() = -parameters_.damping * phi.gradient * phi.gradient.transpose();
}

template <class S>
double RotationalSpring<S>::potential(const Kinematics& a, const Kinematics& b) const {
  const double turned = angle_.value(a, b) - parameters_.angle;
  return 0.5 * parameters_.stiffness * turned * turned;
}

template <class S>
ForcePower RotationalSpring<S>::power(const Kinematics& a,
                                      const Kinematics& b,
                                      double /*t*/) const {
  const double rate = angle_.rate(a, b);
  return {.dissipated = parameters_.damping * rate * rate};
}

template <class S>
std::vector<Quantity> RotationalSpring<S>::quantities() const {
  return {{"angle", "rad", "", "angle of the second frame against the first"},
          {"rate", "rad/s", "", "rate of the angle"},
          {"torque", "N m", "", "torque on the second body about the axis"}};
}

template <class S>
void RotationalSpring<S>::measure(const Kinematics& a,
                                  const Kinematics& b,
                                  double /*t*/,
                                  double* values) const {
  values[0] = angle_.value(a, b);
  values[1] = angle_.rate(a, b);
  values[2] = torque(values[0], values[1]);
}

template class RotationalSpring<Planar>;
template class RotationalSpring<Spatial>;

namespace {

std::vector<Field> fields(Space space) {
  std::vector<Field> fields{Field{.name = "stiffness",
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
                                  .fallback = 0.0}};
  if (space == Space::spatial) {
    fields.push_back({.name = "axis",
                      .kind = FieldKind::direction,
                      .description = "axis of the spring, in the first frame's components",
                      .fallback = Eigen::Vector3d(0, 0, 1)});
    fields.push_back(
        {.name = "axis_b",
         .kind = FieldKind::direction,
         .description = "the same axis in the second frame's components, when different",
         .optional = true});
  }
  return fields;
}

template <class S>
typename RotationalSpring<S>::Parameters parameters(const Values& values) {
  return {number(values, "stiffness"), number(values, "damping"), number(values, "angle")};
}

std::unique_ptr<Force<Planar>> build_planar(const Values& values,
                                            const NodeFrame<Planar>& a,
                                            const NodeFrame<Planar>& b) {
  return std::make_unique<RotationalSpring<Planar>>(angle_about_z(a, b),
                                                    parameters<Planar>(values));
}

std::unique_ptr<Force<Spatial>> build_spatial(const Values& values,
                                              const NodeFrame<Spatial>& a,
                                              const NodeFrame<Spatial>& b) {
  NodeFrame<Spatial> frame_a = a;
  NodeFrame<Spatial> frame_b = b;
  align_z(frame_a, vector(values, "axis"));
  align_z(frame_b, vector(values, has(values, "axis_b") ? "axis_b" : "axis"));
  return std::make_unique<RotationalSpring<Spatial>>(angle_about_z(frame_a, frame_b),
                                                     parameters<Spatial>(values));
}

constexpr const char* summary = "rotational spring and damper about an axis";

}  // namespace

ForceKind planar_rotational_spring() {
  return {.name = "rotational_spring",
          .space = Space::planar,
          .summary = summary,
          .fields = fields(Space::planar),
          .build_planar = build_planar};
}

ForceKind spatial_rotational_spring() {
  return {.name = "rotational_spring",
          .space = Space::spatial,
          .summary = summary,
          .fields = fields(Space::spatial),
          .build_spatial = build_spatial};
}

}  // namespace trammel::model
