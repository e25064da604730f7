#include "trammel/model/connections/kinematic_connection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/model/connections/node_motion.h"

namespace trammel::model {
namespace {

using Eigen::Index;

// A part of the way from one pose to another.
Planar::Kinematics between(const Planar::Kinematics& from, const Planar::Kinematics& to, double s) {
  Planar::Kinematics k;
  k.p = from.p + s * (to.p - from.p);
  k.angle = from.angle + s * (to.angle - from.angle);
  k.R = Eigen::Rotation2Dd(k.angle).toRotationMatrix();
  return k;
}
Spatial::Kinematics between(const Spatial::Kinematics& from,
                            const Spatial::Kinematics& to,
                            double s) {
  Spatial::Kinematics k;
  k.p = from.p + s * (to.p - from.p);
  const Eigen::Quaterniond turn(Eigen::Matrix3d(from.R.transpose() * to.R));
  k.R = from.R * math::exponential(s * math::logarithm(turn)).toRotationMatrix();
  return k;
}

Eigen::Matrix<double, 1, 1> turn_between(const Planar::Kinematics& from,
                                         const Planar::Kinematics& to) {
  return Eigen::Matrix<double, 1, 1>(to.angle - from.angle);
}
Eigen::Vector3d turn_between(const Spatial::Kinematics& from, const Spatial::Kinematics& to) {
  return math::logarithm(Eigen::Quaterniond(Eigen::Matrix3d(from.R.transpose() * to.R)));
}

}  // namespace

template <class S>
int KinematicConnection<S>::slot(int node) const {
  return static_cast<int>(std::find(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
}

template <class S>
void KinematicConnection<S>::linearise(const Poses& poses,
                                       double t,
                                       bool holonomic,
                                       Linear& all) const {
  constexpr int f = freedoms;
  const auto& names = holonomic ? row_names_ : velocity_row_names_;
  const auto rows = static_cast<Index>(names.size());
  all.g.setZero(rows);
  all.G_e.setZero(rows, f);
  all.G_i.setZero(rows, internal_size());
  Index row = 0;
  for (const Constraint<S>* constraint : holonomic ? holonomic_ : nonholonomic_) {
    typename Constraint<S>::Rows g;
    typename Constraint<S>::Jacobian G;
    G.setZero();
    constraint->linearise(pose(poses, constraint->node_a()), pose(poses, constraint->node_b()), t,
                          g, G);
    const int slots[2] = {slot(constraint->node_a()), slot(constraint->node_b())};
    for (int i = 0; i < constraint->rows(); ++i, ++row) {
      all.g[row] = g[i];
      for (int end = 0; end < 2; ++end) {
        const auto part = G.row(i).template segment<f>(end * f);
        if (slots[end] == 1) all.G_e.row(row) += part;
        if (slots[end] > 1) {
          all.G_i.row(row).template segment<f>((slots[end] - 2) * f) += part;
        }
      }
    }
  }
}

template <class S>
void KinematicConnection<S>::move_nodes(const double* x, std::size_t first, Poses& poses) const {
  for (std::size_t i = first; i < nodes_.size(); ++i) {
    const Kinematics from = poses[i];
    move_node(x + static_cast<Index>(i - first) * freedoms, from, poses[i]);
  }
}

// ---- the way to a place

// Gauss-Newton steps to G_i^T g = 0.
template <class S>
bool KinematicConnection<S>::place_nodes(Poses& poses, double t) const {
  if (internal_size() == 0) return true;
  Linear all;
  Rows x;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 60; ++round) {
    linearise(poses, t, true, all);
    set_smallest_solution(all.G_i, -all.g, x);
    const double size = x.template lpNorm<Eigen::Infinity>();
    if (!(size < 0.7)) return false;
    move_nodes(x.data(), 2, poses);
    // At the limit of precision steps fall no more.
    if (size < 1e-14 || (size < 1e-11 && size >= before)) return true;
    before = size;
  }
  return false;
}

template <class S>
void KinematicConnection<S>::carry_basis(const Poses& poses, double t, Matrix& basis) const {
  Linear all;
  Matrix inverse;
  linearise(poses, t, true, all);
  set_pseudo_inverse(all.G_i, inverse);
  // Out of the range of G_i, and out of loads that the bodies do not feel.
  Matrix felt = all.G_e;
  const Matrix motion = inverse * all.G_e;
  felt -= all.G_i * motion;
  set_pseudo_inverse(felt, inverse);
  const Matrix inner = inverse * basis;
  const Matrix A = felt * inner;
  PolarFactors polar;
  set_polar_factors(A, polar);
  basis = polar.N;
}

template <class S>
typename S::Point KinematicConnection<S>::arm_of(const Kinematics& b) const {
  return b.p + b.R * anchors_.b - anchors_.a;
}

// Cells of a quarter of a radian and of a quarter of the connection's length.
template <class S>
auto KinematicConnection<S>::cell_of(const Kinematics& b) const -> Cell {
  Cell cell{};
  const typename S::Point shift = (arm_of(b) - arm_of(reference_[1])) / length_;
  const auto turn = turn_between(reference_[1], b);
  for (int i = 0; i < freedoms; ++i) {
    const double x = i < S::dimension ? shift[i] : turn[i - S::dimension];
    cell[static_cast<std::size_t>(i)] =
        std::isfinite(x) ? static_cast<int>(std::lround(std::clamp(4.0 * x, -1e8, 1e8))) : 0;
  }
  return cell;
}

template <class S>
auto KinematicConnection<S>::middle_of(const Cell& cell) const -> Kinematics {
  Eigen::Matrix<double, freedoms, 1> x;
  for (int i = 0; i < freedoms; ++i) x[i] = 0.25 * cell[static_cast<std::size_t>(i)];
  const typename S::Point arm = arm_of(reference_[1]) + length_ * x.template head<S::dimension>();
  x.template head<S::dimension>().setZero();
  Kinematics b;
  move_node(x.data(), reference_[1], b);
  b.p = anchors_.a + arm - b.R * anchors_.b;
  return b;
}

// From the reference; the anchor of b turns about that of a.
template <class S>
auto KinematicConnection<S>::on_the_way(const Kinematics& b, double part) const -> Kinematics {
  Kinematics k = between(reference_[1], b, part);
  const typename S::Point from = arm_of(reference_[1]);
  const typename S::Point to = arm_of(b);
  const double lengths = from.norm() * to.norm();
  const double angle =
      lengths > 0.0 ? std::acos(std::clamp(from.dot(to) / lengths, -1.0, 1.0)) : 0.0;
  typename S::Point arm = from + part * (to - from);
  if (std::sin(angle) > 1e-6) {
    const typename S::Point direction = std::sin((1.0 - part) * angle) * from.normalized() +
                                        std::sin(part * angle) * to.normalized();
    arm = (from.norm() + part * (to.norm() - from.norm())) * direction / std::sin(angle);
  }
  k.p = anchors_.a + arm - k.R * anchors_.b;
  return k;
}

template <class S>
bool KinematicConnection<S>::follow_in_parts(int parts,
                                             const Kinematics& b,
                                             Waypoint& waypoint) const {
  waypoint.poses = reference_;
  waypoint.B = basis_;
  for (int k = 1; k <= parts; ++k) {
    waypoint.poses[1] = k == parts ? b : on_the_way(b, static_cast<double>(k) / parts);
    if (!place_nodes(waypoint.poses, 0.0)) return false;
    carry_basis(waypoint.poses, 0.0, waypoint.B);
  }
  Poses closed = waypoint.poses;
  if (close_near(closed, 20)) {
    waypoint.poses = closed;
    carry_basis(waypoint.poses, 0.0, waypoint.B);
  }
  return true;
}

// More parts where the nodes cannot follow at once.
template <class S>
bool KinematicConnection<S>::find_waypoint(const Cell& cell, Waypoint& waypoint) const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (last_.valid && last_.cell == cell) {
      waypoint = last_;
      return true;
    }
  }
  const Kinematics b = middle_of(cell);
  for (int parts = 4; parts <= 256; parts *= 4) {
    if (!follow_in_parts(parts, b, waypoint)) continue;
    waypoint.cell = cell;
    waypoint.valid = true;
    const std::lock_guard<std::mutex> lock(mutex_);
    last_ = waypoint;
    return true;
  }
  return false;
}

