// Dynamic relaxation with kinetic damping: the model is let go without friction and stopped
// whenever its loads no longer do work on it, which is where its kinetic energy is greatest. Steps
// of
//
//     eta' = (N^T M N)^-1 (-N^T r),   h = 1 / omega_max,
//
// with omega_max the highest frequency of the reduced stiffness there. Finds stable equilibria
// only.
#pragma once

#include "trammel/analysis/equilibrium.h"
#include "trammel/analysis/watch.h"

namespace trammel::analysis {

struct RelaxationReport {
  bool settled = false;
  long steps = 0;
};

/// Until the error is below `tolerance`, so that Newton can finish. RunError when time is up.
RelaxationReport relax(model::ModelSystem& system,
                       Equilibrium& equilibrium,
                       double tolerance,
                       long most_steps,
                       const EarlyEnd& end = {});

}  // namespace trammel::analysis
