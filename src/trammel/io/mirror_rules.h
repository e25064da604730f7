// What becomes of the values of a joint or force in a copy that is turned or mirrored.
//
// Values are given in the components of the frames that the item is attached to, which turn with
// the copy; only loads with `axes: world` need turning. For mirroring it must be known what a value
// is: a polar vector (the axis of a slider, a force), an axial one (the axis of a hinge, a torque)
// or a number that changes its sign (an angle or torque about z in the plane). Axes of rotation are
// mapped as axial vectors, so that the angle of a hinge has the same value in symmetric motions. A
// kind without rules cannot be mirrored.
#pragma once

#include <string>

#include "trammel/io/transform.h"
#include "trammel/io/vocabulary.h"

namespace trammel::io {

/// Whether items of this kind can be mirrored.
bool has_mirror_rules(const Kind& kind, model::Space space, bool is_joint);

/// Turns and mirrors the values of an item; fallbacks that change are filled in. Returns what
/// prevents it, or nothing.
std::string move_values(const Transform& transform,
                        const Kind& kind,
                        model::Space space,
                        bool is_joint,
                        model::Values& values);

}  // namespace trammel::io
