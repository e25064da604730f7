// Past positions and velocities of a multistep method on a curved manifold, newest first, so that
// its history can be told in the coordinates of a new origin. Empty for vector spaces, where the
// origin never moves.
#pragma once

#include <algorithm>
#include <vector>

#include "trammel/integrators/state_equations.h"

namespace trammel::integrators {

class PositionHistory {
 public:
  /// Room for `count` states; none where positions are a vector space.
  void begin(const StateEquations& equations, int count, const system::State& state) {
    states_.assign(equations.curved() ? static_cast<std::size_t>(count) : 0, state);
  }
  void add(const system::State& state) {
    if (states_.empty()) return;
    std::rotate(states_.rbegin(), states_.rbegin() + 1, states_.rend());
    states_.front() = state;
  }
  const system::State& operator[](int i) const { return states_[static_cast<std::size_t>(i)]; }
  std::size_t memory_bytes() const {
    const auto numbers = states_.empty() ? 0 : states_[0].q.size() + states_[0].v.size();
    return states_.size() * static_cast<std::size_t>(numbers) * sizeof(double);
  }

 private:
  std::vector<system::State> states_;
};

}  // namespace trammel::integrators
