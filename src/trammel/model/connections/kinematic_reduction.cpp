// The choice of rows of a kinematic connection, where the model is described.
#include <algorithm>

#include <fmt/format.h>

#include "trammel/core/dense_factors.h"
#include "trammel/core/diagnostic.h"
#include "trammel/model/connections/kinematic_connection.h"

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

// An orthonormal basis of the range, by a rank-revealing factorisation.
MatrixXd range_of(const MatrixXd& matrix) {
  if (matrix.size() == 0) return MatrixXd::Zero(matrix.rows(), 0);
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(rank_tolerance);
  factors.compute(matrix);
  return MatrixXd(factors.householderQ()).leftCols(factors.rank());
}

MatrixXd complement_of(const MatrixXd& matrix) {
  if (matrix.cols() == 0) return MatrixXd::Identity(matrix.rows(), matrix.rows());
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(rank_tolerance);
  factors.compute(matrix);
  return MatrixXd(factors.householderQ()).rightCols(matrix.rows() - factors.rank());
}

// Rows that can be taken away without loss of rank, the last ones first.
std::vector<Index> dispensable_rows(MatrixXd G) {
  std::vector<Index> rows;
  const Index rank = range_of(G).cols();
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
                                            const std::vector<Kinematics>& described)
    : nodes_(std::move(nodes)), elements_(std::move(elements)), anchors_(std::move(anchors)) {
  for (const Element& element : elements_) {
    auto label = element.labels.begin();
    for (const auto& constraint : element.constraints) {
      const bool position = constraint->holonomic();
      (position ? holonomic_ : nonholonomic_).push_back(constraint.get());
      for (int i = 0; i < constraint->rows(); ++i, ++label) {
        (position ? row_names_ : velocity_row_names_)
            .push_back(fmt::format("{}, {}", element.name, *label));
      }
    }
  }
  check_limits();
  close(described);
  choose_rows();
  choose_velocity_rows();
  Linear all;
  linearise(reference_, 0.0, true, all);
  reference_share_ = smallest_share(all.G_i, basis_.transpose() * all.G_e);
}

template <class S>
double KinematicConnection<S>::smallest_share(const Matrix& G_i, const Matrix& P) const {
  const auto share = [](const MatrixXd& matrix, int rank) {
    if (rank == 0) return 1.0;
    const Eigen::JacobiSVD<MatrixXd> svd(matrix);
    return svd.singularValues()[rank - 1] / svd.singularValues()[0];
  };
  return std::min(share(G_i, internal_size() - reduction_.idle), share(P, rows()));
}

template <class S>
double KinematicConnection<S>::rank_share(const Place& place) const {
  const Matrix P = place.P.topRows(rows());
  if (!P.allFinite() || !place.all.G_i.allFinite()) return 0.0;
  return smallest_share(place.all.G_i, P) / reference_share_;
}

template <class S>
void KinematicConnection<S>::check_limits() const {
  const std::size_t rows = std::max(row_names_.size(), velocity_row_names_.size());
  if (count() <= most_nodes && rows <= static_cast<std::size_t>(most_rows)) return;
  throw core::InputError(
      fmt::format("the connection has {} internal nodes and {} rows", count(), rows),
      fmt::format("at most {} nodes and {} rows are reduced; make bodies of some nodes", most_nodes,
                  most_rows));
}

// Everything seen from body a, and moved to where the joints close.
template <class S>
void KinematicConnection<S>::close(const std::vector<Kinematics>& described) {
  for (std::size_t i = 1; i < described.size(); ++i) {
    reference_[i] = RelativeMotion<S>(described[0], described[i]).pose;
    reference_[i].v.setZero();
    reference_[i].w = Kinematics{}.w;
  }
  Poses placed = reference_;
  if (settle_nodes(placed)) reference_ = placed;
  if (!close_near(reference_, 60)) {
    throw core::InputError("the joints of the connection do not close",
                           "place its internal nodes and points where the joints can meet");
  }
  length_ = arm_of(reference_[1]).norm();
  for (int i = 0; i < count(); ++i) {
    const auto& node = reference_[static_cast<std::size_t>(i) + 2];
    length_ = std::max(length_, (node.p - anchors_.a).norm());
  }
  if (!(length_ > 1e-9)) length_ = 1.0;
}

