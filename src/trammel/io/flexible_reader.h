// Bodies that bend, their materials and their sections.
#pragma once

#include <map>
#include <string>

#include "trammel/io/reader.h"
#include "trammel/model/flexible/spatial_beam.h"

namespace trammel::io {

/// What flexible bodies name.
struct FlexibleParts {
  std::map<std::string, model::Material> materials;
  std::map<std::string, model::CrossSection> sections;
  std::map<std::string, model::SpatialSection> across;  ///< of the same sections, in space
};

/// From the keys `materials` and `sections` of the model.
FlexibleParts read_flexible_parts(Reader& reader, const Node& root, const Path& top);

/// What is missing or wrong is told and has a value that does.
model::FlexibleBody read_flexible_body(Reader& reader,
                                       const std::string& name,
                                       const Node& node,
                                       const Path& path,
                                       const FlexibleParts& parts);

/// The same in space.
model::SpatialBeam read_spatial_beam(Reader& reader,
                                     const std::string& name,
                                     const Node& node,
                                     const Path& path,
                                     const FlexibleParts& parts);

}  // namespace trammel::io
