#include "trammel/integrators/kinds.h"

#include "trammel/integrators/generalized_alpha.h"

namespace trammel::integrators {
namespace {

double setting(const std::map<std::string, double>& settings,
               const std::string& name,
               double fallback) {
  const auto found = settings.find(name);
  return found == settings.end() ? fallback : found->second;
}

IntegratorKind generalized_alpha() {
  return {"generalized-alpha",
          "second order, index 3, damping of high frequencies set by one number",
          {{"spectral_radius", "at infinite frequency, 0 (most damping) to 1 (none)", 0.6},
           {"newton_tolerance", "error of a step relative to h^2 times acceleration", 1e-8},
           {"resolution", "largest deviation of a step from its extrapolation, rad or model sizes",
            0.1}},
          [](system::MechanicalSystem& system, const std::map<std::string, double>& settings,
             const std::string& solver) -> std::unique_ptr<Integrator> {
            GeneralizedAlphaOptions options;
            options.spectral_radius = setting(settings, "spectral_radius", options.spectral_radius);
            options.newton_tolerance =
                setting(settings, "newton_tolerance", options.newton_tolerance);
            options.resolution = setting(settings, "resolution", options.resolution);
            options.solver = solver;
            return std::make_unique<GeneralizedAlpha>(system, options);
          }};
}

}  // namespace

const std::vector<IntegratorKind>& integrator_kinds() {
  static const std::vector<IntegratorKind> kinds{generalized_alpha()};
  return kinds;
}

const IntegratorKind* find_integrator_kind(std::string_view name) {
  for (const IntegratorKind& kind : integrator_kinds()) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

}  // namespace trammel::integrators
