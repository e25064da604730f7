#include "trammel/model/joints/primitives/coordinate_rows.h"

#include "trammel/model/joints/primitives/attitude_coordinates.h"

namespace trammel::model {
namespace {

template <class S>
PairMatrix<S> derivative_of(const Direction<S>& direction,
                            const typename S::Kinematics& a,
                            const typename S::Kinematics& b) {
  PairMatrix<S> H;
  direction.derivative(a, b, H);
  return H;
}

}  // namespace

template <class S>
DirectionRow<S>::DirectionRow(int node_a, int node_b, DirectionPointer<S> direction)
    : Constraint<S>(node_a, node_b, 1), direction_(std::move(direction)) {}

template <class S>
LocalPattern DirectionRow<S>::pattern() const {
  LocalPattern pattern;
  for (int j = 0; j < pair_freedoms<S>; ++j) {
    pattern.jacobian.emplace_back(0, j);
    for (int i = 0; i < pair_freedoms<S>; ++i) pattern.stiffness.emplace_back(i, j);
  }
  return pattern;
}

template <class S>
void DirectionRow<S>::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  PairVector<S> J;
  direction_->jacobian(a, b, J);
  g[0] = J.dot(pair_velocity<S>(a, b));
  G.row(0) = J.transpose();
}

template <class S>
void DirectionRow<S>::bias(const Kinematics& a,
                           const Kinematics& b,
                           double /*t*/,
                           Rows& gamma) const {
  const PairVector<S> v = pair_velocity<S>(a, b);
  gamma[0] = v.dot(derivative_of<S>(*direction_, a, b) * v);
}

template <class S>
void DirectionRow<S>::add_stiffness(const Kinematics& a,
                                    const Kinematics& b,
                                    double /*t*/,
                                    const double* lambda,
                                    double scale,
                                    PairMatrix<S>& K) const {
  K += scale * lambda[0] * derivative_of<S>(*direction_, a, b);
}

template <class S>
CoordinateRow<S>::CoordinateRow(int node_a,
                                int node_b,
                                CoordinatePointer<S> coordinate,
                                double constant)
    : DirectionRow<S>(node_a, node_b, coordinate),
      coordinate_(std::move(coordinate)),
      constant_(constant) {}

template <class S>
void CoordinateRow<S>::linearise(
    const Kinematics& a, const Kinematics& b, double /*t*/, Rows& g, Jacobian& G) const {
  PairVector<S> J;
  g[0] = coordinate_->linearise(a, b, J) - constant_;
  G.row(0) = J.transpose();
}

template class CoordinateRow<Planar>;
template class CoordinateRow<Spatial>;
template class DirectionRow<Planar>;
template class DirectionRow<Spatial>;

void add_bryant_angles(JointAssembly<Spatial>& joint) {
  add_euler_angles(math::EulerSequence::bryant_xyz(), joint);
}

}  // namespace trammel::model
