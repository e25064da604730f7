#include "trammel/integrators/euler_parameters.h"

#include <cmath>

#include "trammel/core/dense_factors.h"

namespace trammel::integrators {

using Eigen::Vector3d;

EulerParameters euler_rate(const Vector3d& w, const EulerParameters& e) {
  const Vector3d g = e.tail<3>();
  EulerParameters rate;
  rate[0] = -0.5 * w.dot(g);
  rate.tail<3>() = 0.5 * (e[0] * w + g.cross(w));
  return rate;
}

Vector3d angular_velocity(const EulerParameters& e, const EulerParameters& rate) {
  const Vector3d g = e.tail<3>();
  const Vector3d g_rate = rate.tail<3>();
  return 2.0 * (e[0] * g_rate - g.cross(g_rate) - rate[0] * g);
}

EulerParameters solve_midpoint(double d, const Vector3d& p, const EulerParameters& b) {
  return (b + d * euler_rate(p, b)) / (1.0 + 0.25 * d * d * p.squaredNorm());
}

bool unit_midpoint(double d, const Vector3d& p, const EulerParameters& b, EulerParameters& e) {
  const double square = b.squaredNorm();
  const double rest = square - 0.25 * d * d * p.squaredNorm();
  if (!(rest > 0.0)) return false;
  e = (std::sqrt(rest) * b + d * euler_rate(p, b)) / square;
  return true;
}

bool unit_midpoint_by_newton(double d,
                             const Vector3d& p,
                             const EulerParameters& b,
                             EulerParameters& e) {
  constexpr int most = 30;
  constexpr double round_off = 1e-15;
  e = b;
  double mu = 0.0;
  for (int i = 0; i < most; ++i) {
    Eigen::VectorXd residual(5);
    residual << e - d * euler_rate(p, e) + mu * e - b, 0.5 * (e.squaredNorm() - 1.0);
    Eigen::MatrixXd bordered = Eigen::MatrixXd::Zero(5, 5);
    for (int j = 0; j < 4; ++j) {
      const EulerParameters unit = EulerParameters::Unit(j);
      bordered.block<4, 1>(0, j) = (1.0 + mu) * unit - d * euler_rate(p, unit);
    }
    bordered.block<4, 1>(0, 4) = e;
    bordered.block<1, 4>(4, 0) = e.transpose();
    const Eigen::VectorXd step = bordered.partialPivLu().solve(residual);
    if (!step.allFinite()) return false;
    e -= step.head<4>();
    mu -= step[4];
    if (step.norm() < round_off) return true;
  }
  return std::abs(e.norm() - 1.0) < 1e-12;
}

EulerParameters tangent_midpoint(double d,
                                 const Vector3d& p,
                                 const EulerParameters& b,
                                 const EulerParameters& e) {
  const EulerParameters plain = solve_midpoint(d, p, b);
  const EulerParameters border = solve_midpoint(d, p, e);
  return plain - e.dot(plain) / e.dot(border) * border;
}

}  // namespace trammel::integrators
