// trammel kinematics --all-assemblies: every way in which a mechanism closes, as far as found.
#pragma once

#include "model_argument.h"
#include "results_argument.h"

namespace trammel::cli {

/// Row k of the results is assembly k: films and plots go from one to the next.
int run_all_assemblies(const ModelArgument& model, const ResultsArgument& results, int most_starts);

}  // namespace trammel::cli
