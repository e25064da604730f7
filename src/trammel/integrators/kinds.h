// The integrators that can be chosen by name, with their settings.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trammel/core/dimension.h"
#include "trammel/integrators/integrator.h"

namespace trammel::integrators {

/// A number, a word out of several, several numbers, or names of coordinates.
using SettingValue =
    std::variant<double, std::string, std::vector<double>, std::vector<std::string>>;
using Settings = std::map<std::string, SettingValue>;

/// Something an integrator can be given; the type of its fallback is its type.
struct Setting {
  std::string name;
  std::string description;
  SettingValue fallback = 0.0;
  std::vector<std::string> choices{};  ///< of a word
  core::Dimension dimension{};         ///< of a number
};

struct IntegratorKind {
  std::string name;
  std::string summary;
  /// The one that tells members of the kind apart, if there is one, stands first.
  std::vector<Setting> settings;
  /// Builds one; settings missing from the map take their fallback. Throws InputError when a
  /// setting is unknown, out of range, or does not go with the others or with the system.
  std::function<std::unique_ptr<Integrator>(
      system::MechanicalSystem& system, const Settings& settings, const std::string& solver)>
      make;
};

const std::vector<IntegratorKind>& integrator_kinds();
const IntegratorKind* find_integrator_kind(std::string_view name);

}  // namespace trammel::integrators
