#include "trammel/model/connections/motion_samples.h"

#include <random>

#include "trammel/core/dense_factors.h"

namespace trammel::model {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void turn_rows_to_first(const Planar::Kinematics& /*b*/, MatrixXd& /*rows*/) {}
void turn_rows_to_first(const Spatial::Kinematics& b, MatrixXd& rows) {
  rows.rightCols<3>() = (rows.rightCols<3>() * b.R.transpose()).eval();
}

template <class S>
MotionSample<S> sample_at(const KinematicConnection<S>& connection,
                          const typename S::Kinematics& b) {
  typename KinematicConnection<S>::Place place;
  connection.place(RelativeMotion<S>(typename S::Kinematics{}, b), 0.0, place);
  MotionSample<S> sample{b, place.P.topRows(connection.rows()), {}};
  turn_rows_to_first(b, sample.rows);
  if (sample.rows.rows() == 0 || !sample.rows.allFinite()) {
    sample.free = MatrixXd::Identity(S::freedoms, S::freedoms);
    return sample;
  }
  const Eigen::ColPivHouseholderQR<MatrixXd> factors(sample.rows.transpose());
  sample.free = MatrixXd(factors.householderQ()).rightCols(S::freedoms - connection.rows());
  return sample;
}

// b and the nodes moved along what all joints allow, and to where they close.
template <class S>
bool moved_along(const KinematicConnection<S>& connection,
                 const MatrixXd& allowed,
                 const VectorXd& x,
                 typename KinematicConnection<S>::Poses& poses) {
  poses = connection.reference_poses();
  const VectorXd move = allowed * x;
  connection.move_nodes(move.data(), 1, poses);
  return connection.close_near(poses, 30);
}

// All motions of b and the nodes that the joints allow at the reference.
template <class S>
MatrixXd allowed_motions(const KinematicConnection<S>& connection) {
  typename KinematicConnection<S>::Linear all;
  connection.linearise(connection.reference_poses(), 0.0, true, all);
  MatrixXd G(all.g.size(), S::freedoms + connection.internal_size());
  G << all.G_e, all.G_i;
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(rank_tolerance);
  factors.compute(G.transpose());
  return MatrixXd(factors.householderQ()).rightCols(G.cols() - factors.rank());
}

}  // namespace

template <class S>
std::vector<MotionSample<S>> motion_samples(const KinematicConnection<S>& connection) {
  std::vector<MotionSample<S>> samples{sample_at(connection, connection.reference())};
  const MatrixXd allowed = allowed_motions(connection);
  std::mt19937 random(17);
  std::uniform_real_distribution<double> number(-1.0, 1.0);
  constexpr int wanted = 8;
  for (int trial = 0; trial < 4 * wanted && static_cast<int>(samples.size()) <= wanted; ++trial) {
    const double range = 0.5 / (1.0 + trial / wanted);  // NOLINT(bugprone-integer-division): steps
    VectorXd x(allowed.cols());
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] = range * number(random);
    typename KinematicConnection<S>::Poses poses;
    if (!moved_along(connection, allowed, x, poses)) continue;
    MotionSample<S> sample = sample_at(connection, poses[1]);
    if (sample.rows.allFinite()) samples.push_back(std::move(sample));
  }
  return samples;
}

template std::vector<MotionSample<Planar>> motion_samples(const KinematicConnection<Planar>&);
template std::vector<MotionSample<Spatial>> motion_samples(const KinematicConnection<Spatial>&);

}  // namespace trammel::model
