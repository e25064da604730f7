#include "trammel/model/joints/primitives/spatial.h"

#include "trammel/math/rotation.h"

namespace trammel::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

// First local freedom of each part.
constexpr int ra = 0;
constexpr int xa = 3;
constexpr int rb = 6;
constexpr int xb = 9;

// Adds the dense part (row_start.., column_start..) of size 3 x 3 to a list of entries.
void add_part(std::vector<std::pair<int, int>>& entries, int row, int column) {
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) entries.emplace_back(row + i, column + j);
  }
}

void add_matrix_row(std::vector<std::pair<int, int>>& entries, int first, int count) {
  for (int j = 0; j < count; ++j) entries.emplace_back(0, first + j);
}

// Acceleration of a body-fixed vector l at v' = 0, world axes.
Vector3d bias_of(const Spatial::Kinematics& k, const Vector3d& l) {
  return k.R * k.w.cross(k.w.cross(l));
}

Vector3d rate_of_vector(const Spatial::Kinematics& k, const Vector3d& l) {
  return k.R * k.w.cross(l);
}

// Rows s_a . s_b with G_xa = n_a x (R_a^T s_b), G_xb = n_b x (R_b^T s_a).

LocalPattern angle_pattern(int rows) {
  LocalPattern pattern;
  for (int row = 0; row < rows; ++row) {
    for (const int part : {xa, xb}) {
      for (int j = 0; j < 3; ++j) pattern.jacobian.emplace_back(row, part + j);
    }
  }
  for (const int row : {xa, xb}) {
    for (const int column : {xa, xb}) add_part(pattern.stiffness, row, column);
  }
  return pattern;
}

double angle_row(const Spatial::Kinematics& a,
                 const Vector3d& n_a,
                 const Spatial::Kinematics& b,
                 const Vector3d& n_b,
                 int row,
                 Constraint<Spatial>::Jacobian& G) {
  const Vector3d s_a = a.R * n_a;
  const Vector3d s_b = b.R * n_b;
  G.block<1, 3>(row, xa) = n_a.cross(a.R.transpose() * s_b).transpose();
  G.block<1, 3>(row, xb) = n_b.cross(b.R.transpose() * s_a).transpose();
  return s_a.dot(s_b);
}

double angle_bias(const Spatial::Kinematics& a,
                  const Vector3d& n_a,
                  const Spatial::Kinematics& b,
                  const Vector3d& n_b) {
  return (b.R * n_b).dot(bias_of(a, n_a)) + (a.R * n_a).dot(bias_of(b, n_b)) +
         2.0 * rate_of_vector(a, n_a).dot(rate_of_vector(b, n_b));
}

// n_a carries the multiplier.
void add_angle_stiffness(const Spatial::Kinematics& a,
                         const Vector3d& n_a,
                         const Spatial::Kinematics& b,
                         const Vector3d& n_b,
                         PairMatrix<Spatial>& K) {
  const Matrix3d R_ab = a.R.transpose() * b.R;
  const Matrix3d N_a = skew(n_a);
  const Matrix3d N_b = skew(n_b);
  const Matrix3d coupling = N_a * R_ab * N_b;
  K.block<3, 3>(xa, xa) += N_a * skew(R_ab * n_b);
  K.block<3, 3>(xa, xb) -= coupling;
  K.block<3, 3>(xb, xa) -= coupling.transpose();
  K.block<3, 3>(xb, xb) += N_b * skew(R_ab.transpose() * n_a);
}

}  // namespace

// ---- coincident points: G = [-I, R_a skew(l_a), I, -R_b skew(l_b)]

SpatialCoincidentPoints::SpatialCoincidentPoints(const NodeFrame<Spatial>& a,
                                                 const NodeFrame<Spatial>& b)
    : Constraint(a.node, b.node, 3), l_a_(a.l), l_b_(b.l) {}

LocalPattern SpatialCoincidentPoints::pattern() const {
  LocalPattern pattern;
  for (int i = 0; i < 3; ++i) {
    pattern.jacobian.emplace_back(i, ra + i);
    pattern.jacobian.emplace_back(i, rb + i);
  }
  add_part(pattern.jacobian, 0, xa);
  add_part(pattern.jacobian, 0, xb);
  add_part(pattern.stiffness, xa, xa);
  add_part(pattern.stiffness, xb, xb);
  return pattern;
}

void SpatialCoincidentPoints::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  g = b.p + b.R * l_b_ - a.p - a.R * l_a_;
  for (int i = 0; i < 3; ++i) {
    G(i, ra + i) = -1.0;
    G(i, rb + i) = 1.0;
  }
  G.block<3, 3>(0, xa) = a.R * skew(l_a_);
  G.block<3, 3>(0, xb) = b.R * skew(-l_b_);
}

