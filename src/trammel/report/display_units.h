// Units that people want to read: degrees for radians, mm for m, rpm for rad/s.
//
// Results are in SI units. A display unit stands for all channels of its dimension; J and N m,
// which have the same, are kept apart. Whoever shows numbers multiplies by `factor` and writes
// `unit`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "trammel/results/table.h"

namespace trammel::report {

struct DisplayUnit {
  std::string unit;     ///< "deg"
  double factor = 1.0;  ///< shown value per SI value: 57.29...
};

/// By the unit of a channel ("rad"); what is not in it is shown as it is.
using DisplayUnits = std::map<std::string, DisplayUnit, std::less<>>;

/// The display units for these channels. InputError for what is no unit.
DisplayUnits display_units(const std::vector<results::Channel>& channels,
                           const std::vector<std::string>& units);

/// Converts all columns and their units.
void show_in(const DisplayUnits& units, results::Table& table);

/// As they are noted in the information of a run: names of units and channels, one per line.
constexpr const char* noted_units = "display_units";
constexpr const char* noted_plots = "plots";
std::vector<std::string> noted_list(const results::RunInformation& info, const char* name);
void note_list(results::RunInformation& info,
               const char* name,
               const std::vector<std::string>& list);

}  // namespace trammel::report
