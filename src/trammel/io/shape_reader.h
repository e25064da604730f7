// The shapes of a body and the mass properties they give it; surfaces that are only drawn.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trammel/io/section_reader.h"
#include "trammel/math/mass_properties.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// From a map with one shape, or a list of such maps that are added up. The shapes themselves go to
/// `shapes`. Empty when something is wrong, which has been reported.
std::optional<math::MassProperties> read_shapes(Reader& reader,
                                                const Node& node,
                                                const Path& path,
                                                std::vector<model::PlacedShape>& shapes);

/// The surfaces of the key `meshes`: a file name, a map, or a list of these.
std::vector<model::PlacedShape> read_drawn_meshes(Reader& reader,
                                                  const Node& node,
                                                  const Path& path);

/// The key `color` as "#rrggbb"; empty when there is none, or none that is known.
std::string read_color(Reader& reader, SectionReader& section);

}  // namespace trammel::io
