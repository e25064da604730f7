#include "trammel/model/connections/kinematic_connection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/SVD>
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/model/connections/node_motion.h"

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double rank_tolerance = 1e-8;

// Where frame b stands seen from a; and a pose seen from a brought to where a is now.
Planar::Kinematics seen_from(const Planar::Kinematics& a, const Planar::Kinematics& b) {
  Planar::Kinematics k;
  k.p = a.R.transpose() * (b.p - a.p);
  k.angle = b.angle - a.angle;
  k.R = a.R.transpose() * b.R;
  return k;
}
Spatial::Kinematics seen_from(const Spatial::Kinematics& a, const Spatial::Kinematics& b) {
  Spatial::Kinematics k;
  k.p = a.R.transpose() * (b.p - a.p);
  k.R = a.R.transpose() * b.R;
  return k;
}
Planar::Kinematics carried(const Planar::Kinematics& a, const Planar::Kinematics& seen) {
  Planar::Kinematics k;
  k.p = a.p + a.R * seen.p;
  k.angle = a.angle + seen.angle;
  k.R = Eigen::Rotation2Dd(k.angle).toRotationMatrix();
  return k;
}
Spatial::Kinematics carried(const Spatial::Kinematics& a, const Spatial::Kinematics& seen) {
  Spatial::Kinematics k;
  k.p = a.p + a.R * seen.p;
  k.R = a.R * seen.R;
  return k;
}

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

MatrixXd pseudo_inverse(const MatrixXd& matrix) {
  if (matrix.size() == 0) return MatrixXd::Zero(matrix.cols(), matrix.rows());
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> factors;
  factors.setThreshold(rank_tolerance);
  factors.compute(matrix);
  return factors.pseudoInverse();
}

// An orthonormal basis of the range, by a rank-revealing factorisation.
MatrixXd range_of(const MatrixXd& matrix) {
  if (matrix.size() == 0) return MatrixXd::Zero(matrix.rows(), 0);
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(rank_tolerance);
  factors.compute(matrix);
  return MatrixXd(factors.householderQ()).leftCols(factors.rank());
}

MatrixXd complement_of(const MatrixXd& matrix) {
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(rank_tolerance);
  if (matrix.cols() == 0) return MatrixXd::Identity(matrix.rows(), matrix.rows());
  factors.compute(matrix);
  return MatrixXd(factors.householderQ()).rightCols(matrix.rows() - factors.rank());
}

// A (A^T A)^-1/2: the orthonormal basis nearest to A.
MatrixXd nearest_basis(const MatrixXd& A) {
  if (A.cols() == 0) return A;
  const Eigen::JacobiSVD<MatrixXd> svd(A, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return svd.matrixU() * svd.matrixV().transpose();
}

// Rows that can be taken away without loss of rank, the last ones first.
std::vector<Index> dispensable_rows(MatrixXd G) {
  std::vector<Index> rows;
  Index rank = range_of(G).cols();
  for (Index i = G.rows() - 1; i >= 0; --i) {
    const Eigen::RowVectorXd kept = G.row(i);
    G.row(i).setZero();
    if (range_of(G).cols() == rank) {
      rows.insert(rows.begin(), i);
    } else {
      G.row(i) = kept;
    }
  }
  return rows;
}

}  // namespace

template <class S>
KinematicConnection<S>::KinematicConnection(std::vector<int> nodes,
                                            std::vector<Element> elements,
                                            Anchors anchors,
                                            const Poses& described)
    : nodes_(std::move(nodes)), elements_(std::move(elements)), anchors_(std::move(anchors)) {
  for (const Element& element : elements_) {
    for (const char* label : element.labels) {
      row_names_.push_back(fmt::format("{}, {}", element.name, label));
    }
  }
  choose_rows(closed_poses(described));
}

template <class S>
int KinematicConnection<S>::slot(int node) const {
  return static_cast<int>(std::find(nodes_.begin(), nodes_.end(), node) - nodes_.begin());
}

template <class S>
auto KinematicConnection<S>::linearise(const Poses& poses, double t) const -> Linear {
  constexpr int f = S::freedoms;
  const auto rows = static_cast<Index>(row_names_.size());
  Linear all{VectorXd::Zero(rows), MatrixXd::Zero(rows, external_size() + internal_size())};
  Index row = 0;
  for (const Element& element : elements_) {
    for (const auto& constraint : element.constraints) {
      const int a = slot(constraint->node_a());
      const int b = slot(constraint->node_b());
      typename Constraint<S>::Rows g;
      typename Constraint<S>::Jacobian G;
      G.setZero();
      constraint->linearise(poses[static_cast<std::size_t>(a)], poses[static_cast<std::size_t>(b)],
                            t, g, G);
      for (int i = 0; i < constraint->rows(); ++i, ++row) {
        all.g[row] = g[i];
        all.G.row(row).segment(a * f, f) += G.row(i).template head<f>();
        all.G.row(row).segment(b * f, f) += G.row(i).template tail<f>();
      }
    }
  }
  return all;
}

