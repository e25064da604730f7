// A frame whose pose is a function of freedoms that others own: a point of a beam, a marker on a
// body that bends, a mean of several bodies. Joints, forces, drives, sensors and shapes attach to
// the body that is carried by it as to any other; the assembly takes what they do to it on to the
// freedoms (assembly/condensation.h).
//
// With the local unknowns v of its footing (footing.h) its twist is P(q) v, and the twist's
// derivative P a + P' v. What a frame answers about P are changes along displacements x of these
// unknowns (retractions of the freedoms): dP(x) = d/ds P(q moved by s x) at s = 0. Then
//
//     acceleration bias     dP(v) v
//     load's derivative     d(P^T f)/dq x = dP(x)^T f, the geometric part of the tangent
//
// The twist is (velocity of the origin in world axes, angular velocity in the frame's axes).
#pragma once

#include "trammel/model/footing.h"

namespace trammel::model {

template <class S>
class CarriedFrame {
 public:
  using Motion = FootingMotion<S>;
  using Direction = Eigen::Ref<const Eigen::VectorXd>;
  /// S::freedoms rows, a column for each local unknown; zero when it is handed over.
  using Map = Eigen::Ref<Eigen::MatrixXd>;

  virtual ~CarriedFrame() = default;

  /// Pose; the twist is made of the map.
  virtual void pose(const Motion& on, typename S::Kinematics& k) const = 0;
  virtual void map(const Motion& on, Map P) const = 0;
  /// dP(x).
  virtual void map_change(const Motion& on, const Direction& x, Map dP) const = 0;
  /// d/ds of dP(x) along y. Tangents need it where the body has mass.
  virtual void map_second_change(const Motion& on,
                                 const Direction& x,
                                 const Direction& y,
                                 Map ddP) const = 0;
};

}  // namespace trammel::model
