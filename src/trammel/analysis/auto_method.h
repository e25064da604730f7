// `method: auto`: a member of the GSSSS family chosen for the model and for what is wanted of it
// [Huang2014, sec. 5.2, tables 5.10-5.12; docs/which_method.md has the runs behind the rules].
//
//     general    V0(1, 1, 0) at index 2 with projection: quiet, all constraint levels to round-off
//     energy     V0(1, 1, 0) at index 3 with discrete gradients: energy to Newton's tolerance
//     stability  U0(1, 1, 0) at index 1 with projection: no extrapolated accelerations
//     accuracy   V0(1, 1, 1) at index 2 with projection: least error for its step
//
// Stiff models, whose fastest oscillation the step does not resolve, get generalized-alpha, which
// damps what it cannot follow; models without constraints need neither index nor projection; where
// a force has no discrete gradient, or rows are nonholonomic, energy stays bounded instead of
// exact.
#pragma once

#include <string>
#include <vector>

#include "trammel/analysis/assembly.h"
#include "trammel/model/description.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

constexpr const char* auto_method_name = "auto";

enum class Goal { general, energy, stability, accuracy };

/// In the order of Goal.
const std::vector<std::string>& goal_names();

/// What a choice looks at.
struct Traits {
  bool constrained = false;  ///< holonomic or nonholonomic rows
  bool nonholonomic = false;
  bool redundant = false;  ///< rows that follow from others
  int loops = 0;           ///< closed: joints beyond a tree
  double fastest = 0.0;    ///< largest angular frequency or decay rate at the start, 1/s
  std::string obstacle;    ///< why energy cannot be kept exactly; empty when it can
};

/// Step times rate above which a model is stiff for its step.
constexpr double stiff_product = 1.0;

Traits traits_of(model::ModelSystem& system, const Assembly& assembly);

struct MethodChoice {
  model::SimulationSettings settings;  ///< with the integrator and its settings filled in
  std::string reason;  ///< one sentence; empty when the settings named an integrator themselves
};

/// Settings that name `auto` become those of a method, with a sentence that says why; others are
/// returned as they are. Throws InputError when the goal is unknown.
MethodChoice choose_method(model::ModelSystem& system,
                           const Assembly& assembly,
                           const model::SimulationSettings& settings);
/// The rules alone.
MethodChoice choose_method(const Traits& traits,
                           Goal goal,
                           const model::SimulationSettings& settings);

}  // namespace trammel::analysis
