// Mass properties from the shapes of a body.
#pragma once

#include <optional>

#include "trammel/io/reader.h"
#include "trammel/math/mass_properties.h"

namespace trammel::io {

/// From a map with one shape, or a list of such maps that are added up. Empty when something is
/// wrong, which has been reported.
std::optional<math::MassProperties> read_shapes(Reader& reader, const Node& node, const Path& path);

}  // namespace trammel::io
