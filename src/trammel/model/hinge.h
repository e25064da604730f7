// The allowed-motion face of a joint: where the second body may be, as seen from the first.
//
// A hinge is a chain of elementary joints (model/elementary_joint.h) between its two nodes,
//     X(q) = B_1 X_1(q_1) B_2 X_2(q_2) ... B_n X_n(q_n) A,
// with constant placements B_i and A. Everything that a tree needs follows from these
// [Sol1983, 3.2.2]: columns of S, their derivatives, the hinge read in the other direction, and the
// coordinates of a given X.
#pragma once

#include <vector>

#include "trammel/model/elementary_joint.h"

namespace trammel::model {

/// X_i(q).
Pose<Planar> elementary_pose(const ElementaryJoint<Planar>& joint, const double* q);
Pose<Spatial> elementary_pose(const ElementaryJoint<Spatial>& joint, const double* q);
/// The column of an elementary joint with one coordinate whose frame stands at `pose`.
Twist<Planar> elementary_column(const ElementaryJoint<Planar>& joint, const Pose<Planar>& pose);
Twist<Spatial> elementary_column(const ElementaryJoint<Spatial>& joint, const Pose<Spatial>& pose);

template <class S>
struct Hinge : ElementaryChain<S> {
  using ElementaryChain<S>::joints;
  using ElementaryChain<S>::after;
  using ElementaryChain<S>::start;
  using Columns =
      Eigen::Matrix<double, S::freedoms, Eigen::Dynamic, Eigen::ColMajor, S::freedoms, S::freedoms>;

  int coordinates() const;
  int velocities() const;  ///< the number of its Lagrange coordinates
  Pose<S> pose(const double* q) const;
  /// One for each velocity, as twists in the first node; with them the pose at q.
  Columns columns(const double* q, Pose<S>& X) const;
  /// q moved by x, one for each velocity.
  void move(const double* x, double* q) const;
  /// The q with pose(q) = X, for an X that the hinge allows; whole turns are those of X where it
  /// has any (planar angles, screws) and the nearest to zero otherwise. Chains with a start are
  /// followed from there (hinge_coordinates.cpp).
  void coordinates_of(const Pose<S>& X, double* q) const;

 private:
  void iterate_coordinates(const Pose<S>& X, double* q) const;
  bool approach(const Pose<S>& X, double* q) const;
};

/// The hinge of a joint whose kind allows this motion, between its two nodes.
template <class S>
Hinge<S> hinge_of(const AllowedMotion& allowed, JointPlace<S> place);
/// The hinge that lets a node go anywhere; point masses do not turn.
template <class S>
Hinge<S> free_hinge(bool rotates);

/// The same hinge from its second node to its first: X^-1, with the elementary joints in reverse
/// order.
template <class S>
Hinge<S> reversed(const Hinge<S>& hinge);
/// Its coordinates from those of the hinge itself.
template <class S>
void reverse_coordinates(const Hinge<S>& hinge, const double* q, double* q_reversed);

}  // namespace trammel::model
