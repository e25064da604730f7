// The allowed-motion face of a joint: where the second body may be, as seen from the first.
//
// A hinge is a chain of elementary steps between its two nodes,
//     X(q) = B_1 X_1(q_1) B_2 X_2(q_2) ... B_n X_n(q_n) A,
// with constant placements B_i and A. The steps are
//     turn   q: angle about z              slide  q: way along z (planar: along x)
//     screw  q: angle about z, with the way lead q along it
//     ball   q: unit quaternion, velocities: angular velocity in the axes behind the step
//     place  q: coordinates of a position, not Cartesian (position_form.h); nothing turns
// Everything that a tree needs follows from these [Sol1983, 3.2.2]: columns of S, their
// derivatives, the hinge read in the other direction, and the coordinates of a given X.
#pragma once

#include <vector>

#include "trammel/formulation/pose.h"
#include "trammel/formulation/position_form.h"

namespace trammel::formulation {

enum class StepKind { turn, slide, screw, ball, place };

template <class S>
struct Step {
  StepKind kind = StepKind::turn;
  Pose<S> before;
  double sign = 1.0;                                      ///< -1: the motion is -q
  double lead = 0.0;                                      ///< of a screw, m/rad
  std::shared_ptr<const PositionForm<S>> form = nullptr;  ///< of a place

  int coordinates() const { return kind == StepKind::ball ? 4 : velocities(); }
  int velocities() const {
    return kind == StepKind::ball ? 3 : (kind == StepKind::place ? S::dimension : 1);
  }
};

/// X_i(q).
Pose<Planar> step_pose(const Step<Planar>& step, const double* q);
Pose<Spatial> step_pose(const Step<Spatial>& step, const double* q);

template <class S>
struct Hinge {
  std::vector<Step<S>> steps;
  Pose<S> after;

  int coordinates() const;
  int velocities() const;  ///< the number of its Lagrange coordinates
  Pose<S> pose(const double* q) const;
  /// The q with pose(q) = X, for an X that the hinge allows; whole turns are those of X where it
  /// has any (planar angles, screws) and the nearest to zero otherwise.
  void coordinates_of(const Pose<S>& X, double* q) const;
};

/// The same hinge from its second node to its first: X^-1, with the steps in reverse order.
template <class S>
Hinge<S> reversed(const Hinge<S>& hinge);
/// Its coordinates from those of the hinge itself.
template <class S>
void reverse_coordinates(const Hinge<S>& hinge, const double* q, double* q_reversed);

}  // namespace trammel::formulation
