// What can be chosen about integration in independent coordinates.
#pragma once

#include <string>
#include <vector>

#include "trammel/constraint_handling/coordinate_partition.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// Positions and velocities as affine functions of the acceleration s at the end of a step.
enum class ImplicitRule {
  newmark,  ///< x = h v_n + h^2 (1/2 - beta) a_n + h^2 beta s, v = v_n + h (1 - gamma) a_n + h
            ///< gamma s
  backward_euler  ///< x = h v_n + h^2 s, v = v_n + h s
};

/// Where Newton's iteration begins.
enum class StatePredictor {
  taylor,  ///< with the accelerations at x = h v_n + h^2/2 a_n, v = v_n + h a_n
  tilde,   ///< with those at what the rule has without s
  hold     ///< with a_n
};

enum class StateIteration {
  newton,           ///< the exact Jacobian
  fisette_vaneghem  ///< without second derivatives of accelerations and reactions
};

struct StateSpaceOptions {
  constraint_handling::PartitionMethod partition = constraint_handling::PartitionMethod::lu;
  bool scaled_columns = true;
  std::vector<std::string> independent;  ///< names; empty: by the partition
  double repartition_above = 3.0;        ///< growth of the condition; 0: never
  ImplicitRule rule = ImplicitRule::newmark;
  double beta = 0.25;
  double gamma = 0.5;
  StatePredictor predictor = StatePredictor::hold;
  StateIteration iteration = StateIteration::newton;
  double newton_tolerance = 1e-10;
  int most_iterations = 30;
  std::string solver = "auto";  ///< linear solver of models with many constraint rows
};

/// Settings of the partition, for all methods in independent coordinates.
std::vector<Setting> partition_settings();
/// Settings of the implicit method; `iteration` stands first.
std::vector<Setting> state_space_settings();

/// Puts settings over the options. Throws InputError when one is wrong or out of range.
void apply(const Settings& settings, StateSpaceOptions& options);

}  // namespace trammel::integrators
