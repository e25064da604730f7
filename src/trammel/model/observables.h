// What a mechanism lets people see.
#pragma once

#include <vector>

#include "trammel/model/mechanism.h"

namespace trammel::model {

/// Everything that can be recorded, in the order of assembly/observation.h.
template <class S>
std::vector<Quantity> observable_quantities(const Mechanism<S>& mechanism);

}  // namespace trammel::model
