// State-space matrices as JSON, for other programs:
//
//     {"states": [{"name", "unit"}], "inputs": [...], "outputs": [...], "A": [[...]], "B", "C",
//     "D"}
//
// with rows of numbers that read back exactly.
#pragma once

#include <filesystem>
#include <string>

#include "trammel/analysis/linearise.h"

namespace trammel::analysis {

std::string state_space_json(const StateSpace& space);

/// InputError when the file exists and `overwrite` is not given; RunError when it cannot be
/// written.
void write_state_space(const std::filesystem::path& path, const StateSpace& space, bool overwrite);

}  // namespace trammel::analysis
