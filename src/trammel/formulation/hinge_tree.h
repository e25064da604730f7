// A mechanism as a tree of hinges: the constant data of relative coordinates.
//
// Every hinge of the spanning tree is spelled out in its elementary joints (hinge.h), and every
// elementary joint hangs on the one before it, so that one rule serves all hinges. Nodes (bodies)
// are carried by elementary joints. They are numbered from the ground outwards: parents come first.
#pragma once

#include <memory>
#include <vector>

#include "trammel/model/hinge.h"
#include "trammel/model/mechanism.h"
#include "trammel/topology/tree.h"

namespace trammel::formulation {

using model::ElementaryJoint;
using model::ElementaryKind;
using model::free_hinge;
using model::Hinge;
using model::hinge_of;
using model::Planar;
using model::Pose;
using model::Spatial;

template <class S>
struct TreeJoint {
  ElementaryJoint<S> elementary;  ///< its placement is relative to the parent elementary joint
  int parent = -1;                ///< -1: the ground
  int q = 0;                      ///< first coordinate
  int v = 0;                      ///< first velocity
  int velocities = 1;             ///< 0 when prescribed
  int prescribed = -1;            ///< number among the prescribed elementary joints
};

/// An elementary joint whose coordinate a drive prescribes (prescribed_hinges.h).
struct PrescribedJoint {
  int joint = 0;
  int relation = 0;  ///< of the mechanism: the drive c - f(t) = 0
  double scale = 1.0;
  double offset = 0.0;  ///< c = scale q + offset
};

/// Where a node sits: on an elementary joint (-1: on the ground), at a constant place.
template <class S>
struct CarriedNode {
  int joint = -1;
  Pose<S> place;
};

template <class S>
struct TreeHinge {
  int node = 0;
  int parent = 0;  ///< node
  int joint = -1;  ///< of the mechanism; -1: an added free hinge
  bool reversed = false;
  Hinge<S> hinge;        ///< from parent to node
  Hinge<S> joint_hinge;  ///< from the joint's first node to its second; the same unless reversed
  int q = 0;
  int v = 0;
  int velocities = 0;   ///< those that are not prescribed
  int first_joint = 0;  ///< its elementary joints follow each other
};

template <class S>
struct HingeTree {
  std::vector<TreeHinge<S>> hinges;  ///< in regular numbering: parents first
  std::vector<TreeJoint<S>> joints;
  std::vector<CarriedNode<S>> nodes;  ///< as in the mechanism; 0 is the ground
  std::vector<PrescribedJoint> prescribed;
  int coordinates = 0;
  int velocities = 0;

  /// Lagrange coordinates from the coordinates of all bodies, but for prescribed ones.
  void coordinates_of(const model::Mechanism<S>& mechanism,
                      const system::Vector& absolute_q,
                      system::Vector& q) const;
  /// The first hinge that cannot stand where the bodies do, since they are turned against it by
  /// more than a right angle; null when there is none. The rows of some joints hold after half a
  /// turn of one frame, too.
  const TreeHinge<S>* flipped_hinge(const model::Mechanism<S>& mechanism,
                                    const system::Vector& absolute_q) const;
  std::size_t memory_bytes() const;
};

/// The graph of a checked description: what can be a branch, and with how many coordinates. Its
/// edges are the joints and, behind them, the kinematic connections, as in a mechanism. Those
/// with friction that is loaded by their reaction stay cut joints, so that the reaction is an
/// unknown.
topology::Graph graph_of(const model::Description& description);

/// Whether drives of tree hinges take their coordinate out of the unknowns, or are rows.
enum class HingeDrives { prescribed, rows };

template <class S>
HingeTree<S> build_hinge_tree(const model::Description& description,
                              const model::Mechanism<S>& mechanism,
                              const topology::Tree& tree,
                              HingeDrives drives = HingeDrives::prescribed);

/// The place of a node in absolute coordinates.
template <class S>
Pose<S> node_pose(const model::Node<S>& node, const system::Vector& absolute_q);

}  // namespace trammel::formulation
