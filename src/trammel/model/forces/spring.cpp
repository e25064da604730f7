#include "trammel/model/forces/spring.h"

#include <algorithm>
#include <limits>

namespace trammel::model {

template <class S>
struct Spring<S>::Stretch {
  typename S::Point d;
  typename S::Point d_dot;
  typename S::Point u;  ///< direction, zero where the points coincide
  double length = 0.0;
  double rate = 0.0;
  double tension = 0.0;
};

template <class S>
Spring<S>::Spring(const NodeFrame<S>& a, const NodeFrame<S>& b, Parameters parameters)
    : Force<S>(a.node, b.node), points_{a, b}, parameters_(parameters) {}

template <class S>
auto Spring<S>::stretch(const Kinematics& a, const Kinematics& b) const -> Stretch {
  Stretch s;
  s.d = points_.distance(a, b);
  s.d_dot = points_.rate(a, b);
  s.length = s.d.norm();
  s.u = s.d / std::max(s.length, std::numeric_limits<double>::min());
  s.rate = s.u.dot(s.d_dot);
  s.tension = parameters_.stiffness * (s.length - parameters_.length) +
              parameters_.damping * s.rate + parameters_.preload;
  return s;
}

template <class S>
void Spring<S>::evaluate(const Kinematics& a,
                         const Kinematics& b,
                         double /*t*/,
                         PairVector<S>& f) const {
  const Stretch s = stretch(a, b);
  f = points_.load(a, b, -s.tension * s.u);
}

// With U(L) = k/2 (L - L0)^2 + F0 (L - L0), the discrete gradient by d is
// 2 (U_1 - U_0)/(L_1^2 - L_0^2) (d_0 + d_1)/2, here without its removable singularity.
template <class S>
void Spring<S>::evaluate_between(const StepKinematics<S>& step,
                                 double /*t*/,
                                 PairVector<S>& f) const {
  const typename S::Point d0 = points_.distance(step.a0, step.b0);
  const typename S::Point d1 = points_.distance(step.a1, step.b1);
  const double sum = std::max(d0.norm() + d1.norm(), std::numeric_limits<double>::min());
  const double tension =
      parameters_.stiffness * (0.5 * sum - parameters_.length) + parameters_.preload;
  auto B = points_.B(step.a, step.b);
  const Stretch s = stretch(step.a, step.b);
  f.noalias() = -B.transpose() * (parameters_.damping * s.rate * s.u);
  B.template middleCols<S::rotations>(S::dimension) *= step.turn_a;
  B.template rightCols<S::rotations>() *= step.turn_b;
  f.noalias() -= B.transpose() * (tension / sum * (d0 + d1));
}

template <class S>
void Spring<S>::tangent(const Kinematics& a,
                        const Kinematics& b,
                        double /*t*/,
                        PairMatrix<S>& f_q,
                        PairMatrix<S>& f_v) const {
  using Matrix = Eigen::Matrix<double, S::dimension, S::dimension>;
  const Stretch s = stretch(a, b);
  const auto B = points_.B(a, b);
  const auto C = points_.C(a, b);
  // w = F u;  dw = w_d dd + w_r dd'
  const double inverse = 1.0 / std::max(s.length, std::numeric_limits<double>::min());
  const Matrix uu = s.u * s.u.transpose();
  const Matrix across = inverse * (Matrix::Identity() - uu);  // du/dd
  const Matrix w_d = parameters_.stiffness * uu + s.tension * across +
                     parameters_.damping * s.u * (across * s.d_dot).transpose();
  const Matrix w_r = parameters_.damping * uu;
  f_q.noalias() = -B.transpose() * (w_d * B + w_r * C);
  f_q -= points_.geometric(a, b, s.tension * s.u);
  f_v.noalias() = -B.transpose() * w_r * B;
}

template <class S>
double Spring<S>::potential(const Kinematics& a, const Kinematics& b) const {
  const double extension = points_.distance(a, b).norm() - parameters_.length;
  return 0.5 * parameters_.stiffness * extension * extension + parameters_.preload * extension;
}

template <class S>
ForcePower Spring<S>::power(const Kinematics& a, const Kinematics& b, double /*t*/) const {
  const Stretch s = stretch(a, b);
  return {.dissipated = parameters_.damping * s.rate * s.rate};
}

template <class S>
std::vector<Quantity> Spring<S>::quantities() const {
  return {{"length", "m", "", "distance of the two points"},
          {"rate", "m/s", "", "rate of the length"},
          {"tension", "N", "", "force, positive when pulling"}};
}

template <class S>
void Spring<S>::measure(const Kinematics& a,
                        const Kinematics& b,
                        double /*t*/,
                        double* values) const {
  const Stretch s = stretch(a, b);
  values[0] = s.length;
  values[1] = s.rate;
  values[2] = s.tension;
}

template class Spring<Planar>;
template class Spring<Spatial>;

namespace {

template <class S>
std::unique_ptr<Force<S>> build_spring(const Values& values,
                                       const NodeFrame<S>& a,
                                       const NodeFrame<S>& b) {
  return std::make_unique<Spring<S>>(
      a, b,
      typename Spring<S>::Parameters{number(values, "stiffness"), number(values, "damping"),
                                     number(values, "length"), number(values, "preload")});
}

std::vector<Field> spring_fields() {
  return {Field{.name = "stiffness",
                .dimension = core::dimension::stiffness,
                .description = "force per extension",
                .fallback = 0.0,
                .sign = Sign::non_negative},
          Field{.name = "damping",
                .dimension = core::dimension::damping,
                .description = "force per rate of extension",
                .fallback = 0.0,
                .sign = Sign::non_negative},
          Field{.name = "length",
                .dimension = core::dimension::length,
                .description = "length of the unloaded spring",
                .fallback = 0.0,
                .sign = Sign::non_negative},
          Field{.name = "preload",
                .dimension = core::dimension::force,
                .description = "tension at the unloaded length",
                .fallback = 0.0}};
}

constexpr const char* spring_summary = "spring and damper between two points";

}  // namespace

ForceKind planar_spring() {
  return {.name = "spring",
          .space = Space::planar,
          .summary = spring_summary,
          .fields = spring_fields(),
          .mirroring = mirrored_by_fields(),
          .build_planar = build_spring<Planar>};
}

ForceKind spatial_spring() {
  return {.name = "spring",
          .space = Space::spatial,
          .summary = spring_summary,
          .fields = spring_fields(),
          .mirroring = mirrored_by_fields(),
          .build_spatial = build_spring<Spatial>};
}

}  // namespace trammel::model
