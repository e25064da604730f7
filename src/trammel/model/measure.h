// What formulas read: time, a coordinate, a rate, a first-order state, the load of a contact, the
// unknown of an equation, or the branch on which a condition is held.
#pragma once

#include <memory>
#include <vector>

#include "trammel/core/dimension.h"
#include "trammel/model/coordinate.h"
#include "trammel/system/state.h"

namespace trammel::model {

template <class S>
struct Measure {
  enum class Kind { time, position, rate, state, load, unknown, branch };

  Kind kind = Kind::time;
  int node_a = 0;
  int node_b = 0;
  std::shared_ptr<const Direction<S>> direction;    ///< of positions and rates
  std::shared_ptr<const Coordinate<S>> coordinate;  ///< of positions
  int index = -1;  ///< of a state; of the turn counter of a position that wraps; row of a load;
                   ///< number of a branch
  double factor = 1.0;  ///< load over multiplier
  core::Dimension dimension = core::dimension::time;
};

/// Where a formula is evaluated.
template <class S>
struct Place {
  const std::vector<typename S::Kinematics>& kinematics;
  double t = 0.0;
  const system::Vector& z;
  const std::vector<double>& tracked;             ///< last continued value of each wrapping angle
  const system::Vector* lambda = nullptr;         ///< loads are zero without them
  const std::vector<double>* branches = nullptr;  ///< all are let go without them

  const typename S::Kinematics& at(int node) const {
    return kinematics[static_cast<std::size_t>(node)];
  }
};

template <class S>
double measured(const Measure<S>& measure, const Place<S>& place);

/// The nodes an element touches, each once, without the ground: its local unknowns are their
/// freedoms one after the other, S::freedoms each.
class LocalNodes {
 public:
  void add(int node);
  const std::vector<int>& nodes() const { return nodes_; }
  /// Place of a node among them; -1 for the ground.
  int slot(int node) const;

 private:
  std::vector<int> nodes_;
};

}  // namespace trammel::model
