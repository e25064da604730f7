// Which quantity of a model becomes infinite or undefined where a step fails.
#pragma once

#include <string>

#include "trammel/model/model_system.h"

namespace trammel::analysis {

/// Looks at the motion carried on by h without forces: "the rate of the state 'motor.current'", or
/// "'strut.force'", a channel; empty when all is finite there.
std::string undefined_quantity(model::ModelSystem& system, system::Motion motion, double h);

}  // namespace trammel::analysis
