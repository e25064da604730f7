// What bodies that bend in space say besides planar ones.
#pragma once

#include "trammel/io/section_reader.h"
#include "trammel/model/flexible/spatial_beam.h"

namespace trammel::io {

/// Torsion and the second axis of a section whose planar part is known, or all of its stiffness.
model::SpatialSection read_spatial_section(Reader& reader,
                                           SectionReader& section,
                                           const model::CrossSection& cross);

/// Line, axes, mass, shear and viscosity of a body whose section is known.
void read_spatial_body(Reader& reader, SectionReader& section, model::SpatialBeam& body);

}  // namespace trammel::io
