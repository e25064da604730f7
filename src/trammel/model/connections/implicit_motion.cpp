#include "trammel/model/connections/implicit_motion.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "trammel/core/dense_factors.h"
#include "trammel/model/connections/node_motion.h"

namespace trammel::model {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;

constexpr double cell_size = 0.25;  // of lengths: parts of the connection's length

Planar::Kinematics at_pose(const Pose<Planar>& X) {
  Planar::Kinematics k;
  k.p = X.p;
  k.angle = X.angle;
  k.R = X.rotation();
  return k;
}
Spatial::Kinematics at_pose(const Pose<Spatial>& X) {
  Spatial::Kinematics k;
  k.p = X.p;
  k.R = X.rotation();
  return k;
}

template <class S>
void add_gradient(const KinematicConnection<S>& connection,
                  const ChosenCoordinate<S>& coordinate,
                  const typename KinematicConnection<S>::Poses& poses,
                  Eigen::Ref<Eigen::RowVectorXd> row) {
  constexpr int f = S::freedoms;
  const int slots[2] = {connection.slot(coordinate.node_a), connection.slot(coordinate.node_b)};
  PairVector<S> J;
  coordinate.coordinate->jacobian(poses[static_cast<std::size_t>(slots[0])],
                                  poses[static_cast<std::size_t>(slots[1])], J);
  for (int end = 0; end < 2; ++end) {
    if (slots[end] == 0) continue;
    row.segment((slots[end] - 1) * f, f) += J.template segment<f>(end * f).transpose();
  }
}

}  // namespace

template <class S>
std::vector<ChosenCoordinate<S>> choose_coordinates(const KinematicConnection<S>& connection,
                                                    std::vector<ChosenCoordinate<S>> all,
                                                    int most) {
  typename KinematicConnection<S>::Linear rows;
  const auto& poses = connection.reference_poses();
  connection.linearise(poses, 0.0, true, rows);
  MatrixXd G(rows.g.size(), S::freedoms + connection.internal_size());
  G << rows.G_e, rows.G_i;
  Eigen::ColPivHouseholderQR<MatrixXd> factors;
  factors.setThreshold(rank_tolerance);
  factors.compute(G.transpose());
  const MatrixXd free = MatrixXd(factors.householderQ()).rightCols(G.cols() - factors.rank());
  MatrixXd rates(static_cast<Index>(all.size()), free.cols());
  for (std::size_t i = 0; i < all.size(); ++i) {
    Eigen::RowVectorXd gradient = Eigen::RowVectorXd::Zero(G.cols());
    add_gradient(connection, all[i], poses, gradient);
    const double unit = all[i].is_length ? connection.length() : 1.0;
    rates.row(static_cast<Index>(i)) = all[i].preference / unit * gradient * free;
  }
  // The largest rate that is left, then what is across to it.
  std::vector<ChosenCoordinate<S>> chosen;
  std::vector<Index> numbers;
  while (static_cast<int>(chosen.size()) < most && rates.rows() > 0) {
    Index best = 0;
    const double size = rates.rowwise().norm().maxCoeff(&best);
    if (!(size > 1e-4)) break;
    const Eigen::RowVectorXd direction = rates.row(best) / size;
    rates -= (rates * direction.transpose()).eval() * direction;
    numbers.push_back(best);
    chosen.push_back(all[static_cast<std::size_t>(best)]);
  }
  // In the order of the elements.
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    chosen[i] = all[static_cast<std::size_t>(numbers[i])];
  }
  return chosen;
}

template <class S>
ImplicitMotion<S>::ImplicitMotion(std::shared_ptr<const KinematicConnection<S>> connection,
                                  std::vector<ChosenCoordinate<S>> coordinates)
    : connection_(std::move(connection)), coordinates_(std::move(coordinates)) {
  for (const ChosenCoordinate<S>& coordinate : coordinates_) {
    start_.push_back(value(coordinate, connection_->reference_poses()));
  }
}

template <class S>
double ImplicitMotion<S>::value(const ChosenCoordinate<S>& coordinate, const Poses& poses) const {
  return coordinate.coordinate->value(
      poses[static_cast<std::size_t>(connection_->slot(coordinate.node_a))],
      poses[static_cast<std::size_t>(connection_->slot(coordinate.node_b))]);
}

template <class S>
double ImplicitMotion<S>::missing(int i, const double* q, const Poses& poses) const {
  const ChosenCoordinate<S>& coordinate = coordinates_[static_cast<std::size_t>(i)];
  const double difference = value(coordinate, poses) - q[i];
  return coordinate.coordinate->wraps() ? nearest_turn(difference, 0.0) : difference;
}

