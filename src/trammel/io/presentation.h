// What a model file says besides the model: how results are shown, and what runs start from.
#pragma once

#include <string>
#include <vector>

#include "trammel/io/model_file.h"

namespace trammel::io {

/// Display units ("deg", "mm", "kN m"), each for its dimension, and the channels that plots begin
/// with
/// ("crank.*"). Nothing of it is part of the physics.
struct Presentation {
  std::vector<std::string> units;
  std::vector<std::string> plots;
};

/// `report:` of a file that was read without mistakes.
Presentation presentation_of(const ModelFile& file);

/// `start: equilibrium`.
bool starts_at_rest(const ModelFile& file);

}  // namespace trammel::io
