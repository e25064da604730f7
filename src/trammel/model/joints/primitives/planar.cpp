#include "trammel/model/joints/primitives/planar.h"

namespace trammel::model {
namespace {

using Eigen::Vector2d;

// First local freedom of each part.
constexpr int pa = 0;
constexpr int ta = 2;
constexpr int pb = 3;
constexpr int tb = 5;

}  // namespace

// ---- coincident points

PlanarCoincidentPoints::PlanarCoincidentPoints(const NodeFrame<Planar>& a,
                                               const NodeFrame<Planar>& b)
    : Constraint(a.node, b.node, 2), l_a_(a.l), l_b_(b.l) {}

LocalPattern PlanarCoincidentPoints::pattern() const {
  return {{{0, pa}, {1, pa + 1}, {0, ta}, {1, ta}, {0, pb}, {1, pb + 1}, {0, tb}, {1, tb}},
          {{ta, ta}, {tb, tb}}};
}

void PlanarCoincidentPoints::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  const Vector2d arm_a = a.R * l_a_;
  const Vector2d arm_b = b.R * l_b_;
  g = b.p + arm_b - a.p - arm_a;
  G(0, pa) = -1.0;
  G(1, pa + 1) = -1.0;
  G(0, ta) = arm_a.y();
  G(1, ta) = -arm_a.x();
  G(0, pb) = 1.0;
  G(1, pb + 1) = 1.0;
  G(0, tb) = -arm_b.y();
  G(1, tb) = arm_b.x();
}

void PlanarCoincidentPoints::bias(const Kinematics& a,
                                  const Kinematics& b,
                                  double /*t*/,
                                  Rows& gamma) const {
  gamma = a.w * a.w * (a.R * l_a_) - b.w * b.w * (b.R * l_b_);
}

void PlanarCoincidentPoints::add_stiffness(const Kinematics& a,
                                           const Kinematics& b,
                                           double /*t*/,
                                           const double* lambda,
                                           double scale,
                                           PairMatrix<Planar>& K) const {
  const Vector2d f = scale * Eigen::Map<const Vector2d>(lambda);
  K(ta, ta) += f.dot(a.R * l_a_);
  K(tb, tb) -= f.dot(b.R * l_b_);
}

// ---- fixed relative angle

PlanarAngle::PlanarAngle(int node_a, int node_b, double offset)
    : Constraint(node_a, node_b, 1), offset_(offset) {}

LocalPattern PlanarAngle::pattern() const {
  return {{{0, ta}, {0, tb}}, {}};
}

void PlanarAngle::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  g[0] = b.angle - a.angle - offset_;
  G(0, ta) = -1.0;
  G(0, tb) = 1.0;
}

void PlanarAngle::bias(const Kinematics& /*a*/,
                       const Kinematics& /*b*/,
                       double /*t*/,
                       Rows& gamma) const {
  gamma[0] = 0.0;
}

void PlanarAngle::add_stiffness(const Kinematics& /*a*/,
                                const Kinematics& /*b*/,
                                double /*t*/,
                                const double* /*lambda*/,
                                double /*scale*/,
                                PairMatrix<Planar>& /*K*/) const {}

// ---- point on line: with e = p_b - r_a, G = [-s, perp(s).e, s, s.perp(R_b l_b)]

PlanarPointOnLine::PlanarPointOnLine(const NodeFrame<Planar>& a,
                                     const Vector2d& normal_a,
                                     const NodeFrame<Planar>& b)
    : Constraint(a.node, b.node, 1), l_a_(a.l), n_a_(normal_a), l_b_(b.l) {}

LocalPattern PlanarPointOnLine::pattern() const {
  LocalPattern pattern;
  for (int i = 0; i < 6; ++i) {
    pattern.jacobian.emplace_back(0, i);
    pattern.stiffness.emplace_back(ta, i);
    if (i != ta) pattern.stiffness.emplace_back(i, ta);
  }
  pattern.stiffness.emplace_back(tb, tb);
  return pattern;
}

void PlanarPointOnLine::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  const Vector2d s = a.R * n_a_;
  const Vector2d arm_b = b.R * l_b_;
  const Vector2d e = b.p + arm_b - a.p;
  g[0] = s.dot(e) - n_a_.dot(l_a_);
  G.block<1, 2>(0, pa) = -s.transpose();
  G(0, ta) = perpendicular(s).dot(e);
  G.block<1, 2>(0, pb) = s.transpose();
  G(0, tb) = s.dot(perpendicular(arm_b));
}

