#include "trammel/model/forces/relative_force.h"

namespace trammel::model {
namespace {

template <class S>
std::vector<std::shared_ptr<const Direction<S>>> directions_between(const NodeFrame<S>& a,
                                                                    const NodeFrame<S>& b) {
  std::vector<std::shared_ptr<const Direction<S>>> list;
  for (int i = 0; i < S::dimension; ++i) {
    list.push_back(std::make_shared<DisplacementCoordinate<S>>(PointPair<S>{a, b}, a.axes.col(i)));
  }
  if constexpr (S::space == Space::planar) {
    list.push_back(std::make_shared<AngleCoordinate<Planar>>(angle_about_z(a, b)));
  } else {
    for (int i = 0; i < 3; ++i) list.push_back(std::make_shared<RotationDirection>(a.axes.col(i)));
  }
  return list;
}

double kept_angle(const Planar::Kinematics& a,
                  const Planar::Kinematics& b,
                  const NodeFrame<Planar>& frame_a,
                  const NodeFrame<Planar>& frame_b) {
  return angle_about_z(frame_a, frame_b).value(a, b);
}
double kept_angle(const Spatial::Kinematics& /*a*/,
                  const Spatial::Kinematics& /*b*/,
                  const NodeFrame<Spatial>& /*frame_a*/,
                  const NodeFrame<Spatial>& /*frame_b*/) {
  return 0.0;
}

}  // namespace

template <class S>
RelativeForce<S>::RelativeForce(const NodeFrame<S>& a, const NodeFrame<S>& b)
    : Force<S>(a.node, b.node), frame_a_(a), frame_b_(b), directions_(directions_between(a, b)) {}

template <class S>
auto RelativeForce<S>::motion(const Kinematics& a, const Kinematics& b) const -> Motion {
  Motion m;
  const Eigen::Matrix<double, S::dimension, S::dimension> R_WA = a.R * frame_a_.axes;
  const PointPair<S> points{frame_a_, frame_b_};
  m.p = R_WA.transpose() * points.distance(a, b);
  m.R = R_WA.transpose() * (b.R * frame_b_.axes);
  m.angle = kept_angle(a, b, frame_a_, frame_b_);
  for (int i = 0; i < S::dimension; ++i) {
    m.u[i] = directions_[static_cast<std::size_t>(i)]->rate(a, b);
  }
  for (int i = 0; i < S::rotations; ++i) {
    m.w[i] = directions_[static_cast<std::size_t>(S::dimension + i)]->rate(a, b);
  }
  return m;
}

template <class S>
auto RelativeForce<S>::jacobian(const Kinematics& a, const Kinematics& b) const -> Map {
  Map J;
  PairVector<S> row;
  for (int i = 0; i < components; ++i) {
    directions_[static_cast<std::size_t>(i)]->jacobian(a, b, row);
    J.row(i) = row.transpose();
  }
  return J;
}

template <class S>
void RelativeForce<S>::evaluate(const Kinematics& a,
                                const Kinematics& b,
                                double /*t*/,
                                PairVector<S>& f) const {
  const Motion m = motion(a, b);
  if (!acts(m)) {
    f.setZero();
    return;
  }
  f.noalias() = jacobian(a, b).transpose() * wrench(m);
}

template <class S>
void RelativeForce<S>::tangent(const Kinematics& a,
                               const Kinematics& b,
                               double /*t*/,
                               PairMatrix<S>& f_q,
                               PairMatrix<S>& f_v) const {
  f_q.setZero();
  f_v.setZero();
  const Motion m = motion(a, b);
  if (!acts(m)) return;
  const Map J = jacobian(a, b);
  const Wrench W = wrench(m);
  const PairVector<S> v = pair_velocity<S>(a, b);
  Slope by_pose;
  Slope by_rate;
  slopes(m, by_pose, by_rate);
  Map C;
  PairMatrix<S> H;
  for (int i = 0; i < components; ++i) {
    directions_[static_cast<std::size_t>(i)]->derivative(a, b, H);
    C.row(i).noalias() = v.transpose() * H;
    f_q += W[i] * H;
  }
  const Map change = by_pose * J + by_rate * C;
  f_q.noalias() += J.transpose() * change;
  f_v.noalias() = J.transpose() * (by_rate * J);
}

template <class S>
double RelativeForce<S>::potential(const Kinematics& a, const Kinematics& b) const {
  const Motion m = motion(a, b);
  return acts(m) ? stored(m) : 0.0;
}

template <class S>
ForcePower RelativeForce<S>::power(const Kinematics& a, const Kinematics& b, double /*t*/) const {
  const Motion m = motion(a, b);
  return acts(m) ? spent(m) : ForcePower{};
}

template <class S>
void RelativeForce<S>::measure(const Kinematics& a,
                               const Kinematics& b,
                               double /*t*/,
                               double* values) const {
  report(motion(a, b), values);
}

template class RelativeForce<Planar>;
template class RelativeForce<Spatial>;

}  // namespace trammel::model
