#include "linear_request.h"

#include <algorithm>

#include "analysis_text.h"
#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/dimension.h"
#include "trammel/core/names.h"

namespace trammel::cli {
namespace {

// A name without a dot is a parameter or a sensor.
void check_input(const std::string& name, const model::Description& description) {
  if (name.find('.') != std::string::npos) return;
  std::vector<std::string> known;
  for (const auto& [parameter, quantity] : description.parameters) known.push_back(parameter);
  for (const model::Item& sensor : description.sensors) known.push_back(sensor.name);
  if (std::find(known.begin(), known.end(), name) != known.end()) return;
  throw core::InputError(fmt::format("'{}' is no parameter of this model, and no sensor", name),
                         core::suggestion(name, known));
}

}  // namespace

system::Motion base_motion(const LinearRequest& request,
                           model::ModelSystem& system,
                           Report& facts) {
  if (request.about == "start") {
    const analysis::Assembly assembly = analysis::assemble(system);
    facts = assembly_report(assembly);
    return assembly.motion;
  }
  const analysis::StaticsReport rest =
      analysis::statics(system, {.nearest = request.about == "nearest", .end = request.end});
  facts = statics_report(rest);
  return rest.motion;
}

analysis::LinearOptions linear_options(const LinearRequest& request,
                                       const model::Description& description,
                                       const CompileWith& compile_with) {
  analysis::LinearOptions linear;
  linear.coordinates = request.coordinates;
  linear.end = request.end;
  for (const std::string& name : request.inputs) {
    check_input(name, description);
    const auto parameter = description.parameters.find(name);
    if (parameter == description.parameters.end()) {
      linear.loads.push_back(name);
      continue;
    }
    const std::string unit = core::si_unit(parameter->second.dimension);
    linear.parameters.push_back(
        {{name, unit}, parameter->second.value, [compile_with, name, unit](double value) {
           return compile_with(name, fmt::format("{:.17g} {}", value, unit));
         }});
  }
  linear.outputs = request.outputs;
  if (linear.outputs.empty()) {
    // Frames have no single value; their channels are named one by one.
    for (const model::Item& sensor : description.sensors) {
      if (sensor.type != "frame") linear.outputs.push_back(sensor.name);
    }
  }
  return linear;
}

std::vector<std::string> doubts(const analysis::Linearisation& linear) {
  std::vector<std::string> notes;
  constexpr double steady = 1e-6;
  if (linear.unsteadiness > steady) {
    notes.push_back(fmt::format(
        "the motion is not steady (coordinates accelerate by {:.2g} of their scale per s^2): "
        "eigenvalues hold for an instant only",
        linear.unsteadiness));
  }
  if (linear.drift > steady) {
    notes.push_back(fmt::format(
        "the matrices change along the motion (by {:.2g}): choose coordinates in which it is "
        "steady",
        linear.drift));
  }
  return notes;
}

}  // namespace trammel::cli
