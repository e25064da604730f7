// All words of the model file: joints and forces, integrators and linear solvers.
#pragma once

#include <string>
#include <vector>

#include "trammel/io/vocabulary.h"

namespace trammel::cli {

io::Vocabulary full_vocabulary();

/// The names of the kinds, each once.
std::vector<std::string> names(const std::vector<io::Kind>& kinds);

}  // namespace trammel::cli
