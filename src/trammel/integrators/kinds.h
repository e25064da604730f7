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

struct Setting;

/// All settings of a kind as they are with what was given: the others have their fallback.
class ChosenSettings {
 public:
  ChosenSettings(const std::vector<Setting>& settings, const Settings& given)
      : settings_(settings), given_(given) {}

  const Settings& given() const { return given_; }
  /// Zero, and empty, for a setting that the kind has not, or of another type.
  double number(const std::string& name) const;
  std::string word(const std::string& name) const;

 private:
  const SettingValue* find(const std::string& name) const;

  const std::vector<Setting>& settings_;
  const Settings& given_;
};

/// Why a setting has no effect beside the others, e.g. "rule: backward-euler", and what it wants.
struct Idle {
  std::string because{};  ///< empty: it has one
  std::string wants{};    ///< "rule: newmark"
};

/// Something an integrator can be given; the type of its fallback is its type.
struct Setting {
  std::string name;
  std::string description;
  SettingValue fallback = 0.0;
  std::vector<std::string> choices{};  ///< of a word
  core::Dimension dimension{};         ///< of a number
  /// Where it depends on others whether the setting has an effect. One that was given and has none
  /// is refused.
  std::function<Idle(const ChosenSettings&)> idle{};
};

/// Without effect unless another setting is one of these words.
std::function<Idle(const ChosenSettings&)> idle_unless(std::string setting,
                                                       std::vector<std::string> words);
/// Without effect unless another setting is above this number.
std::function<Idle(const ChosenSettings&)> idle_unless_above(std::string setting, double number);

struct IntegratorKind {
  std::string name;
  std::string summary;
  /// The one that tells members of the kind apart, if there is one, stands first.
  std::vector<Setting> settings;
  /// Builds one; settings missing from the map take their fallback. Throws InputError when a
  /// setting is unknown, out of range, without effect, or does not go with the others or with the
  /// system.
  std::function<std::unique_ptr<Integrator>(
      system::MechanicalSystem& system, const Settings& settings, const std::string& solver)>
      make;
};

/// Given settings that have no effect beside the others, by name.
std::map<std::string, Idle> idle_settings(const IntegratorKind& kind, const Settings& given);

const std::vector<IntegratorKind>& integrator_kinds();
const IntegratorKind* find_integrator_kind(std::string_view name);

}  // namespace trammel::integrators
