#include "trammel/model/relative_angle.h"

#include <cmath>
#include <numbers>

#include "trammel/model/joints/primitives/spatial.h"

namespace trammel::model {
namespace {

using Row = Eigen::Matrix<double, pair_freedoms<Spatial>, 1>;

// s_a . s_b with gradient and second derivative: the angle primitive with unit multiplier.
struct Cosine {
  double value = 0.0;
  Row gradient = Row::Zero();
  PairMatrix<Spatial> hessian = PairMatrix<Spatial>::Zero();

  Cosine(const RelativeAngle<Spatial>& angle,
         const Eigen::Vector3d& n_a,
         const Spatial::Kinematics& ka,
         const Spatial::Kinematics& kb,
         bool second) {
    const SpatialAngle primitive(angle.a, n_a, angle.b, angle.n_b);
    Constraint<Spatial>::Rows g;
    Constraint<Spatial>::Jacobian G = Constraint<Spatial>::Jacobian::Zero();
    primitive.linearise(ka, kb, 0.0, g, G);
    value = g[0];
    gradient = G.row(0).transpose();
    const double one = 1.0;
    if (second) primitive.add_stiffness(ka, kb, 0.0, &one, 1.0, hessian);
  }
};

Row velocities(const Spatial::Kinematics& ka, const Spatial::Kinematics& kb) {
  Row v;
  v << ka.v, ka.w, kb.v, kb.w;
  return v;
}

}  // namespace

auto RelativeAngle<Planar>::derivatives(const Planar::Kinematics& ka,
                                        const Planar::Kinematics& kb) const -> Derivatives {
  Derivatives d;
  d.value = value(ka, kb);
  d.rate = rate(ka, kb);
  d.gradient << 0.0, 0.0, -1.0, 0.0, 0.0, 1.0;
  d.hessian.setZero();
  return d;
}

double RelativeAngle<Spatial>::value(const Spatial::Kinematics& ka,
                                     const Spatial::Kinematics& kb) const {
  const Eigen::Vector3d s = ka.R.transpose() * (kb.R * n_b);
  return std::atan2(s.dot(y_a), s.dot(x_a));
}

double RelativeAngle<Spatial>::rate(const Spatial::Kinematics& ka,
                                    const Spatial::Kinematics& kb) const {
  // s in axes of a, turning with the relative angular velocity.
  const Eigen::Vector3d s = ka.R.transpose() * (kb.R * n_b);
  const Eigen::Vector3d s_dot = (ka.R.transpose() * (kb.R * kb.w) - ka.w).cross(s);
  const double c = s.dot(x_a);
  const double n = s.dot(y_a);
  return (c * s_dot.dot(y_a) - n * s_dot.dot(x_a)) / (c * c + n * n);
}

auto RelativeAngle<Spatial>::derivatives(const Spatial::Kinematics& ka,
                                         const Spatial::Kinematics& kb) const -> Derivatives {
  const Cosine c(*this, x_a, ka, kb, true);
  const Cosine s(*this, y_a, ka, kb, true);
  const double rho2 = c.value * c.value + s.value * s.value;
  Derivatives d;
  d.value = std::atan2(s.value, c.value);
  d.gradient = (c.value * s.gradient - s.value * c.gradient) / rho2;
  d.hessian = (s.gradient * c.gradient.transpose() - c.gradient * s.gradient.transpose() +
               c.value * s.hessian - s.value * c.hessian) /
                  rho2 -
              d.gradient * (2.0 / rho2 * (c.value * c.gradient + s.value * s.gradient)).transpose();
  d.rate = d.gradient.dot(velocities(ka, kb));
  return d;
}

RelativeAngle<Planar> angle_about_z(const NodeFrame<Planar>& a, const NodeFrame<Planar>& b) {
  // Frames either side of half a turn are close: whole turns come from the bodies, not from here.
  const double apart =
      std::atan2(b.axes(1, 0), b.axes(0, 0)) - std::atan2(a.axes(1, 0), a.axes(0, 0));
  return {a.node, b.node, std::remainder(apart, 2.0 * std::numbers::pi)};
}

RelativeAngle<Spatial> angle_about_z(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b) {
  return {a.node, b.node, a.axes.col(0), a.axes.col(1), b.axes.col(0)};
}

}  // namespace trammel::model
