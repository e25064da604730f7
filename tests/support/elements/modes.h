// Masses and springs of a set of amplitudes: the smallest element that stands on no node.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::support {

/// m_i eta_i'' + d eta_i' + k_i eta_i = 0.
model::ForceKind modes(model::Space space);

}  // namespace trammel::support
