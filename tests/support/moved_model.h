// The same model somewhere else in space.
#pragma once

#include "trammel/model/description.h"

namespace trammel::support {

/// Bodies, frames of the ground and points of items moved by `offset`; what is attached to the
/// ground itself gets a frame there. Formulas must not read positions.
model::Description moved_away(model::Description description, const Eigen::Vector3d& offset);

}  // namespace trammel::support
