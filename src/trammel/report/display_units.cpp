#include "trammel/report/display_units.h"

#include <optional>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/core/diagnostic.h"
#include "trammel/expression/compile.h"

namespace trammel::report {
namespace {

std::optional<expression::Quantity> unit_quantity(const std::string& unit) {
  try {
    return expression::evaluate_unit(unit);
  } catch (const expression::ExpressionError&) {
    return std::nullopt;  // channels may have units that are none of ours
  }
}

// Torques are in N m and energies in J.
bool is_energy(const std::string& unit) {
  return unit.find('J') != std::string::npos;
}

}  // namespace

DisplayUnits display_units(const std::vector<results::Channel>& channels,
                           const std::vector<std::string>& units) {
  struct Wanted {
    std::string unit;
    expression::Quantity size;
  };
  std::vector<Wanted> wanted;
  core::Diagnostics mistakes;
  for (const std::string& unit : units) {
    try {
      wanted.push_back({unit, expression::evaluate_unit(unit)});
    } catch (const expression::ExpressionError& error) {
      mistakes.error({}, fmt::format("'{}' is no unit: {}", unit, error.message), error.remedy);
    }
  }
  mistakes.throw_if_errors();
  DisplayUnits found;
  for (const results::Channel& channel : channels) {
    if (channel.unit.empty() || found.contains(channel.unit)) continue;
    const auto own = unit_quantity(channel.unit);
    if (!own) continue;
    for (const Wanted& each : wanted) {
      const bool same =
          each.size.dimension == own->dimension && is_energy(each.unit) == is_energy(channel.unit);
      if (same) found[channel.unit] = {each.unit, own->value / each.size.value};
    }
  }
  return found;
}

void show_in(const DisplayUnits& units, results::Table& table) {
  for (std::size_t i = 0; i < table.channels.size(); ++i) {
    const auto found = units.find(table.channels[i].unit);
    if (found == units.end()) continue;
    for (double& value : table.columns[i]) value *= found->second.factor;
    table.channels[i].unit = found->second.unit;
  }
}

std::vector<std::string> noted_list(const results::RunInformation& info, const char* name) {
  std::vector<std::string> list;
  const auto found = info.more.find(name);
  if (found == info.more.end()) return list;
  std::istringstream lines(found->second);
  for (std::string line; std::getline(lines, line);) list.push_back(line);
  return list;
}

void note_list(results::RunInformation& info,
               const char* name,
               const std::vector<std::string>& list) {
  if (!list.empty()) info.more[name] = fmt::format("{}", fmt::join(list, "\n"));
}

}  // namespace trammel::report
