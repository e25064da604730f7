#include "trammel/model/forces/contact.h"

#include <cmath>

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Turn1 = Eigen::Matrix<double, 1, 1>;

// w x arm as a map of w; its transpose maps a force to its moment, arm x F.
Matrix3d turn_map(const Vector3d& arm) {
  return -math::skew(arm);
}
Vector2d turn_map(const Vector2d& arm) {
  return perpendicular(arm);
}

// w x arm as a map of the arm.
Matrix3d arm_map(const Vector3d& w) {
  return math::skew(w);
}
Matrix2d arm_map(const Turn1& w) {
  Matrix2d map;
  map << 0.0, -w[0], w[0], 0.0;
  return map;
}

// arm x F as a map of the arm.
Matrix3d moment_map(const Vector3d& force) {
  return -math::skew(force);
}
Eigen::RowVector2d moment_map(const Vector2d& force) {
  return {force.y(), -force.x()};
}

}  // namespace

double hunt_crossley_damping(double restitution, double impact_speed) {
  const double e = restitution;
  if (e >= 1.0) return 0.0;
  // x = a v_i in (0, 1/e): x (1 + e) - log((1 + x)/(1 - e x)) is positive near 0, falls to -inf.
  const auto excess = [e](double x) { return x * (1.0 + e) - std::log1p(x) + std::log1p(-e * x); };
  double low = 0.0;
  double high = 1.0 / e;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (excess(middle) > 0.0 ? low : high) = middle;
  }
  return low / impact_speed;
}

template <class S>
struct Contact<S>::State {
  Point n;            ///< normal, from a to b
  double length = 0;  ///< L
  double depth = 0;   ///< d
  double rate = 0;    ///< L'
  Point arm;          ///< from b's origin to the contact point
  Point slip;         ///< u_t
  double elastic = 0;
  double N = 0;
  double N_depth = 0;  ///< dN/dd
  double N_rate = 0;   ///< dN/dL'
  FrictionCoefficient::Value friction;
  Point force;
};

template <class S>
bool Contact<S>::acts(const Motion& motion) const {
  const Parameters& p = parameters_;
  const double length = p.shape == ContactShape::plane ? p.normal.dot(motion.p) : motion.p.norm();
  const bool has_normal = p.shape == ContactShape::plane || length > 0.0;
  return has_normal && length < p.radius_a + p.radius_b;
}

template <class S>
auto Contact<S>::state(const Motion& motion) const -> State {
  const Parameters& p = parameters_;
  State s;
  const bool plane = p.shape == ContactShape::plane;
  s.length = plane ? p.normal.dot(motion.p) : motion.p.norm();
  s.n = plane ? p.normal : Point(motion.p / s.length);
  s.depth = p.radius_a + p.radius_b - s.length;
  s.rate = s.n.dot(motion.u);
  s.arm = -p.radius_b * s.n;
  s.slip = motion.u - s.rate * s.n + turn_map(s.arm) * motion.w;
  const double power = p.stiffness * std::pow(s.depth, p.exponent - 1.0);
  s.elastic = power * s.depth;
  const double factor = 1.0 - p.damping * s.rate;
  s.N = s.elastic * factor - p.viscous * s.rate;
  if (s.N > 0.0) {
    s.N_depth = p.exponent * power * factor;
    s.N_rate = -p.damping * s.elastic - p.viscous;
  } else {
    s.N = 0.0;
  }
  s.friction = p.friction.at(s.slip.squaredNorm());
  s.force = s.N * (s.n - s.friction.phi * s.slip);
  return s;
}

template <class S>
auto Contact<S>::wrench(const Motion& motion) const -> Wrench {
  const State s = state(motion);
  Wrench W;
  W << s.force, turn_map(s.arm).transpose() * s.force;
  return W;
}

template <class S>
void Contact<S>::slopes(const Motion& motion, Slope& by_pose, Slope& by_rate) const {
  constexpr int n = S::dimension;
  constexpr int r = S::rotations;
  using Matrix = Eigen::Matrix<double, n, n>;
  using Row = Eigen::Matrix<double, 1, n>;
  const Parameters& p = parameters_;
  const State s = state(motion);
  const Matrix across = Matrix::Identity() - s.n * s.n.transpose();
  // Derivatives by p: of the normal, L' and the slip.
  Matrix n_p = Matrix::Zero();
  if (p.shape == ContactShape::sphere) n_p = across / s.length;
  const Row rate_p = motion.u.transpose() * n_p;
  const Matrix slip_p = -p.radius_b * arm_map(motion.w) * n_p - s.rate * n_p - s.n * rate_p;
  const auto slip_w = turn_map(s.arm);
  const auto force_slope = [&](const Row& N_x, const Matrix& n_x, const auto& slip_x) {
    return ((s.n - s.friction.phi * s.slip) * N_x + s.N * n_x - s.N * s.friction.phi * slip_x -
            (2.0 * s.N * s.friction.by_square) * s.slip * (s.slip.transpose() * slip_x))
        .eval();
  };
  const Row N_p = -s.N_depth * s.n.transpose() + s.N_rate * rate_p;
  const Matrix F_p = force_slope(N_p, n_p, slip_p);
  const Matrix F_u = force_slope(s.N_rate * s.n.transpose(), Matrix::Zero(), across);
  const Eigen::Matrix<double, n, r> F_w =
      -s.N * s.friction.phi * slip_w -
      (2.0 * s.N * s.friction.by_square) * s.slip * (s.slip.transpose() * slip_w);
  by_pose.setZero();
  by_pose.template topLeftCorner<n, n>() = F_p;
  by_pose.template bottomLeftCorner<r, n>() =
      slip_w.transpose() * F_p - p.radius_b * moment_map(s.force) * n_p;
  by_rate.template topLeftCorner<n, n>() = F_u;
  by_rate.template topRightCorner<n, r>() = F_w;
  by_rate.template bottomLeftCorner<r, n>() = slip_w.transpose() * F_u;
  by_rate.template bottomRightCorner<r, r>() = slip_w.transpose() * F_w;
}

template <class S>
double Contact<S>::stored(const Motion& motion) const {
  const State s = state(motion);
  return s.elastic * s.depth / (parameters_.exponent + 1.0);
}

template <class S>
ForcePower Contact<S>::spent(const Motion& motion) const {
  const State s = state(motion);
  return {.dissipated = (s.elastic - s.N) * s.rate + s.N * s.friction.phi * s.slip.squaredNorm()};
}

template <class S>
std::vector<Quantity> Contact<S>::quantities() const {
  return {{"depth", "m", "", "penetration; negative: gap"},
          {"normal_force", "N", "", "pressing the bodies apart"},
          {"friction_force", "N", "", "magnitude"},
          {"slip", "m/s", "", "speed of slip, while in contact"}};
}

template <class S>
void Contact<S>::report(const Motion& motion, double* values) const {
  const Parameters& p = parameters_;
  const double length = p.shape == ContactShape::plane ? p.normal.dot(motion.p) : motion.p.norm();
  values[0] = p.radius_a + p.radius_b - length;
  values[1] = values[2] = values[3] = 0.0;
  if (!acts(motion)) return;
  const State s = state(motion);
  values[1] = s.N;
  values[3] = s.slip.norm();
  values[2] = s.N * s.friction.phi * values[3];
}

template class Contact<Planar>;
template class Contact<Spatial>;

}  // namespace trammel::model
