// Exact derivatives of a model's elements against differences, on request.
//
// At the given state, and at some states nearby with velocities of their own (not for rows of
// kinematic connections, which stand where their joints close), every element is
// asked for its derivatives, and the quantity itself is differenced along each freedom of its
// nodes, with the steps h = 1e-4 (of the model's size, or rad) and h/2:
//     D(h) = (f(x + h) - f(x - h)) / 2h,     D = (4 D(h/2) - D(h)) / 3,     error O(h^4).
//     joints             G = dg/dx, d(G^T lambda)/dx, gamma = dG/dt v      (Pfaff rows: A = d(A
//     v)/dv) couplings, drives  the same forces, laws       df/dx, df/dv connections        df/dx
//     with their nodes in equilibrium states             dz'/dz
// They disagree where they differ by more than 1e-6 of the largest entry. A formula with a kink
// disagrees at the kink.
#pragma once

#include <string>
#include <vector>

#include "trammel/model/description.h"
#include "trammel/model/space.h"
#include "trammel/system/state.h"

namespace trammel::model {

template <class S>
class Constraint;
template <class S>
class Force;

struct DerivativeMismatch {
  std::string element;   ///< "joint 'pin'"
  std::string quantity;  ///< "df/dx"
  std::string entry;     ///< "force y by turn z of 'crank'"
  double exact = 0.0;    ///< what the element says
  double difference = 0.0;
};

/// The worst entry of each wrong derivative. The state is one in absolute coordinates.
std::vector<DerivativeMismatch> check_derivatives(Description description,
                                                  const system::State& state);

/// The same of single elements between two nodes, for those who write one. `size`: typical length.
template <class S>
std::vector<DerivativeMismatch> check_derivatives(const Force<S>& force,
                                                  const std::vector<typename S::Kinematics>& nodes,
                                                  double t,
                                                  double size);
template <class S>
std::vector<DerivativeMismatch> check_derivatives(const Constraint<S>& constraint,
                                                  const std::vector<typename S::Kinematics>& nodes,
                                                  double t,
                                                  double size);

}  // namespace trammel::model
