// Joints, forces and the settings of the simulation: what is written with the fields of a kind.
#pragma once

#include <vector>

#include "trammel/io/reader.h"
#include "trammel/io/vocabulary.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// The map `joints` (section "joint") or `forces` (section "force"). Items whose type is wrong are
/// reported and left out.
std::vector<model::Item> read_items(Reader& reader,
                                    const Node& node,
                                    const Path& path,
                                    const Section& section,
                                    const std::vector<Kind>& kinds);

model::SimulationSettings read_simulation(Reader& reader,
                                          const Node& node,
                                          const Path& path,
                                          const Vocabulary& vocabulary);

}  // namespace trammel::io
