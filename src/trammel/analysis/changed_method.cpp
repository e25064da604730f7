#include "trammel/analysis/changed_method.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::analysis {

const integrators::Setting* setting_of(const std::string& integrator, const char* name) {
  const integrators::IntegratorKind* kind = integrators::find_integrator_kind(integrator);
  if (kind == nullptr) return nullptr;
  for (const integrators::Setting& setting : kind->settings) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
}

integrators::Settings given_settings(const model::SimulationSettings& settings) {
  integrators::Settings given;
  for (const auto& [name, value] : settings.integrator_values) {
    if (const double* number = std::get_if<double>(&value)) given[name] = *number;
    if (const auto* word = std::get_if<std::string>(&value)) given[name] = *word;
    if (const auto* list = std::get_if<std::vector<double>>(&value)) given[name] = *list;
    if (const auto* names = std::get_if<std::vector<std::string>>(&value)) given[name] = *names;
  }
  return given;
}

void drop_idle(model::SimulationSettings& settings, const model::Values& among) {
  const integrators::IntegratorKind* kind = integrators::find_integrator_kind(settings.integrator);
  if (kind == nullptr) return;
  try {
    for (const auto& [name, idle] : integrators::idle_settings(*kind, given_settings(settings))) {
      if (among.find(name) != among.end()) settings.integrator_values.erase(name);
    }
  } catch (const core::InputError&) {
    return;  // whoever makes the integrator tells what is wrong
  }
}

const double* number_of(const model::SimulationSettings& settings, const char* name) {
  const integrators::Setting* setting = setting_of(settings.integrator, name);
  if (setting == nullptr) return nullptr;
  const auto given = settings.integrator_values.find(name);
  return given != settings.integrator_values.end() ? std::get_if<double>(&given->second)
                                                   : std::get_if<double>(&setting->fallback);
}

void multiply_number(model::SimulationSettings& settings, const char* name, double factor) {
  const double* value = number_of(settings, name);
  if (value != nullptr && *value != 0.0) settings.integrator_values[name] = factor * *value;
}

void multiply_tolerances(model::SimulationSettings& settings, double factor) {
  multiply_number(settings, "relative_tolerance", factor);
  multiply_number(settings, "absolute_tolerance", factor);
  multiply_number(settings, "tolerance", factor);
  if (factor < 1.0) multiply_number(settings, "largest_step", std::pow(factor, 0.2));
}

bool takes(const std::string& integrator, const char* name, const char* word) {
  const integrators::Setting* setting = setting_of(integrator, name);
  if (setting == nullptr || word == nullptr) return setting != nullptr;
  return std::find(setting->choices.begin(), setting->choices.end(), word) !=
         setting->choices.end();
}

std::string after_failure(const model::SimulationSettings& settings, bool adaptive) {
  const std::string& name = settings.integrator;
  if (adaptive) {
    return fmt::format(
        "look for a singular position, a jump or a force without bound near that time; try larger "
        "tolerances{}, or generalized-alpha",
        name == "bdf" ? "" : ", bdf where the model is stiff");
  }
  std::string text =
      "look for a singular position or a force without bound near that time; try a smaller step";
  if (takes(name, "spectral_radius")) text += ", a smaller spectral_radius";
  if (!takes(name, "index") && !takes(name, "relative_tolerance")) {
    text += ", generalized-alpha in its place";
  }
  if (settings.solver != "klu") text += ", or solver: klu";
  return text;
}

void keep_long_steps(model::SimulationSettings& settings) {
  if (setting_of(settings.integrator, "resolution") == nullptr) return;
  settings.integrator_values["resolution"] = 0.0;
}

}  // namespace trammel::analysis
