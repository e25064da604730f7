// Kinds of joints of one's own; those of forces are registered by kinds.h.
#pragma once

#include "trammel/model/kinds.h"

namespace trammel::model {

/// Adds a kind, for all models compiled afterwards; not while others read the registry. Throws
/// InputError when its name is taken.
void register_joint_kind(JointKind kind);

}  // namespace trammel::model
