// Values from the command line (`--set name=value`) put into the tree of a model file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "trammel/core/diagnostic.h"
#include "trammel/io/yaml_tree.h"

namespace trammel::io {

/// Each pair is a name and the text of a value, in the notation of the model file. The name is that
/// of a parameter ("speed"), or the path of a value ("bodies.crank.mass", "simulation.until"). The
/// last part of a path may be new; the maps before it must exist, except those at top level.
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Replaces or adds the values. Reports names that lead nowhere.
void apply_overrides(const Overrides& overrides, Tree& tree, core::Diagnostics& diagnostics);

}  // namespace trammel::io
