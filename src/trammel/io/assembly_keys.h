// The keys of sub-assemblies: definitions, instances and where these are placed.
#pragma once

#include <vector>

#include "trammel/io/keys.h"

namespace trammel::io {

/// Bodies and what belongs to them: keys that a model and a sub-assembly share.
std::vector<Key> part_keys();

std::vector<Section> assembly_sections();

}  // namespace trammel::io
