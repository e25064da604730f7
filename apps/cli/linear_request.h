// What people say about a linear model: about which motion, with which coordinates, inputs and
// outputs, by name.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "report_text.h"

#include "trammel/analysis/linearise.h"

namespace trammel::cli {

struct LinearRequest {
  /// "nearest": the first equilibrium found, stable or not; "start": the start as it moves.
  std::string about = "equilibrium";
  std::vector<std::string> coordinates;
  std::vector<std::string> inputs;   ///< parameters, or coordinates with a load along each
  std::vector<std::string> outputs;  ///< channels or patterns; the sensors of the model when empty
  analysis::EarlyEnd end = {};
};

/// The model compiled with another value of a parameter: "torque", "0.2 N m".
using CompileWith = std::function<std::unique_ptr<model::ModelSystem>(const std::string& parameter,
                                                                      const std::string& value)>;

/// The motion to linearise about; `facts` tells how it was found.
system::Motion base_motion(const LinearRequest& request, model::ModelSystem& system, Report& facts);

analysis::LinearOptions linear_options(const LinearRequest& request,
                                       const model::Description& description,
                                       const CompileWith& compile_with);

/// Why eigenvalues may not mean what they seem to; empty when the motion is steady.
std::vector<std::string> doubts(const analysis::Linearisation& linear);

}  // namespace trammel::cli