template <class S>
void ImplicitMotion<S>::linearise(const double* q,
                                  const Poses& poses,
                                  Matrix& J,
                                  Column& error) const {
  typename Connection::Linear all;
  connection_->linearise(poses, 0.0, true, all);
  const Index rows = all.g.size();
  J.setZero(rows + size(), S::freedoms + connection_->internal_size());
  J.topLeftCorner(rows, S::freedoms) = all.G_e;
  J.topRightCorner(rows, connection_->internal_size()) = all.G_i;
  error.resize(rows + size());
  error.head(rows) = all.g;
  Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, bounded_size> gradient;
  for (int i = 0; i < size(); ++i) {
    gradient.setZero(J.cols());
    add_gradient(*connection_, coordinates_[static_cast<std::size_t>(i)], poses, gradient);
    J.row(rows + i) = gradient;
    error[rows + i] = missing(i, q, poses);
  }
}

template <class S>
bool ImplicitMotion<S>::solve(const double* q, Poses& poses) const {
  Matrix J;
  Column error;
  Column x;
  double before = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 40; ++round) {
    linearise(q, poses, J, error);
    set_smallest_solution(J, -error, x);
    const double size = x.template lpNorm<Eigen::Infinity>();
    if (!(size < 1.0 + connection_->length())) return false;
    connection_->move_nodes(x.data(), 1, poses);
    // At the limit of precision steps fall no more.
    if (size < 1e-15 || (size < 1e-11 && size >= before)) {
      return error.template lpNorm<Eigen::Infinity>() < 1e-9;
    }
    before = size;
  }
  return false;
}

template <class S>
bool ImplicitMotion<S>::find_waypoint(const Cell& cell, Poses& poses) const {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (last_.valid && last_.cell == cell) {
      poses = last_.poses;
      return true;
    }
  }
  int farthest = 1;
  for (const int number : cell) farthest = std::max(farthest, std::abs(number));
  poses = connection_->reference_poses();
  std::array<double, static_cast<std::size_t>(most)> q{};
  for (int k = 1; k <= farthest; ++k) {
    for (int i = 0; i < size(); ++i) {
      const auto index = static_cast<std::size_t>(i);
      const double unit = is_length(i) ? connection_->length() : 1.0;
      q[index] = start_[index] + cell_size * unit * cell[index] * k / farthest;
    }
    if (!solve(q.data(), poses)) return false;
  }
  const std::lock_guard<std::mutex> lock(mutex_);
  last_ = {cell, true, poses};
  return true;
}

// The middle of a cell need not be reached where eta is: then in parts from the reference.
template <class S>
bool ImplicitMotion<S>::place(const double* q, Poses& poses) const {
  Cell cell{};
  for (int i = 0; i < size(); ++i) {
    const auto index = static_cast<std::size_t>(i);
    const double unit = is_length(i) ? connection_->length() : 1.0;
    const double number = (q[i] - start_[index]) / (cell_size * unit);
    if (!(std::abs(number) < 1e6)) return false;
    cell[index] = static_cast<int>(std::lround(number));
  }
  if (find_waypoint(cell, poses) && solve(q, poses)) return true;
  for (int parts = 16; parts <= 256; parts *= 4) {
    poses = connection_->reference_poses();
    std::array<double, static_cast<std::size_t>(most)> part{};
    bool there = true;
    for (int k = 1; there && k <= parts; ++k) {
      for (int i = 0; i < size(); ++i) {
        const auto index = static_cast<std::size_t>(i);
        part[index] = start_[index] + (q[i] - start_[index]) * k / parts;
      }
      there = solve(k == parts ? q : part.data(), poses);
    }
    if (there) return true;
  }
  return false;
}

template <class S>
Pose<S> ImplicitMotion<S>::pose(const double* q) const {
  Poses poses;
  if (place(q, poses)) return pose_of(poses[1]);
  Pose<S> none;
  none.p.setConstant(std::numeric_limits<double>::quiet_NaN());
  return none;
}

template <class S>
void ImplicitMotion<S>::quadratic(const Matrix& inverse,
                                  const Column& rates,
                                  Poses& poses,
                                  Column& y) const {
  constexpr int f = S::freedoms;
  for (int i = 0; i <= connection_->count(); ++i) {
    const Eigen::Matrix<double, f, 1> velocity = rates.template segment<f>(i * f);
    set_twist(velocity, poses[static_cast<std::size_t>(i) + 1]);
  }
  const Index rows = inverse.cols() - size();
  Column bias(inverse.cols());
  connection_->set_bias(poses, 0.0, true, bias);
  for (int i = 0; i < size(); ++i) {
    const ChosenCoordinate<S>& coordinate = coordinates_[static_cast<std::size_t>(i)];
    const auto& a = poses[static_cast<std::size_t>(connection_->slot(coordinate.node_a))];
    const auto& b = poses[static_cast<std::size_t>(connection_->slot(coordinate.node_b))];
    PairMatrix<S> H;
    coordinate.coordinate->derivative(a, b, H);
    const PairVector<S> v = pair_velocity<S>(a, b);
    bias[rows + i] = v.dot(H * v);
  }
  y = -inverse * bias;
}

