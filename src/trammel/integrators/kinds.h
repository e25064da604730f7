// The integrators that can be chosen by name.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trammel/integrators/integrator.h"

namespace trammel::integrators {

/// A number that an integrator can be given.
struct Setting {
  std::string name;
  std::string description;
  double fallback = 0.0;
};

struct IntegratorKind {
  std::string name;
  std::string summary;
  std::vector<Setting> settings;
  /// Builds one; settings missing from the map take their fallback.
  std::unique_ptr<Integrator> (*make)(system::MechanicalSystem& system,
                                      const std::map<std::string, double>& settings,
                                      const std::string& solver) = nullptr;
};

const std::vector<IntegratorKind>& integrator_kinds();
const IntegratorKind* find_integrator_kind(std::string_view name);

}  // namespace trammel::integrators
