// The linear solver that an integrator's options name.
#pragma once

#include <memory>
#include <string>

#include "trammel/linear/kkt_solver.h"

namespace trammel::integrators {

/// "auto" is block-ldlt. Throws InputError when there is no solver of that name.
std::unique_ptr<linear::KktSolver> solver_by_name(const std::string& name);

}  // namespace trammel::integrators
