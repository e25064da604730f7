#include "trammel/model/frame_motion.h"

#include "trammel/math/rotation.h"
#include "trammel/model/composed_coordinate.h"

namespace trammel::model {

template <class S>
double PointVelocity<S>::rate(const Kinematics& a, const Kinematics& b) const {
  PairVector<S> J;
  jacobian(a, b, J);
  return J.dot(pair_velocity<S>(a, b));
}

template <class S>
void PointVelocity<S>::jacobian(const Kinematics& a,
                                const Kinematics& /*b*/,
                                PairVector<S>& J) const {
  J.setZero();
  J.template head<S::dimension>() = a.R * n_;
  if constexpr (S::space == Space::planar) {
    J[2] = perpendicular(l_).dot(n_);
  } else {
    J.template segment<3>(3) = l_.cross(n_);
  }
}

// Only the direction turns; the arm is constant in body components.
template <class S>
void PointVelocity<S>::derivative(const Kinematics& a,
                                  const Kinematics& /*b*/,
                                  PairMatrix<S>& H) const {
  H.setZero();
  if constexpr (S::space == Space::planar) {
    H.template block<2, 1>(0, 2) = perpendicular(a.R * n_);
  } else {
    H.template block<3, 3>(0, 3) = -a.R * math::skew(n_);
  }
}

Measure<Spatial> cosine_measure(const NodeFrame<Spatial>& a,
                                int axis_a,
                                const NodeFrame<Spatial>& b,
                                int axis_b) {
  const auto cosine = std::make_shared<CosineCoordinate>(a.axes.col(axis_a), b.axes.col(axis_b));
  return {.kind = Measure<Spatial>::Kind::position,
          .node_a = a.node,
          .node_b = b.node,
          .direction = cosine,
          .coordinate = cosine,
          .dimension = core::dimension::none};
}

template <class S>
Measure<S> own_velocity_measure(const NodeFrame<S>& frame, int axis) {
  return {.kind = Measure<S>::Kind::rate,
          .node_a = frame.node,
          .node_b = 0,
          .direction = std::make_shared<PointVelocity<S>>(frame, axis),
          .dimension = core::dimension::velocity};
}

// s_b . (w_b - w_a) = -s_b . (w_a - w_b), a direction fixed in the first of the two nodes.
Measure<Spatial> spin_measure(const NodeFrame<Spatial>& a, const NodeFrame<Spatial>& b, int axis) {
  return {.kind = Measure<Spatial>::Kind::rate,
          .node_a = b.node,
          .node_b = a.node,
          .direction = std::make_shared<RotationDirection>(-b.axes.col(axis)),
          .dimension = core::dimension::angular_velocity};
}

template <class S>
NamedFrame<S>::NamedFrame(std::string sensor,
                          std::string seen_from,
                          const NodeFrame<S>& frame_a,
                          const NodeFrame<S>& frame_b)
    : name(std::move(sensor)), first(std::move(seen_from)), a(frame_a), b(frame_b) {
  const auto position = [&](std::shared_ptr<const Coordinate<S>> coordinate,
                            const core::Dimension& dimension) {
    return Measure<S>{.kind = Measure<S>::Kind::position,
                      .node_a = a.node,
                      .node_b = b.node,
                      .direction = coordinate,
                      .coordinate = coordinate,
                      .dimension = dimension};
  };
  for (int axis = 0; axis < S::dimension; ++axis) {
    places.push_back(
        position(std::make_shared<DisplacementCoordinate<S>>(PointPair<S>{a, b}, a.axes.col(axis)),
                 core::dimension::length));
  }
  if constexpr (S::space == Space::planar) {
    turns.push_back(position(std::make_shared<AngleCoordinate<Planar>>(angle_about_z(a, b)),
                             core::dimension::angle));
  } else {
    for (int axis = 0; axis < 3; ++axis) turns.push_back(spin_measure(a, b, axis));
  }
}

template class PointVelocity<Planar>;
template class PointVelocity<Spatial>;
template struct NamedFrame<Planar>;
template struct NamedFrame<Spatial>;
template Measure<Planar> own_velocity_measure(const NodeFrame<Planar>&, int);
template Measure<Spatial> own_velocity_measure(const NodeFrame<Spatial>&, int);

}  // namespace trammel::model
