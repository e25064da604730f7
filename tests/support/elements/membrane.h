// A three-node membrane with consistent mass: how a kind of element of one's own is written.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::support {

/// Constant strain, St. Venant-Kirchhoff's law in plane stress, large displacements.
model::ForceKind membrane();

}  // namespace trammel::support
