#include "trammel/analysis/method.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/integrators/kinds.h"

namespace trammel::analysis {

std::unique_ptr<integrators::Integrator> make_integrator(
    system::MechanicalSystem& system, const model::SimulationSettings& settings) {
  const integrators::IntegratorKind* kind = integrators::find_integrator_kind(settings.integrator);
  if (kind == nullptr) {
    std::vector<std::string> known;
    for (const auto& k : integrators::integrator_kinds()) known.push_back(k.name);
    throw core::InputError(fmt::format("unknown integrator '{}'", settings.integrator),
                           core::suggestion(settings.integrator, known));
  }
  integrators::Settings chosen;
  for (const auto& [name, value] : settings.integrator_values) {
    if (const double* number = std::get_if<double>(&value)) chosen[name] = *number;
    if (const auto* word = std::get_if<std::string>(&value)) chosen[name] = *word;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) chosen[name] = *list;
    if (const auto* names = std::get_if<std::vector<std::string>>(&value)) chosen[name] = *names;
  }
  return kind->make(system, chosen, settings.solver);
}

bool chooses_steps(const model::SimulationSettings& settings) {
  const integrators::IntegratorKind* kind = integrators::find_integrator_kind(settings.integrator);
  if (kind == nullptr) return false;
  const bool able = std::any_of(kind->settings.begin(), kind->settings.end(),
                                [](const auto& each) { return each.name == "relative_tolerance"; });
  const auto steps = settings.integrator_values.find("steps");
  return able && (steps == settings.integrator_values.end() ||
                  steps->second != model::Value(std::string("fixed")));
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
