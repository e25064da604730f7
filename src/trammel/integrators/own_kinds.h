// Integrators of one's own.
#pragma once

#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// Adds a kind; not while others read the registry. InputError when its name is taken.
void register_integrator_kind(IntegratorKind kind);

}  // namespace trammel::integrators
