// Keys of bodies that bend, of their materials and of their sections.
#pragma once

#include "trammel/io/keys.h"

namespace trammel::io {

/// Of the model: `materials` and `sections`.
std::vector<Key> flexible_model_keys();
/// Of the model and of sub-assemblies: `flexible`.
Key flexible_part_key();
std::vector<Section> flexible_sections();

}  // namespace trammel::io
