// Reads settings of known types into options.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"
#include "trammel/integrators/kinds.h"

namespace trammel::integrators {

/// Settings that are not there leave their option as it is. Throws InputError where one has a wrong
/// type or word.
class SettingReader {
 public:
  explicit SettingReader(const Settings& settings) : settings_(settings) {}

  void number(const std::string& name, double& value) const {
    const auto found = settings_.find(name);
    if (found == settings_.end()) return;
    const double* given = std::get_if<double>(&found->second);
    if (given == nullptr) throw core::InputError(name + " is not a number", "give a number");
    value = *given;
  }

  void whole(const std::string& name, int& value) const {
    double given = value;
    number(name, given);
    if (given != std::round(given) || std::abs(given) > 1e6) {
      throw core::InputError(fmt::format("{} is {:g}", name, given), "give a whole number");
    }
    value = static_cast<int>(given);
  }

  void words(const std::string& name, std::vector<std::string>& value) const {
    const auto found = settings_.find(name);
    if (found == settings_.end()) return;
    const auto* given = std::get_if<std::vector<std::string>>(&found->second);
    if (given == nullptr) {
      throw core::InputError(name + " is not a list of names", "give names, e.g. [crank.angle]");
    }
    value = *given;
  }

  /// The place of the word among the choices becomes the enumerator.
  template <class Enum>
  void word(const std::string& name, const std::vector<std::string>& choices, Enum& value) const {
    const auto found = settings_.find(name);
    if (found == settings_.end()) return;
    const std::string* given = std::get_if<std::string>(&found->second);
    if (given == nullptr) {
      throw core::InputError(name + " is not a word", core::suggestion("", choices));
    }
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (choices[i] != *given) continue;
      value = static_cast<Enum>(i);
      return;
    }
    throw core::InputError(fmt::format("{} '{}' is unknown", name, *given),
                           core::suggestion(*given, choices));
  }

 private:
  const Settings& settings_;
};

}  // namespace trammel::integrators