void SpatialCoincidentPoints::bias(const Kinematics& a,
                                   const Kinematics& b,
                                   double /*t*/,
                                   Rows& gamma) const {
  gamma = bias_of(b, l_b_) - bias_of(a, l_a_);
}

void SpatialCoincidentPoints::add_stiffness(const Kinematics& a,
                                            const Kinematics& b,
                                            double /*t*/,
                                            const double* lambda,
                                            double scale,
                                            PairMatrix<Spatial>& K) const {
  const Vector3d f = scale * Eigen::Map<const Vector3d>(lambda);
  K.block<3, 3>(xa, xa) -= skew(l_a_) * skew(a.R.transpose() * f);
  K.block<3, 3>(xb, xb) += skew(l_b_) * skew(b.R.transpose() * f);
}

// ---- angle

SpatialAngle::SpatialAngle(
    int node_a, const Vector3d& n_a, int node_b, const Vector3d& n_b, double cosine)
    : Constraint(node_a, node_b, 1), n_a_(n_a), n_b_(n_b), cosine_(cosine) {}

LocalPattern SpatialAngle::pattern() const {
  return angle_pattern(1);
}

void SpatialAngle::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  g[0] = angle_row(a, n_a_, b, n_b_, 0, G) - cosine_;
}

void SpatialAngle::bias(const Kinematics& a, const Kinematics& b, double /*t*/, Rows& gamma) const {
  gamma[0] = angle_bias(a, n_a_, b, n_b_);
}

void SpatialAngle::add_stiffness(const Kinematics& a,
                                 const Kinematics& b,
                                 double /*t*/,
                                 const double* lambda,
                                 double scale,
                                 PairMatrix<Spatial>& K) const {
  add_angle_stiffness(a, scale * lambda[0] * n_a_, b, n_b_, K);
}

// ---- parallel axes: two angle rows; the multipliers combine x_a and y_a to one direction

SpatialParallelAxes::SpatialParallelAxes(
    int node_a, const Vector3d& x_a, const Vector3d& y_a, int node_b, const Vector3d& z_b)
    : Constraint(node_a, node_b, 2), x_a_(x_a), y_a_(y_a), z_b_(z_b) {}

LocalPattern SpatialParallelAxes::pattern() const {
  return angle_pattern(2);
}

void SpatialParallelAxes::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  g[0] = angle_row(a, x_a_, b, z_b_, 0, G);
  g[1] = angle_row(a, y_a_, b, z_b_, 1, G);
}

void SpatialParallelAxes::bias(const Kinematics& a,
                               const Kinematics& b,
                               double /*t*/,
                               Rows& gamma) const {
  gamma[0] = angle_bias(a, x_a_, b, z_b_);
  gamma[1] = angle_bias(a, y_a_, b, z_b_);
}

void SpatialParallelAxes::add_stiffness(const Kinematics& a,
                                        const Kinematics& b,
                                        double /*t*/,
                                        const double* lambda,
                                        double scale,
                                        PairMatrix<Spatial>& K) const {
  add_angle_stiffness(a, scale * (lambda[0] * x_a_ + lambda[1] * y_a_), b, z_b_, K);
}

// ---- point in plane: with e = R_a^T (p_b - r_a),
//      G = [-s^T, (n x e)^T, s^T, (l_b x R_b^T s)^T]

SpatialPointInPlane::SpatialPointInPlane(const NodeFrame<Spatial>& a,
                                         const Vector3d& normal_a,
                                         const NodeFrame<Spatial>& b)
    : Constraint(a.node, b.node, 1), l_a_(a.l), n_a_(normal_a), l_b_(b.l) {}

LocalPattern SpatialPointInPlane::pattern() const {
  LocalPattern pattern;
  add_matrix_row(pattern.jacobian, 0, 12);
  for (const int other : {ra, xa, rb, xb}) {
    add_part(pattern.stiffness, xa, other);
    if (other != xa) add_part(pattern.stiffness, other, xa);
  }
  add_part(pattern.stiffness, xb, xb);
  return pattern;
}

void SpatialPointInPlane::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  const Vector3d s = a.R * n_a_;
  const Vector3d e = a.R.transpose() * (b.p + b.R * l_b_ - a.p);
  g[0] = n_a_.dot(e - l_a_);
  G.block<1, 3>(0, ra) = -s.transpose();
  G.block<1, 3>(0, xa) = n_a_.cross(e).transpose();
  G.block<1, 3>(0, rb) = s.transpose();
  G.block<1, 3>(0, xb) = l_b_.cross(b.R.transpose() * s).transpose();
}

