// What differs between the models of several runs.
//
// The text of the model is in every results file. Values are compared by their place in it
// ("bodies.crank.mass"), after the assignments of --set; a value that some of the runs do not have
// is empty there.
#pragma once

#include <string>
#include <vector>

#include "trammel/results/sink.h"

namespace trammel::report {

struct ModelDifference {
  std::string place;                ///< "simulation.step"
  std::vector<std::string> values;  ///< one per run, as they are written
};

/// At most `most` of them, in the order of the first text.
std::vector<ModelDifference> model_differences(const std::vector<results::RunInformation>& runs,
                                               std::size_t most = 40);

}  // namespace trammel::report
