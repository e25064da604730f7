// The part of the table of keys that describes bodies: mass, shapes, frames and orientations.
#pragma once

#include <vector>

#include "trammel/io/keys.h"

namespace trammel::io {

std::vector<Section> body_sections();

}  // namespace trammel::io
