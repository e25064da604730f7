// Keys of bodies that bend in space, besides those of planar ones.
#pragma once

#include <vector>

#include "trammel/io/keys.h"

namespace trammel::io {

/// Of a body.
std::vector<Key> spatial_flexible_keys();
/// Of its section.
std::vector<Key> spatial_section_keys();
/// What these refer to.
std::vector<Section> spatial_flexible_sections();

}  // namespace trammel::io
