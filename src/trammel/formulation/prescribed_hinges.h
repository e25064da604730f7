// Rheonomic hinges: coordinates of the tree that drives prescribe [Sol1983, 5.4 and 6.3].
//
// A drive c = f(t) on a coordinate of a tree hinge, c = scale q_s + offset, needs no constraint
// row: the elementary joint's coordinate is a known function of time,
//
//     q_s = (f(t) - offset) / scale,   q_s' = f'(t) / scale,   q_s'' = f''(t) / scale,
//
// and leaves the unknowns. What remains is the partitioned system: the columns of q_s stand in the
// bias terms S' v and gamma, and the load Q_s of the drive follows from the balance of the bodies
// with the multipliers of the tree joints (tree_reactions.h).
#pragma once

#include <memory>
#include <vector>

#include "trammel/formulation/hinge_tree.h"

namespace trammel::formulation {

/// Drives at position level whose coordinate is that of one elementary joint of the tree, but for a
/// factor and a constant. Drives with `eliminate: false`, at velocity or acceleration level, and
/// several drives of one elementary joint are left out: they stay constraint rows.
template <class S>
std::vector<PrescribedJoint> prescribed_joints(const model::Description& description,
                                               const model::Mechanism<S>& mechanism,
                                               const HingeTree<S>& tree);

/// Takes the coordinates of these elementary joints out of the unknowns and numbers the others
/// anew.
template <class S>
void prescribe(std::vector<PrescribedJoint> joints, HingeTree<S>& tree);

/// The motion of prescribed elementary joints over time.
template <class S>
class PrescribedMotion {
 public:
  struct Value {
    double q = 0.0;
    double rate = 0.0;
    double acceleration = 0.0;
  };

  PrescribedMotion(std::shared_ptr<const HingeTree<S>> tree,
                   std::shared_ptr<const model::Mechanism<S>> mechanism);
  void set_time(double t);
  const Value& operator[](int number) const { return values_[static_cast<std::size_t>(number)]; }

 private:
  std::shared_ptr<const HingeTree<S>> tree_;
  std::shared_ptr<const model::Mechanism<S>> mechanism_;
  std::vector<Value> values_;
  double t_ = 0.0;
  bool known_ = false;
  expression::Workspace workspace_;
};

}  // namespace trammel::formulation
