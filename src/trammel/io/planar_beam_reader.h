// What bodies that bend in the plane have besides line, material and section: damping, loads along
// them, a section at the tip, an arc for a line.
#pragma once

#include <vector>

#include "trammel/io/flexible_reader.h"
#include "trammel/io/keys.h"
#include "trammel/io/section_reader.h"

namespace trammel::io {

/// Of a flexible body.
std::vector<Key> planar_beam_keys();
/// Those that it refers to.
std::vector<Section> planar_beam_sections();

/// The line, the damping and the loads.
void read_planar_beam(Reader& reader, SectionReader& section, model::FlexibleBody& body);

}  // namespace trammel::io
