// The loads that balance a known motion; see inverse.h.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/named_coordinates.h"

namespace trammel::analysis {

class LoadBalance {
 public:
  /// `actuators` are coordinates by name with a load along each.
  LoadBalance(model::ModelSystem& system, const std::vector<std::string>& actuators);

  /// Finds motion.lambda, loads() and missing().
  void solve(system::Motion& motion);

  const std::vector<NamedCoordinate>& actuators() const { return actuators_; }
  const Vector& loads() const { return loads_; }
  /// What the motion needs besides, over all its loads.
  double missing() const { return missing_; }
  /// Along coordinates that describe the motions without actuator: choose_missing() first.
  const std::vector<NamedCoordinate>& missing_coordinates() const { return missing_coordinates_; }
  const Vector& missing_loads() const { return missing_loads_; }
  /// Chooses them at a state.
  void choose_missing(const system::State& state);
  /// Rows of [G; C] that depend on each other at a state, by the name of joint, drive or
  /// coordinate.
  std::vector<std::string> not_unique(const system::State& state);

 private:
  Matrix all_rows(const system::State& state);
  Vector sizes_of(const Matrix& rows, const system::State& state);

  model::ModelSystem& system_;
  Observer observer_;
  std::vector<NamedCoordinate> actuators_;
  std::vector<NamedCoordinate> missing_coordinates_;
  Vector loads_;
  Vector missing_loads_;
  double missing_ = 0.0;
};

}  // namespace trammel::analysis
