// Whether what a description wants of its spanning tree exists.
#pragma once

#include "trammel/core/diagnostic.h"
#include "trammel/model/description.h"

namespace trammel::model {

void check_tree_hints(const Description& description, core::Diagnostics& diagnostics);

}  // namespace trammel::model