void PlanarPointOnLine::bias(const Kinematics& a,
                             const Kinematics& b,
                             double /*t*/,
                             Rows& gamma) const {
  const Vector2d s = a.R * n_a_;
  const Vector2d arm_b = b.R * l_b_;
  const Vector2d e = b.p + arm_b - a.p;
  const Vector2d e_dot = b.v + b.w * perpendicular(arm_b) - a.v;
  gamma[0] =
      -a.w * a.w * s.dot(e) + 2.0 * a.w * perpendicular(s).dot(e_dot) - b.w * b.w * s.dot(arm_b);
}

void PlanarPointOnLine::add_stiffness(const Kinematics& a,
                                      const Kinematics& b,
                                      double /*t*/,
                                      const double* lambda,
                                      double scale,
                                      PairMatrix<Planar>& K) const {
  const double f = scale * lambda[0];
  const Vector2d s = f * (a.R * n_a_);
  const Vector2d turned = perpendicular(s);
  const Vector2d arm_b = b.R * l_b_;
  const double coupling = turned.dot(perpendicular(arm_b));
  K.block<2, 1>(pa, ta) -= turned;
  K.block<1, 2>(ta, pa) -= turned.transpose();
  K.block<2, 1>(pb, ta) += turned;
  K.block<1, 2>(ta, pb) += turned.transpose();
  K(ta, ta) -= s.dot(b.p + arm_b - a.p);
  K(ta, tb) += coupling;
  K(tb, ta) += coupling;
  K(tb, tb) -= s.dot(arm_b);
}

// ---- distance: G = d^T B / L with B = [-I, -perp(R_a l_a), I, perp(R_b l_b)]

PlanarDistance::PlanarDistance(const NodeFrame<Planar>& a,
                               const NodeFrame<Planar>& b,
                               double length)
    : Constraint(a.node, b.node, 1), l_a_(a.l), l_b_(b.l), length_(length) {}

LocalPattern PlanarDistance::pattern() const {
  LocalPattern pattern;
  for (int i = 0; i < 6; ++i) {
    pattern.jacobian.emplace_back(0, i);
    for (int j = 0; j < 6; ++j) pattern.stiffness.emplace_back(i, j);
  }
  return pattern;
}

void PlanarDistance::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  const Vector2d arm_a = a.R * l_a_;
  const Vector2d arm_b = b.R * l_b_;
  const Vector2d d = b.p + arm_b - a.p - arm_a;
  g[0] = (d.squaredNorm() - length_ * length_) / (2.0 * length_);
  const Vector2d u = d / length_;
  G.block<1, 2>(0, pa) = -u.transpose();
  G(0, ta) = -u.dot(perpendicular(arm_a));
  G.block<1, 2>(0, pb) = u.transpose();
  G(0, tb) = u.dot(perpendicular(arm_b));
}

void PlanarDistance::bias(const Kinematics& a,
                          const Kinematics& b,
                          double /*t*/,
                          Rows& gamma) const {
  const Vector2d arm_a = a.R * l_a_;
  const Vector2d arm_b = b.R * l_b_;
  const Vector2d d = b.p + arm_b - a.p - arm_a;
  const Vector2d d_dot = b.v + b.w * perpendicular(arm_b) - a.v - a.w * perpendicular(arm_a);
  gamma[0] = (d.dot(a.w * a.w * arm_a - b.w * b.w * arm_b) + d_dot.squaredNorm()) / length_;
}

void PlanarDistance::add_stiffness(const Kinematics& a,
                                   const Kinematics& b,
                                   double /*t*/,
                                   const double* lambda,
                                   double scale,
                                   PairMatrix<Planar>& K) const {
  const double f = scale * lambda[0] / length_;
  const Vector2d arm_a = a.R * l_a_;
  const Vector2d arm_b = b.R * l_b_;
  const Vector2d d = b.p + arm_b - a.p - arm_a;
  Eigen::Matrix<double, 2, 6> B;
  B << -Eigen::Matrix2d::Identity(), -perpendicular(arm_a), Eigen::Matrix2d::Identity(),
      perpendicular(arm_b);
  K.noalias() += f * B.transpose() * B;
  K(ta, ta) += f * d.dot(arm_a);
  K(tb, tb) -= f * d.dot(arm_b);
}

}  // namespace trammel::model
