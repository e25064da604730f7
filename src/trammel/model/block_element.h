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
#include "trammel/system/mechanical_system.h"

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
  /// False: mass() has none wherever the element is.
  virtual bool has_mass() const { return true; }
  /// K = d(M a - f)/dq along the manifold, D = -df/dv.
  virtual void tangent(const Motion& on,
                       const Eigen::Ref<const Eigen::VectorXd>& a,
                       Square K,
                       Square D) const = 0;
  /// r = M a - f at once. False: it is to be made of mass() and forces(), and `r` is left alone.
  // NOLINTBEGIN(performance-unnecessary-value-param): an Eigen::Ref is passed by value
  virtual bool residual(const Motion& /*on*/,
                        const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
                        Column /*r*/) const {
    return false;
  }
  /// w_q K + w_v D + w_a M at once; false as above.
  virtual bool weighted_tangent(const Motion& /*on*/,
                                const Eigen::Ref<const Eigen::VectorXd>& /*a*/,
                                const system::Weights& /*weights*/,
                                Square /*K*/) const {
    return false;
  }
  // NOLINTEND(performance-unnecessary-value-param)
  /// False: f is the same at all velocities, and D is zero.
  virtual bool depends_on_velocity() const { return true; }
  /// A diagonal mass with the same sum over each direction; false when there is none.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): an Eigen::Ref is passed by value
  virtual bool lumped_mass(const Motion& /*on*/, Column /*m*/) const { return false; }
  virtual double potential(const Motion& /*on*/) const { return 0.0; }
  /// Why energy cannot be kept exactly over a step (system::DiscreteGradients); empty when it can,
  /// which wants a constant mass.
  virtual std::string discrete_obstacle() const { return "it has no discrete gradient"; }
  /// Loads over a step with f . x = V(from) - V(to) for the displacement x between its ends;
  /// without a potential those of its middle.
  // NOLINTNEXTLINE(performance-unnecessary-value-param): an Eigen::Ref is passed by value
  virtual void forces_between(const Motion& /*from*/,
                              const Motion& middle,
                              const Motion& /*to*/,
                              Column f) const {
    forces(middle, f);
  }
  virtual ForcePower power(const Motion& /*on*/) const { return {}; }

  virtual std::vector<Quantity> quantities() const { return {}; }
  /// Writes one number per quantity.
  virtual void measure(const Motion& /*on*/, double* /*values*/) const {}
};

}  // namespace trammel::model