// A motion of b, its turn in its own axes, as a twist about the origin of a; and its change.
template <>
Twist<Planar> ImplicitMotion<Planar>::twist(const Kinematics& b, const Column& y) const {
  Twist<Planar> V;
  V << y.head<2>() - y[2] * perpendicular(b.p), y[2];
  return V;
}
template <>
Twist<Spatial> ImplicitMotion<Spatial>::twist(const Kinematics& b, const Column& y) const {
  const Eigen::Vector3d w = b.R * y.segment<3>(3);
  Twist<Spatial> V;
  V << y.head<3>() + b.p.cross(w), w;
  return V;
}
template <>
Twist<Planar> ImplicitMotion<Planar>::twist_rate(const Kinematics& b, const Column& y) const {
  Twist<Planar> rate = twist(b, y);
  rate.head<2>() -= b.w * perpendicular(b.v);
  return rate;
}
template <>
Twist<Spatial> ImplicitMotion<Spatial>::twist_rate(const Kinematics& b, const Column& y) const {
  Twist<Spatial> rate = twist(b, y);
  rate.head<3>() += b.v.cross(Eigen::Vector3d(b.R * b.w));
  return rate;
}

template <class S>
void ImplicitMotion<S>::differentiate(const double* q, Derivatives& at) const {
  Poses poses;
  if (!place(q, poses)) {
    at.X = {};
    at.X.p.setConstant(std::numeric_limits<double>::quiet_NaN());
    for (Twist<S>& s : at.first) s.setConstant(at.X.p[0]);
    for (Twist<S>& s : at.second) s.setConstant(at.X.p[0]);
    return;
  }
  Matrix J;
  Matrix inverse;
  Column error;
  linearise(q, poses, J, error);
  set_pseudo_inverse(J, inverse);
  const Matrix Y = inverse.rightCols(size());
  at.X = pose_of(poses[1]);
  for (int i = 0; i < size(); ++i) {
    at.first[static_cast<std::size_t>(i)] = twist(poses[1], Y.col(i));
  }
  // s_ij + s_ji from V' for the sum and the difference of two rates; s_ij - s_ji = s_j x s_i.
  const auto rate = [&](const Column& y) {
    Column acceleration;
    quadratic(inverse, y, poses, acceleration);
    return twist_rate(poses[1], acceleration);
  };
  for (int i = 0; i < size(); ++i) {
    for (int j = 0; j <= i; ++j) {
      Twist<S> both = rate(i == j ? Column(Y.col(i)) : Column(Y.col(i) + Y.col(j)));
      if (i != j) both = (0.25 * (both - rate(Column(Y.col(i) - Y.col(j))))).eval();
      const Twist<S> half =
          0.5 * cross(at.first[static_cast<std::size_t>(j)], at.first[static_cast<std::size_t>(i)]);
      at.second[static_cast<std::size_t>(i * most + j)] = both + half;
      at.second[static_cast<std::size_t>(j * most + i)] = both - half;
    }
  }
}

template <class S>
void ImplicitMotion<S>::coordinates_of(const Pose<S>& X, double* q) const {
  typename Connection::Place there;
  connection_->place(RelativeMotion<S>(Kinematics{}, at_pose(X)), 0.0, there);
  for (int i = 0; i < size(); ++i) {
    q[i] = value(coordinates_[static_cast<std::size_t>(i)], there.poses);
  }
}

template <class S>
double ImplicitMotion<S>::distance_from_singularity(const double* q, double size_of_model) const {
  Poses poses;
  if (!place(q, poses)) return 0.0;
  Matrix J;
  Column error;
  linearise(q, poses, J, error);
  const Eigen::JacobiSVD<MatrixXd> svd{MatrixXd(J)};
  const auto& values = svd.singularValues();
  return std::min(values[values.size() - 1] / values[0],
                  MotionForm<S>::distance_from_singularity(q, size_of_model));
}

template std::vector<ChosenCoordinate<Planar>> choose_coordinates(
    const KinematicConnection<Planar>&, std::vector<ChosenCoordinate<Planar>>, int);
template std::vector<ChosenCoordinate<Spatial>> choose_coordinates(
    const KinematicConnection<Spatial>&, std::vector<ChosenCoordinate<Spatial>>, int);
template class ImplicitMotion<Planar>;
template class ImplicitMotion<Spatial>;

}  // namespace trammel::model
