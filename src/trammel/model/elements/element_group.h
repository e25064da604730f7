// All elements of one kind, and what the assembly asks of them.
//
// A group knows where its elements stand among the freedoms and rows of the system, and adds their
// shares to vectors and matrices of the whole. Questions come with a part [first, last) of its
// elements, so that the assembly can divide the work; what a part writes lies in the freedoms of
// the nodes that it touches and in rows of its own.
//
// A kind of element answers what concerns it and leaves the rest to the base class.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/elements/instant.h"
#include "trammel/system/kkt_matrix.h"
#include "trammel/system/mechanical_system.h"

namespace trammel::model {

struct Part {
  std::size_t first = 0;
  std::size_t last = 0;
};

template <class S>
class ElementGroup {
 public:
  using Vector = system::Vector;

  virtual ~ElementGroup() = default;

  virtual std::size_t size() const = 0;
  /// Nodes that an element reads or loads; the ground may be among them.
  virtual std::vector<int> nodes(std::size_t element) const = 0;

  /// Adds to r = M a + G^T lambda - f, and writes its rows g, A v + a.
  virtual void add_residual(const Instant<S>& /*now*/,
                            Part /*part*/,
                            Vector& /*r*/,
                            Vector& /*rows*/) const {}
  /// Adds to f; loads that depend on reactions are not among them.
  virtual void add_forces(const Instant<S>& /*now*/, Part /*part*/, Vector& /*f*/) const {}
  /// Adds w_q dr/dq + w_v dr/dv + w_a M and G.
  virtual void add_tangent(const Instant<S>& /*now*/,
                           Part /*part*/,
                           const system::Weights& /*weights*/,
                           system::KktMatrix& /*tangent*/) const {}

  // Its rows, by level.
  virtual void positions(const Instant<S>& /*now*/, Part /*part*/, Vector& /*g*/) const {}
  virtual void velocities(const Instant<S>& /*now*/, Part /*part*/, Vector& /*g_dot*/) const {}
  virtual void biases(const Instant<S>& /*now*/, Part /*part*/, Vector& /*gamma*/) const {}

  // Products with the matrices of the whole, see system::Operators.
  /// Adds M x.
  virtual void add_mass_product(const Instant<S>& /*now*/,
                                Part /*part*/,
                                const Vector& /*x*/,
                                Vector& /*y*/) const {}
  /// Writes its rows of G x.
  virtual void jacobian_product(const Instant<S>& /*now*/,
                                Part /*part*/,
                                const Vector& /*x*/,
                                Vector& /*rows*/) const {}
  /// Adds G^T lambda of its rows.
  virtual void add_transposed_product(const Instant<S>& /*now*/,
                                      Part /*part*/,
                                      const Vector& /*lambda*/,
                                      Vector& /*r*/) const {}
  /// Adds a diagonal mass; false when an element has none.
  virtual bool add_lumped_mass(const Instant<S>& /*now*/, Vector& /*m*/) const { return true; }
  /// Which element couples nodes by its mass, for the user; empty when none does.
  virtual std::string mass_obstacle() const { return {}; }

  /// Adds to the loads h(t, q, v, lambda), see system::ConstraintDependentForces.
  virtual void add_constraint_dependent_forces(const Instant<S>& /*now*/, Vector& /*h*/) const {}

  virtual void add_energy(const Instant<S>& /*now*/, system::Energy& /*energy*/) const {}
  virtual void add_power(const Instant<S>& /*now*/, system::Power& /*power*/) const {}

  /// Which element has no discrete gradient, for the user; empty when all have one.
  virtual std::string obstacle() const { return {}; }
  /// Adds to r with forces and reactions whose work over a step is exact
  /// (system::DiscreteGradients); `x` is the displacement over it, `now` its middle.
  virtual void add_residual_between(const Instant<S>& /*now*/,
                                    const StepEnds<S>& /*ends*/,
                                    const Vector& /*x*/,
                                    Vector& /*r*/) const {}
};

}  // namespace trammel::model