// ---- the choice of rows

// Body b and the internal nodes moved, as little as possible, to where all joints close.
template <class S>
auto KinematicConnection<S>::closed_poses(const Poses& described) const -> Poses {
  constexpr int f = S::freedoms;
  Poses poses = described;
  for (int round = 0; round < 60; ++round) {
    const Linear all = linearise(poses, 0.0);
    const double error = all.g.size() > 0 ? all.g.cwiseAbs().maxCoeff() : 0.0;
    if (error < 1e-13) return poses;
    VectorXd x = -pseudo_inverse(all.G.rightCols(all.G.cols() - f)) * all.g;
    const double turn = x.cwiseAbs().maxCoeff();
    if (turn > 0.5) x *= 0.5 / turn;
    for (std::size_t i = 1; i < poses.size(); ++i) {
      const Kinematics from = poses[i];
      move_node(x.data() + static_cast<Index>(i - 1) * f, from, poses[i]);
    }
    if (round > 40 && error < 1e-9) return poses;
  }
  throw core::InputError("the joints of the connection do not close",
                         "place its internal nodes and points where the joints can meet");
}

// Left null vectors of G_i that the bodies feel.
template <class S>
void KinematicConnection<S>::choose_rows(const Poses& closed) {
  reference_ = closed;
  const Linear all = linearise(closed, 0.0);
  const MatrixXd G_i = all.G.rightCols(internal_size());
  const MatrixXd balanced = complement_of(G_i);
  basis_ = balanced * range_of(balanced.transpose() * all.G.leftCols(external_size()));
  reduction_.rows = rows();
  reduction_.freedoms = S::freedoms - rows();
  reduction_.idle = internal_size() - static_cast<int>(range_of(G_i).cols());
  for (const Index row : dispensable_rows(all.G)) {
    reduction_.redundant.push_back(row_names_[static_cast<std::size_t>(row)]);
  }
}

// ---- at a place

// Gauss-Newton steps to G_i^T g = 0.
template <class S>
bool KinematicConnection<S>::place_nodes(Poses& poses, double t) const {
  constexpr int f = S::freedoms;
  if (internal_size() == 0) return true;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 60; ++round) {
    const Linear all = linearise(poses, t);
    const VectorXd x = -pseudo_inverse(all.G.rightCols(internal_size())) * all.g;
    const double size = x.cwiseAbs().maxCoeff();
    if (!(size < 0.7)) return false;
    for (std::size_t i = 2; i < poses.size(); ++i) {
      const Kinematics from = poses[i];
      move_node(x.data() + static_cast<Index>(i - 2) * f, from, poses[i]);
    }
    // At the limit of precision steps fall no more.
    if (size < 1e-14 || (size < 1e-11 && size >= before)) return true;
    before = size;
  }
  return false;
}

template <class S>
MatrixXd KinematicConnection<S>::carried_basis(const Linear& all, const MatrixXd& last) const {
  // Out of the range of G_i, and out of loads that the bodies do not feel.
  const MatrixXd balanced = complement_of(all.G.rightCols(internal_size()));
  const MatrixXd P = balanced.transpose() * all.G.leftCols(external_size());
  const Eigen::JacobiSVD<MatrixXd> svd(P, Eigen::ComputeThinU);
  const MatrixXd felt = balanced * svd.matrixU().leftCols(last.cols());
  return nearest_basis(felt * (felt.transpose() * last));
}

template <class S>
auto KinematicConnection<S>::on_the_way(const Kinematics& a, const Kinematics& b, double part) const
    -> Kinematics {
  const Kinematics begin = seen_from(reference_[0], reference_[1]);
  const Kinematics end = seen_from(a, b);
  Kinematics k = between(begin, end, part);
  const typename S::Point from = begin.p + begin.R * anchors_.b - anchors_.a;
  const typename S::Point to = end.p + end.R * anchors_.b - anchors_.a;
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
  return carried(a, k);
}

template <class S>
bool KinematicConnection<S>::follow_in_parts(
    int parts, const Kinematics& a, const Kinematics& b, double t, Place& place) const {
  place.poses[0] = a;
  for (std::size_t i = 2; i < place.poses.size(); ++i) {
    place.poses[i] = carried(a, seen_from(reference_[0], reference_[i]));
  }
  // The rows are written in world axes: first the whole connection turns with body a.
  place.N = basis_;
  const bool turns = (a.R - reference_[0].R).cwiseAbs().maxCoeff() > 0.0;
  for (int k = 1; turns && k <= parts; ++k) {
    Poses turned = reference_;
    turned[0] = between(reference_[0], a, static_cast<double>(k) / parts);
    for (std::size_t i = 1; i < turned.size(); ++i) {
      turned[i] = carried(turned[0], seen_from(reference_[0], reference_[i]));
    }
    place.N = carried_basis(linearise(turned, t), place.N);
  }
  for (int k = 1; k <= parts; ++k) {
    place.poses[1] = k == parts ? b : on_the_way(a, b, static_cast<double>(k) / parts);
    if (!place_nodes(place.poses, t)) return false;
    place.N = carried_basis(linearise(place.poses, t), place.N);
  }
  return true;
}

