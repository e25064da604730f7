// Elementary joints in their places: what a joint allows, for given values.
//
// A chain leads from the first frame of a joint to its second,
//     X(q) = B_1 X_1(q_1) B_2 X_2(q_2) ... B_n X_n(q_n) A,
// with constant placements B_i and A. Elementary joints turn about and slide along z (planar: slide
// along x) of the frame that their placement leads to:
//     turn   q: angle about z              slide  q: way along z (planar: along x)
//     screw  q: angle about z, with the way lead q along it
//     ball   q: unit quaternion, velocities: angular velocity in the axes behind it
//     form   q: several coordinates that act at once (motion_form.h)
#pragma once

#include <memory>
#include <vector>

#include "trammel/model/allowed_motion.h"
#include "trammel/model/motion_form.h"

namespace trammel::model {

template <class S>
struct ElementaryJoint {
  ElementaryKind kind = ElementaryKind::turn;
  Pose<S> before;
  double sign = 1.0;                                    ///< -1: the motion is -q
  double lead = 0.0;                                    ///< of a screw, m/rad
  std::shared_ptr<const MotionForm<S>> form = nullptr;  ///< where kind is form

  int coordinates() const { return kind == ElementaryKind::ball ? 4 : velocities(); }
  int velocities() const {
    return kind == ElementaryKind::ball ? 3 : (kind == ElementaryKind::form ? form->size() : 1);
  }
};

template <class S>
struct ElementaryChain {
  std::vector<ElementaryJoint<S>> joints;
  Pose<S> after;
  /// Coordinates where the model describes it, of chains that are no joint's of the catalogue:
  /// those of other places are found from there by iteration. Empty for the others.
  std::vector<double> start;
};

/// A joint as the compiled model has it, with the values of its fields.
template <class S>
struct JointPlace {
  const Values& values;
  NodeFrame<S> a;  ///< with the joint's axis along z (planar: along x)
  NodeFrame<S> b;
  Pose<S> nodes;  ///< of node b in node a, in the described configuration

  /// Frame b in frame a, in the described configuration.
  Pose<S> described() const { return inverse(pose_of(a)) * nodes * pose_of(b); }
};

/// Motions one behind the other, each along or about its axis of the common frame.
template <class S>
ElementaryChain<S> chain_along_axes(const std::vector<ElementaryMotion>& motions);

/// The rotation that brings z to a direction.
Pose<Spatial> rotation_of_z(const Eigen::Vector3d& to);

}  // namespace trammel::model
