// An element over any number of nodes and amplitudes, with a mass that may depend on their
// position and couple them:
//
//     M(q) a = f(t, q, v)
//
// A kind of element is one file pair that defines a class derived from this one and a ForceKind
// that builds it, and one line in the registry (kinds.cpp, or register_force_kind()).
#pragma once

#include <string>
#include <vector>

#include "trammel/model/footing.h"
#include "trammel/model/force.h"

namespace trammel::model {

/// What the builder of an element is given: frames in the order of the item's attachments, and how
/// many numbers each set of amplitudes has that the item names.
template <class S>
struct ElementSite {
  std::vector<NodeFrame<S>> frames;
  std::vector<int> amplitudes;
};

/// Vectors and matrices are of the local unknowns (footing.h), are zero when they are handed over,
/// and may be added to. The load on a node is (force in world axes; moment about its centre of
/// mass, in body axes).
template <class S>
class BlockElement {
 public:
  using Motion = FootingMotion<S>;
  using Column = Eigen::Ref<Eigen::VectorXd>;
  using Square = Eigen::Ref<Eigen::MatrixXd>;

  virtual ~BlockElement() = default;

  /// f: loads, and what inertia adds to M a at any velocity (with its sign on this side).
  virtual void forces(const Motion& on, Column f) const = 0;
  /// M, symmetric. False: the element has none, and `M` is left alone.
  virtual bool mass(const Motion& on, Square M) const = 0;
  /// K = d(M a - f)/dq along the manifold, D = -df/dv.
  virtual void tangent(const Motion& on,
                       const Eigen::Ref<const Eigen::VectorXd>& a,
                       Square K,
                       Square D) const = 0;
  /// False: f is the same at all velocities, and D is zero.
  virtual bool depends_on_velocity() const { return true; }
  /// A diagonal mass with the same sum over each direction; false when there is none.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): an Eigen::Ref is passed by value
  virtual bool lumped_mass(const Motion& /*on*/, Column /*m*/) const { return false; }
  virtual double potential(const Motion& /*on*/) const { return 0.0; }
  virtual ForcePower power(const Motion& /*on*/) const { return {}; }

  virtual std::vector<Quantity> quantities() const { return {}; }
  /// Writes one number per quantity.
  virtual void measure(const Motion& /*on*/, double* /*values*/) const {}
};

}  // namespace trammel::model
