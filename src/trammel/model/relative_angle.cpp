#include "trammel/model/relative_angle.h"

#include <cmath>
#include <numbers>

#include "trammel/model/direction_cosine.h"

namespace trammel::model {
namespace {

using Row = PairVector<Spatial>;

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

double RelativeAngle<Spatial>::stated(const Spatial::Kinematics& ka,
                                      const Spatial::Kinematics& kb,
                                      const Eigen::Vector3d& body_a,
                                      const Eigen::Vector3d& body_b) const {
  const Eigen::Vector3d b_in_a = ka.R.transpose() * (kb.R * (body_b + turn_b));
  return x_a.cross(y_a).dot(b_in_a - body_a - turn_a);
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
  const DirectionCosine c(x_a, n_b, ka, kb, true);
  const DirectionCosine s(y_a, n_b, ka, kb, true);
  Derivatives d;
  d.value = std::atan2(s.value, c.value);
  d.gradient = angle_gradient(s, c);
  d.hessian = angle_hessian(s, c);
  d.rate = d.gradient.dot(velocities(ka, kb));
  return d;
}

PairVector<Spatial> RelativeAngle<Spatial>::gradient(const Spatial::Kinematics& ka,
                                                     const Spatial::Kinematics& kb) const {
  return angle_gradient(DirectionCosine(y_a, n_b, ka, kb, false),
                        DirectionCosine(x_a, n_b, ka, kb, false));
}

RelativeAngle<Planar> angle_about_z(const NodeFrame<Planar>& a, const NodeFrame<Planar>& b) {
  // Frames either side of half a turn are close: whole turns are those that were stated.
  const double apart =
      std::atan2(b.axes(1, 0), b.axes(0, 0)) - std::atan2(a.axes(1, 0), a.axes(0, 0));
  return {a.node, b.node,
          nearest_turn(std::remainder(apart, 2.0 * std::numbers::pi), b.turn[0] - a.turn[0])};
}

RelativeAngle<Spatial> angle_about_z(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b) {
  return {a.node, b.node, a.axes.col(0), a.axes.col(1), b.axes.col(0), a.turn, b.turn};
}

}  // namespace trammel::model
