#include "trammel/analysis/method.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/analysis/changed_method.h"
#include "trammel/analysis/tolerance_method.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/integrators/kinds.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {
namespace {

// bdf factors its matrices without symmetry where nothing else is asked for, with a regularisation
// that turns without inertia make too large in space: those along the mechanism's graph need none.
std::string solver_for(system::MechanicalSystem& system,
                       const model::SimulationSettings& settings) {
  const auto* model = dynamic_cast<const model::ModelSystem*>(&system);
  const bool massless = model != nullptr && !model->massless_turns().empty();
  const bool left_open = settings.integrator == "bdf" && settings.solver == "auto";
  return massless && left_open ? "block-ldlt" : settings.solver;
}

}  // namespace

std::unique_ptr<integrators::Integrator> make_integrator(
    system::MechanicalSystem& system, const model::SimulationSettings& settings) {
  const integrators::IntegratorKind* kind = integrators::find_integrator_kind(settings.integrator);
  if (kind == nullptr) {
    std::vector<std::string> known;
    for (const auto& k : integrators::integrator_kinds()) known.push_back(k.name);
    throw core::InputError(fmt::format("unknown integrator '{}'", settings.integrator),
                           core::suggestion(settings.integrator, known));
  }
  return kind->make(system, given_settings(settings), solver_for(system, settings));
}

bool chooses_steps(const model::SimulationSettings& settings) {
  const auto& values = settings.integrator_values;
  const auto steps = values.find("steps");
  if (steps != values.end() && steps->second == model::Value(std::string("fixed"))) return false;
  if (setting_of(settings.integrator, "relative_tolerance") != nullptr) return true;
  return takes_tolerance(settings.integrator) && tolerance_of(settings) != 0.0;
}

std::string integrator_text(const model::SimulationSettings& settings) {
  std::string text = settings.integrator;
  for (const auto& [name, value] : settings.integrator_values) {
    if (const double* number = std::get_if<double>(&value)) {
      text += fmt::format(", {} {:g}", name, *number);
    } else if (const auto* word = std::get_if<std::string>(&value)) {
      text += fmt::format(", {} {}", name, *word);
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
      text += fmt::format(", {} ({:g})", name, fmt::join(*list, ", "));
    } else if (const auto* names = std::get_if<std::vector<std::string>>(&value)) {
      text += fmt::format(", {} ({})", name, fmt::join(*names, ", "));
    }
  }
  return text;
}

std::string method_text(const model::SimulationSettings& settings, double step) {
  return fmt::format("{}, {} {:g} s, solver {}", integrator_text(settings),
                     chooses_steps(settings) ? "results every" : "step", step, settings.solver);
}

}  // namespace trammel::analysis