// More parts where the nodes cannot follow at once.
template <class S>
void KinematicConnection<S>::follow(const Kinematics& a,
                                    const Kinematics& b,
                                    double t,
                                    Place& place) const {
  place.poses = reference_;
  for (int parts = 4; parts <= 256; parts *= 4) {
    if (follow_in_parts(parts, a, b, t, place)) return;
  }
  for (std::size_t i = 2; i < place.poses.size(); ++i) {
    place.poses[i].p.setConstant(std::numeric_limits<double>::quiet_NaN());
  }
}

template <class S>
auto KinematicConnection<S>::place(const Kinematics& a, const Kinematics& b, double t) const
    -> Place {
  constexpr int f = S::freedoms;
  Place at;
  follow(a, b, t, at);
  const Linear all = linearise(at.poses, t);
  const MatrixXd G_e = all.G.leftCols(external_size());
  at.S_i = -pseudo_inverse(all.G.rightCols(internal_size())) * G_e;
  at.P = at.N.transpose() * G_e;
  at.g = at.N.transpose() * all.g;
  VectorXd v(external_size());
  v << a.v, a.w, b.v, b.w;
  const VectorXd inner = at.S_i * v;
  for (std::size_t k = 2; k < at.poses.size(); ++k) {
    const Index first = static_cast<Index>(k - 2) * f;
    at.poses[k].v = inner.segment<S::dimension>(first);
    if constexpr (S::space == Space::planar) {
      at.poses[k].w = inner[first + 2];
    } else {
      at.poses[k].w = inner.segment<3>(first + 3);
    }
  }
  return at;
}

template <class S>
VectorXd KinematicConnection<S>::bias(const Place& place, double t) const {
  VectorXd gamma(static_cast<Index>(row_names_.size()));
  Index row = 0;
  for (const Element& element : elements_) {
    for (const auto& constraint : element.constraints) {
      typename Constraint<S>::Rows part;
      constraint->bias(place.poses[static_cast<std::size_t>(slot(constraint->node_a()))],
                       place.poses[static_cast<std::size_t>(slot(constraint->node_b()))], t, part);
      for (int i = 0; i < constraint->rows(); ++i) gamma[row++] = part[i];
    }
  }
  return place.N.transpose() * gamma;
}

template <class S>
MatrixXd KinematicConnection<S>::stiffness(const Place& place,
                                           double t,
                                           const VectorXd& lambda) const {
  constexpr int f = S::freedoms;
  const VectorXd all = place.N * lambda;
  const Index size = external_size() + internal_size();
  MatrixXd K = MatrixXd::Zero(size, size);
  Index row = 0;
  for (const Element& element : elements_) {
    for (const auto& constraint : element.constraints) {
      const int slots[2] = {slot(constraint->node_a()), slot(constraint->node_b())};
      PairMatrix<S> part = PairMatrix<S>::Zero();
      constraint->add_stiffness(place.poses[static_cast<std::size_t>(slots[0])],
                                place.poses[static_cast<std::size_t>(slots[1])], t,
                                all.data() + row, 1.0, part);
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 2; ++j) {
          K.block<f, f>(slots[i] * f, slots[j] * f) += part.template block<f, f>(i * f, j * f);
        }
      }
      row += constraint->rows();
    }
  }
  MatrixXd motion(size, external_size());
  motion << MatrixXd::Identity(external_size(), external_size()), place.S_i;
  return motion.transpose() * K * motion;
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
  const auto place = connection_->place(a, b, t);
  for (int i = 0; i < this->rows(); ++i) {
    g[i] = place.g[first_ + i];
    G.row(i) = place.P.row(first_ + i);
  }
}

template <class S>
void ConnectionRows<S>::bias(const Kinematics& a,
                             const Kinematics& b,
                             double t,
                             Rows& gamma) const {
  const VectorXd all = connection_->bias(connection_->place(a, b, t), t);
  for (int i = 0; i < this->rows(); ++i) gamma[i] = all[first_ + i];
}

template <class S>
void ConnectionRows<S>::add_stiffness(const Kinematics& a,
                                      const Kinematics& b,
                                      double t,
                                      const double* lambda,
                                      double scale,
                                      PairMatrix<S>& K) const {
  VectorXd all = VectorXd::Zero(connection_->rows());
  for (int i = 0; i < this->rows(); ++i) all[first_ + i] = lambda[i];
  K += scale * connection_->stiffness(connection_->place(a, b, t), t, all);
}

template class KinematicConnection<Planar>;
template class KinematicConnection<Spatial>;
template class ConnectionRows<Planar>;
template class ConnectionRows<Spatial>;

}  // namespace trammel::model
