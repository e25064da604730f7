// Joints, forces and the settings of the simulation: what is written with the fields of a kind.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "trammel/io/reader.h"
#include "trammel/io/vocabulary.h"
#include "trammel/model/description.h"

namespace trammel::io {

/// Receives an item that was read, its kind, its entry and its path.
using ItemTaker =
    std::function<void(model::Item item, const Kind& kind, const Entry& entry, const Path& path)>;

/// The map `joints` (section "joint") or `forces` (section "force"), with `prefix` before their
/// names. Items whose type is wrong are reported and left out.
void read_items(Reader& reader,
                const Node& node,
                const Path& path,
                const std::string& prefix,
                const Section& section,
                const std::vector<Kind>& kinds,
                const ItemTaker& take);

model::SimulationSettings read_simulation(Reader& reader,
                                          const Node& node,
                                          const Path& path,
                                          const Vocabulary& vocabulary);

}  // namespace trammel::io
