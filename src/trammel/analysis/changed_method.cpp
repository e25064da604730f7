#include "trammel/analysis/changed_method.h"

#include <cmath>

namespace trammel::analysis {

const integrators::Setting* setting_of(const std::string& integrator, const char* name) {
  const integrators::IntegratorKind* kind = integrators::find_integrator_kind(integrator);
  if (kind == nullptr) return nullptr;
  for (const integrators::Setting& setting : kind->settings) {
    if (setting.name == name) return &setting;
  }
  return nullptr;
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
  if (value != nullptr) settings.integrator_values[name] = factor * *value;
}

void multiply_tolerances(model::SimulationSettings& settings, double factor) {
  multiply_number(settings, "relative_tolerance", factor);
  multiply_number(settings, "absolute_tolerance", factor);
  if (factor < 1.0) multiply_number(settings, "largest_step", std::pow(factor, 0.2));
}

void keep_long_steps(model::SimulationSettings& settings) {
  if (setting_of(settings.integrator, "resolution") == nullptr) return;
  settings.integrator_values["resolution"] = 0.0;
}

}  // namespace trammel::analysis
