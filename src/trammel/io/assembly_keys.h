// The keys of sub-assemblies: definitions, instances and where these are placed.
#pragma once

#include <vector>

#include "trammel/io/keys.h"

namespace trammel::io {

std::vector<Section> assembly_sections();

}  // namespace trammel::io
