// The values of everything that can be seen of a mechanism.
#pragma once

#include "trammel/model/assembly/evaluator.h"

namespace trammel::model {

/// One number for each of observable_quantities(). Angles that wrap are continued from the history.
template <class S>
void observe(Evaluator<S>& evaluator, const system::Motion& motion, double* values);

}  // namespace trammel::model