void SpatialPointInPlane::bias(const Kinematics& a,
                               const Kinematics& b,
                               double /*t*/,
                               Rows& gamma) const {
  const Vector3d d = b.p + b.R * l_b_ - a.p - a.R * l_a_;
  const Vector3d d_dot = b.v + rate_of_vector(b, l_b_) - a.v - rate_of_vector(a, l_a_);
  gamma[0] = bias_of(a, n_a_).dot(d) + 2.0 * rate_of_vector(a, n_a_).dot(d_dot) +
             (a.R * n_a_).dot(bias_of(b, l_b_) - bias_of(a, l_a_));
}

void SpatialPointInPlane::add_stiffness(const Kinematics& a,
                                        const Kinematics& b,
                                        double /*t*/,
                                        const double* lambda,
                                        double scale,
                                        PairMatrix<Spatial>& K) const {
  const double f = scale * lambda[0];
  const Matrix3d N = f * skew(n_a_);
  const Vector3d e = a.R.transpose() * (b.p + b.R * l_b_ - a.p);
  const Matrix3d RN = a.R * N;
  const Matrix3d coupling = N * a.R.transpose() * b.R * skew(l_b_);
  K.block<3, 3>(ra, xa) += RN;
  K.block<3, 3>(xa, ra) += RN.transpose();
  K.block<3, 3>(rb, xa) -= RN;
  K.block<3, 3>(xa, rb) -= RN.transpose();
  K.block<3, 3>(xa, xa) += N * skew(e);
  K.block<3, 3>(xa, xb) -= coupling;
  K.block<3, 3>(xb, xa) -= coupling.transpose();
  K.block<3, 3>(xb, xb) += f * skew(l_b_) * skew(b.R.transpose() * (a.R * n_a_));
}

// ---- distance: G = d^T B / L with B = [-I, R_a skew(l_a), I, -R_b skew(l_b)]

SpatialDistance::SpatialDistance(const NodeFrame<Spatial>& a,
                                 const NodeFrame<Spatial>& b,
                                 double length)
    : Constraint(a.node, b.node, 1), l_a_(a.l), l_b_(b.l), length_(length) {}

LocalPattern SpatialDistance::pattern() const {
  LocalPattern pattern;
  add_matrix_row(pattern.jacobian, 0, 12);
  for (const int row : {ra, xa, rb, xb}) {
    for (const int column : {ra, xa, rb, xb}) add_part(pattern.stiffness, row, column);
  }
  return pattern;
}

void SpatialDistance::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  const Vector3d d = b.p + b.R * l_b_ - a.p - a.R * l_a_;
  g[0] = (d.squaredNorm() - length_ * length_) / (2.0 * length_);
  const Vector3d u = d / length_;
  G.block<1, 3>(0, ra) = -u.transpose();
  G.block<1, 3>(0, xa) = -l_a_.cross(a.R.transpose() * u).transpose();
  G.block<1, 3>(0, rb) = u.transpose();
  G.block<1, 3>(0, xb) = l_b_.cross(b.R.transpose() * u).transpose();
}

void SpatialDistance::bias(const Kinematics& a,
                           const Kinematics& b,
                           double /*t*/,
                           Rows& gamma) const {
  const Vector3d d = b.p + b.R * l_b_ - a.p - a.R * l_a_;
  const Vector3d d_dot = b.v + rate_of_vector(b, l_b_) - a.v - rate_of_vector(a, l_a_);
  gamma[0] = (d.dot(bias_of(b, l_b_) - bias_of(a, l_a_)) + d_dot.squaredNorm()) / length_;
}

void SpatialDistance::add_stiffness(const Kinematics& a,
                                    const Kinematics& b,
                                    double /*t*/,
                                    const double* lambda,
                                    double scale,
                                    PairMatrix<Spatial>& K) const {
  const double f = scale * lambda[0] / length_;
  const Vector3d d = b.p + b.R * l_b_ - a.p - a.R * l_a_;
  Eigen::Matrix<double, 3, 12> B;
  B << -Matrix3d::Identity(), a.R * skew(l_a_), Matrix3d::Identity(), b.R * skew(-l_b_);
  K.noalias() += f * B.transpose() * B;
  K.block<3, 3>(xa, xa) -= f * skew(l_a_) * skew(a.R.transpose() * d);
  K.block<3, 3>(xb, xb) += f * skew(l_b_) * skew(b.R.transpose() * d);
}

}  // namespace trammel::model