// From the middle of the cell to b.
template <class S>
bool KinematicConnection<S>::reach(const Kinematics& b, double t, Poses& poses) const {
  const Poses start = poses;
  for (int parts = 1; parts <= 64; parts *= 4) {
    poses = start;
    bool there = true;
    for (int k = 1; there && k <= parts; ++k) {
      poses[1] = k == parts ? b : between(start[1], b, static_cast<double>(k) / parts);
      there = place_nodes(poses, t);
    }
    if (there) return true;
  }
  return false;
}

template <class S>
void KinematicConnection<S>::place(const RelativeMotion<S>& motion, double t, Place& at) const {
  constexpr int f = freedoms;
  Waypoint waypoint;
  const bool found = find_waypoint(cell_of(motion.pose), waypoint);
  at.poses = found ? waypoint.poses : reference_;
  at.B = found ? waypoint.B : basis_;
  if (!found || !reach(motion.pose, t, at.poses)) {
    at.poses[1].p.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
  linearise(at.poses, t, true, at.all);
  set_pseudo_inverse(at.all.G_i, at.inverse);
  at.S_i = -at.inverse * at.all.G_e;
  const Matrix inner = at.inverse * at.B;
  const Matrix A = at.B - at.all.G_i * inner;
  set_polar_factors(A, at.polar);

  Eigen::Matrix<double, f, 1> v;
  v << motion.pose.v, motion.pose.w;
  at.poses[1].v = motion.pose.v;
  at.poses[1].w = motion.pose.w;
  for (int i = 0; i < count(); ++i) {
    Kinematics& node = at.poses[static_cast<std::size_t>(i) + 2];
    const Eigen::Matrix<double, f, 1> velocity = at.S_i.template middleRows<f>(i * f) * v;
    node.v = velocity.template head<S::dimension>();
    if constexpr (S::space == Space::planar) {
      node.w = velocity[2];
    } else {
      node.w = velocity.template tail<3>();
    }
  }
  const int total = rows() + velocity_rows();
  at.P.resize(total, f);
  at.value.resize(total);
  at.P.topRows(rows()) = at.polar.N.transpose() * at.all.G_e;
  at.value.head(rows()) = at.polar.N.transpose() * at.all.g;
  if (velocity_rows() == 0) return;
  linearise(at.poses, t, false, at.pfaff);
  const Matrix whole = at.pfaff.G_e + at.pfaff.G_i * at.S_i;
  at.P.bottomRows(velocity_rows()) = velocity_basis_.transpose() * whole;
  at.value.tail(velocity_rows()) = at.P.bottomRows(velocity_rows()) * v;
}

template <class S>
void KinematicConnection<S>::set_bias(const Poses& poses,
                                      double t,
                                      bool holonomic,
                                      Rows& gamma) const {
  Index row = 0;
  for (const Constraint<S>* constraint : holonomic ? holonomic_ : nonholonomic_) {
    typename Constraint<S>::Rows part;
    constraint->bias(pose(poses, constraint->node_a()), pose(poses, constraint->node_b()), t, part);
    for (int i = 0; i < constraint->rows(); ++i) gamma[row++] = part[i];
  }
}

template <class S>
auto KinematicConnection<S>::bias(const RelativeMotion<S>& motion,
                                  const Place& place,
                                  double t) const -> Multipliers {
  Rows gamma = place.all.g;
  set_bias(place.poses, t, true, gamma);
  Multipliers result = place.P * motion.bias;
  result.head(rows()) += place.polar.N.transpose() * gamma;
  if (velocity_rows() == 0) return result;
  Rows pfaff = place.pfaff.g;
  set_bias(place.poses, t, false, pfaff);
  pfaff -= place.pfaff.G_i * (place.inverse * gamma).eval();
  result.tail(velocity_rows()) += velocity_basis_.transpose() * pfaff;
  return result;
}

// ---- tangent

// K += [I S^T] K(mu) [I; S], joint by joint.
template <class S>
void KinematicConnection<S>::add_load_stiffness(
    const Place& place, double t, const Rows& mu, bool holonomic, Relative& K) const {
  Index row = 0;
  for (const Constraint<S>* constraint : holonomic ? holonomic_ : nonholonomic_) {
    PairMatrix<S> part = PairMatrix<S>::Zero();
    constraint->add_stiffness(pose(place.poses, constraint->node_a()),
                              pose(place.poses, constraint->node_b()), t, mu.data() + row, 1.0,
                              part);
    const auto X = pair_motion(*constraint, place);
    K += X.transpose() * part * X;
    row += constraint->rows();
  }
}

// The motion of a joint's nodes with b.
template <class S>
auto KinematicConnection<S>::pair_motion(const Constraint<S>& constraint, const Place& place) const
    -> PairMotion {
  constexpr int f = freedoms;
  PairMotion X = PairMotion::Zero();
  const int slots[2] = {slot(constraint.node_a()), slot(constraint.node_b())};
  for (int end = 0; end < 2; ++end) {
    if (slots[end] == 1) X.template middleRows<f>(end * f).setIdentity();
    if (slots[end] > 1) {
      X.template middleRows<f>(end * f) = place.S_i.template middleRows<f>((slots[end] - 2) * f);
    }
  }
  return X;
}

template <class S>
void KinematicConnection<S>::turn_rows(const Place& place,
                                       double t,
                                       const Matrix& Y,
                                       Turned& turned) const {
  constexpr int f = freedoms;
  for (auto& matrix : turned) matrix.setZero(place.all.g.size(), Y.cols());
  Index row = 0;
  for (const Constraint<S>* constraint : holonomic_) {
    const PairMotion X = pair_motion(*constraint, place);
    const int slots[2] = {slot(constraint->node_a()), slot(constraint->node_b())};
    for (int i = 0; i < constraint->rows(); ++i, ++row) {
      std::array<double, static_cast<std::size_t>(S::dimension)> unit{};
      unit[static_cast<std::size_t>(i)] = 1.0;
      PairMatrix<S> part = PairMatrix<S>::Zero();
      constraint->add_stiffness(pose(place.poses, constraint->node_a()),
                                pose(place.poses, constraint->node_b()), t, unit.data(), 1.0, part);
      const PairMotion along = part * X;  // change of this row of G, by columns
      for (int end = 0; end < 2; ++end) {
        if (slots[end] < 2) continue;
        const auto inner = Y.middleRows((slots[end] - 2) * f, f);
        for (int j = 0; j < f; ++j) {
          turned[static_cast<std::size_t>(j)].row(row) +=
              along.col(j).template segment<f>(end * f).transpose() * inner;
        }
      }
    }
  }
}

template <class S>
auto KinematicConnection<S>::stiffness(const Place& place,
                                       double t,
                                       const Multipliers& lambda) const -> Relative {
  const Multipliers own = lambda.head(rows());
  Rows mu = place.polar.N * own;
  Relative K = Relative::Zero();
  Rows pfaff;
  if (velocity_rows() > 0) {
    pfaff = velocity_basis_ * lambda.tail(velocity_rows());
    mu -= place.inverse.transpose() * (place.pfaff.G_i.transpose() * pfaff).eval();
    add_load_stiffness(place, t, pfaff, false, K);
  }
  add_load_stiffness(place, t, mu, true, K);
  if (internal_size() == 0) return K;
  add_turning(place, t, own, mu, K);
  return K;
}

// (Pi G_e)^T d(mu) of the loads within the left null space of G_i.
template <class S>
void KinematicConnection<S>::add_turning(
    const Place& place, double t, const Multipliers& lambda, const Rows& mu, Relative& K) const {
  // Columns of Y = G_i^+ B, then that of the loads of nonholonomic rows.
  const int r = rows();
  Matrix Y(internal_size(), r + 1);
  Y.leftCols(r) = place.inverse * place.B;
  Y.col(r) = place.inverse * mu;
  Turned turned;
  turn_rows(place, t, Y, turned);
  Matrix felt = place.all.G_e;
  felt += place.all.G_i * place.S_i;
  const Matrix& V = place.polar.V;
  const Multipliers& m = place.polar.m;
  const Matrix A = place.polar.N * V * m.asDiagonal() * V.transpose();
  const Multipliers turned_lambda = (V.transpose() * lambda).cwiseQuotient(m);
  const Multipliers scaled = V * turned_lambda;
  for (int j = 0; j < freedoms; ++j) {
    const auto& D = turned[static_cast<std::size_t>(j)];
    const Rows first = D.leftCols(r) * scaled;
    K.col(j) -= felt.transpose() * first;
    if (velocity_rows() > 0) K.col(j) += felt.transpose() * D.col(r);
    if (r == 0) continue;
    Matrix C = -A.transpose() * D.leftCols(r);
    C += C.transpose().eval();
    C = V.transpose() * C * V;
    for (int k = 0; k < r; ++k) {
      for (int l = 0; l < r; ++l) C(k, l) /= m[k] + m[l];
    }
    const Multipliers inside = C * turned_lambda;
    const Multipliers change = V * inside;
    K.col(j) -= place.P.topRows(r).transpose() * change;
  }
}

// ---- as constraints

template <class S>
LocalPattern ConnectionRows<S>::pattern() const {
  LocalPattern local;
  for (int j = 0; j < pair_freedoms<S>; ++j) {
    for (int i = 0; i < this->rows(); ++i) local.jacobian.emplace_back(i, j);
    for (int i = 0; i < pair_freedoms<S>; ++i) local.stiffness.emplace_back(i, j);
  }
  return local;
}

template <class S>
void ConnectionRows<S>::linearise(
    const Kinematics& a, const Kinematics& b, double t, Rows& g, Jacobian& G) const {
  const RelativeMotion<S> motion(a, b);
  connection_->at_place(motion, t, [&](const auto& place) {
    for (int i = 0; i < this->rows(); ++i) {
      g[i] = place.value[first_ + i];
      G.row(i) = place.P.row(first_ + i) * motion.T;
    }
  });
}

template <class S>
void ConnectionRows<S>::bias(const Kinematics& a,
                             const Kinematics& b,
                             double t,
                             Rows& gamma) const {
  const RelativeMotion<S> motion(a, b);
  connection_->at_place(motion, t, [&](const auto& place) {
    const auto all = connection_->bias(motion, place, t);
    for (int i = 0; i < this->rows(); ++i) gamma[i] = all[first_ + i];
  });
}

template <class S>
void ConnectionRows<S>::add_stiffness(const Kinematics& a,
                                      const Kinematics& b,
                                      double t,
                                      const double* lambda,
                                      double scale,
                                      PairMatrix<S>& K) const {
  const RelativeMotion<S> motion(a, b);
  connection_->at_place(motion, t, [&](const auto& place) {
    typename KinematicConnection<S>::Multipliers all =
        KinematicConnection<S>::Multipliers::Zero(place.value.size());
    for (int i = 0; i < this->rows(); ++i) all[first_ + i] = lambda[i];
    const auto relative = connection_->stiffness(place, t, all);
    K.noalias() += scale * (motion.T.transpose() * relative * motion.T);
    const typename RelativeMotion<S>::Vector w = place.P.transpose() * all;
    motion.add_stiffness(w, scale, K);
  });
}

template class KinematicConnection<Planar>;
template class KinematicConnection<Spatial>;
template class ConnectionRows<Planar>;
template class ConnectionRows<Spatial>;

}  // namespace trammel::model
