// Initial values as a person describes them, each with what it means for the coordinates.
//
// A value c is a number such as the x position of a body's frame or its angular velocity. Moving
// the freedoms of its body by x changes it by J . x (velocities: c itself is J . v).
#pragma once

#include <array>
#include <vector>

#include "trammel/system/state.h"

namespace trammel::system {

struct InitialValue {
  bool stated = false;      ///< written down: strongly preferred
  bool fixed = false;       ///< must hold exactly
  double weight = 1.0;      ///< the inertia that moves with it, kg or kg m^2
  double described = 0.0;   ///< m, rad, m/s or rad/s
  double difference = 0.0;  ///< of the state at hand from `described`
  int first = 0;            ///< velocity that belongs to the first entry of J
  int count = 0;            ///< of entries
  std::array<double, 6> J{};
};

/// Both lists have the same length and order.
class InitialValues {
 public:
  virtual ~InitialValues() = default;
  virtual void initial_positions(const State& state, std::vector<InitialValue>& values) const = 0;
  virtual void initial_velocities(const State& state, std::vector<InitialValue>& values) const = 0;
};

}  // namespace trammel::system
