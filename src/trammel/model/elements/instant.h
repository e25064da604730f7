// A motion at one instant, as elements see it: where all nodes stand and how they move, what is
// known of the past, and scratch memory.
//
// Elements are constant. Whatever an evaluation writes besides its result is here, so that several
// threads may evaluate one mechanism at once, each with an instant of its own.
#pragma once

#include <array>
#include <vector>

#include "trammel/model/formula.h"
#include "trammel/model/slip.h"

namespace trammel::model {

/// What evaluation depends on besides the motion. It changes only where a motion is accepted, or
/// where somebody decides about friction.
struct History {
  /// How a friction acts, and where it sticks.
  struct Friction {
    Slip slip = Slip::smoothed;
    double held_at = 0.0;  ///< value of the coordinate while it sticks
  };

  std::vector<double> turns;        ///< last continued value of each wrapping angle
  std::vector<Friction> frictions;  ///< in joints
  std::vector<double> branches;     ///< of conditions on the motion: held, or let go
  /// Planar: last angle of each carried node, whole turns counted.
  std::vector<double> carried_angles;
};

template <class S>
struct ConnectionMemory;

/// Memory for the local vectors and matrices of elements: as large as the largest needs; others
/// use the beginning.
class ElementScratch {
 public:
  void reserve(Eigen::Index size) {
    for (Eigen::VectorXd& each : columns_) each.resize(size);
    for (Eigen::MatrixXd& each : squares_) each.resize(size, size);
  }
  /// Zero.
  auto column(int number, Eigen::Index size) {
    auto part = columns_[static_cast<std::size_t>(number)].head(size);
    part.setZero();
    return part;
  }
  auto square(int number, Eigen::Index size) {
    auto part = squares_[static_cast<std::size_t>(number)].topLeftCorner(size, size);
    part.setZero();
    return part;
  }

 private:
  std::array<Eigen::VectorXd, 2> columns_;
  std::array<Eigen::MatrixXd, 3> squares_;
};

/// The two ends of a step and the turns of all nodes over it, for methods that balance the energy.
template <class S>
struct StepEnds {
  std::vector<typename S::Kinematics> from;
  std::vector<typename S::Kinematics> to;
  std::vector<double> turn;  ///< per node: sin(x/2)/(x/2) of its turn x
  const system::State* from_state = nullptr;
  const system::State* to_state = nullptr;
};

template <class S>
struct Instant {
  using Kinematics = typename S::Kinematics;
  using NodeMatrix = Eigen::Matrix<double, S::freedoms, S::freedoms>;

  std::vector<Kinematics>& kinematics;  ///< of all nodes; internal ones are put there on the way
  const History& history;
  FormulaWorkspace<S>& work;
  double t = 0.0;                     ///< s
  double clock = 0.0;                 ///< for formulas: held just before a jump
  const system::Vector* q = nullptr;  ///< coordinates and velocities of the system
  const system::Vector* v = nullptr;
  const system::Vector* z = nullptr;            ///< first-order states
  const system::Vector* a = nullptr;            ///< accelerations, where there are any
  const system::Vector* lambda = nullptr;       ///< multipliers, where there are any
  const system::Vector* state_rates = nullptr;  ///< of z, for powers
  const system::Vector* step = nullptr;         ///< displacement of a step that tangents refer to
  std::vector<NodeMatrix>* inverse_tangent =
      nullptr;  ///< per node, of that step; made with the inertia
  std::vector<ConnectionMemory<S>>* memories = nullptr;  ///< per connection
  ElementScratch* scratch = nullptr;
  /// Of elements, those alone that stand on carried nodes.
  bool condensing = false;

  const Kinematics& at(int node) const { return kinematics[static_cast<std::size_t>(node)]; }
  /// Where formulas are evaluated.
  Place<S> place() const {
    return {kinematics, clock, *z, history.turns, nullptr, &history.branches};
  }
  /// With multipliers, for what reads loads.
  Place<S> loaded_place() const {
    return {kinematics, clock, *z, history.turns, lambda, &history.branches};
  }
};

}  // namespace trammel::model
