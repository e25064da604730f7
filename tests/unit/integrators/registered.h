// Kinds of the registry by what can be set about them.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "trammel/integrators/kinds.h"

namespace trammel::integrators::testing {

inline bool has_setting(const IntegratorKind& kind, const std::string& name) {
  return std::any_of(kind.settings.begin(), kind.settings.end(),
                     [&](const Setting& setting) { return setting.name == name; });
}

inline std::vector<std::string> names_of_kinds_with(const std::string& setting) {
  std::vector<std::string> names;
  for (const IntegratorKind& kind : integrator_kinds()) {
    if (has_setting(kind, setting)) names.push_back(kind.name);
  }
  return names;
}

inline std::vector<std::string> names_of_kinds_without(const std::string& setting) {
  std::vector<std::string> names;
  for (const IntegratorKind& kind : integrator_kinds()) {
    if (!has_setting(kind, setting)) names.push_back(kind.name);
  }
  return names;
}

/// Those that project, or let positions drift: neither of the GSSSS family, nor with a penalty, nor
/// in independent coordinates (state_space_laws_test.cpp).
inline std::vector<std::string> names_of_projecting_kinds() {
  std::vector<std::string> names = names_of_kinds_without("index");
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) {
                               const IntegratorKind& kind = *find_integrator_kind(name);
                               return has_setting(kind, "epsilon") ||
                                      has_setting(kind, "partition");
                             }),
              names.end());
  return names;
}

/// Those with a penalty that are of second order: not the one whose velocities lag behind.
inline std::vector<std::string> names_of_penalty_kinds() {
  std::vector<std::string> names = names_of_kinds_with("epsilon");
  names.erase(std::remove_if(names.begin(), names.end(),
                             [](const std::string& name) {
                               return has_setting(*find_integrator_kind(name), "velocities");
                             }),
              names.end());
  return names;
}

/// "dormand-prince" as a test's name.
inline std::string test_name(const ::testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

}  // namespace trammel::integrators::testing