// Body b stays: wherever the nodes were described, they go to where they meet all rows best.
template <class S>
bool KinematicConnection<S>::settle_nodes(Poses& poses) const {
  Linear all;
  Rows x;
  for (int round = 0; round < 100 && internal_size() > 0; ++round) {
    linearise(poses, 0.0, true, all);
    set_smallest_solution(all.G_i, -all.g, x);
    double size = 0.0;
    for (Index i = 0; i < x.size(); i += freedoms) {
      size = std::max(size, x.template segment<S::rotations>(i + S::dimension).norm());
    }
    if (!x.allFinite()) return false;
    if (size > 0.5) x *= 0.5 / size;
    move_nodes(x.data(), 2, poses);
    if (x.template lpNorm<Eigen::Infinity>() < 1e-10) return true;
  }
  return internal_size() == 0;
}

template <class S>
bool KinematicConnection<S>::close_near(Poses& poses, int most_rounds) const {
  Linear all;
  double error = 0.0;
  for (int round = 0; round < most_rounds; ++round) {
    linearise(poses, 0.0, true, all);
    error = all.g.size() > 0 ? all.g.template lpNorm<Eigen::Infinity>() : 0.0;
    if (error < 1e-13) return true;
    Matrix G(all.g.size(), freedoms + internal_size());
    G << all.G_e, all.G_i;
    Matrix inverse;
    set_pseudo_inverse(G, inverse);
    Rows x = inverse * all.g;
    const double turn = x.template lpNorm<Eigen::Infinity>();
    x *= turn > 0.5 ? -0.5 / turn : -1.0;
    move_nodes(x.data(), 1, poses);
  }
  return error < 1e-9;
}

// Left null vectors of G_i that the bodies feel.
template <class S>
void KinematicConnection<S>::choose_rows() {
  Linear all;
  linearise(reference_, 0.0, true, all);
  const MatrixXd G_i = all.G_i;
  const MatrixXd balanced = complement_of(G_i);
  basis_ = balanced * range_of(balanced.transpose() * MatrixXd(all.G_e));
  reduction_.rows = rows();
  reduction_.freedoms = freedoms - rows();
  reduction_.idle = internal_size() - static_cast<int>(range_of(G_i).cols());
  MatrixXd G(all.g.size(), freedoms + internal_size());
  G << all.G_e, all.G_i;
  for (const Index row : dispensable_rows(G)) {
    reduction_.redundant.push_back(row_names_[static_cast<std::size_t>(row)]);
  }
}

// Combinations of nonholonomic rows that forbid motions which the holonomic rows allow.
template <class S>
void KinematicConnection<S>::choose_velocity_rows() {
  const auto count = static_cast<Index>(velocity_row_names_.size());
  velocity_basis_.resize(count, 0);
  if (count == 0) return;
  Linear all;
  Linear pfaff;
  linearise(reference_, 0.0, true, all);
  linearise(reference_, 0.0, false, pfaff);
  const MatrixXd A_i = pfaff.G_i;
  Matrix bounded;
  set_pseudo_inverse(all.G_i, bounded);
  const MatrixXd inverse = bounded;
  if (reduction_.idle > 0) {
    throw core::InputError(
        fmt::format("'{}' follows internal nodes, and the joints leave {} of their freedoms open",
                    velocity_row_names_.front(), reduction_.idle),
        "hold the nodes by further joints, or make bodies of them");
  }
  const MatrixXd A = MatrixXd(pfaff.G_e) - A_i * inverse * MatrixXd(all.G_e);
  const MatrixXd P = basis_.transpose() * MatrixXd(all.G_e);
  const MatrixXd free = complement_of(P.transpose());
  velocity_basis_ = range_of(A * free);
  reduction_.velocity_rows = velocity_rows();
  for (const Index row : dispensable_rows(A * free)) {
    reduction_.redundant.push_back(velocity_row_names_[static_cast<std::size_t>(row)]);
  }
}

template KinematicConnection<Planar>::KinematicConnection(std::vector<int>,
                                                          std::vector<Element>,
                                                          Anchors,
                                                          const std::vector<Planar::Kinematics>&);
template KinematicConnection<Spatial>::KinematicConnection(std::vector<int>,
                                                           std::vector<Element>,
                                                           Anchors,
                                                           const std::vector<Spatial::Kinematics>&);
template double KinematicConnection<Planar>::rank_share(const Place&) const;
template double KinematicConnection<Spatial>::rank_share(const Place&) const;
template bool KinematicConnection<Planar>::close_near(Poses&, int) const;
template bool KinematicConnection<Spatial>::close_near(Poses&, int) const;

}  // namespace trammel::model
