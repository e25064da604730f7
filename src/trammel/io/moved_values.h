// What becomes of the values of an item in a copy that is turned or mirrored.
//
// Values are given in the components of the frames that the item is attached to, which turn with
// the copy; only loads with `axes: world` need turning. How a value looks in the mirror, its field
// tells, and whether the kind has a mirror image at all, the kind (model/mirroring.h).
#pragma once

#include <string>
#include <string_view>

#include "trammel/io/transform.h"
#include "trammel/io/vocabulary.h"

namespace trammel::io {

/// Turns and mirrors the values of an item of a section ("joint", "force" ...); fallbacks that
/// change are filled in. Returns what prevents it, or nothing.
std::string move_values(const Transform& transform,
                        const Kind& kind,
                        std::string_view section,
                        model::Values& values);

}  // namespace trammel::io
