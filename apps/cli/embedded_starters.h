// Defined in a file that CMake writes from starters/*.yaml.
#pragma once

#include <vector>

#include "starters.h"

namespace trammel::cli {

std::vector<Starter> embedded_starters();

}  // namespace trammel::cli
