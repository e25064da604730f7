#include "trammel/integrators/staggered_options.h"

#include "trammel/integrators/setting_reader.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> reaction_rules{"penalty", "none"};
const std::vector<std::string> nonholonomic_forms{"velocity", "acceleration"};
const std::vector<std::string> full_station_rules{"solved", "extrapolated"};
const std::vector<std::string> limit_rules{"stop", "go-on"};

}  // namespace

std::vector<Setting> staggered_settings() {
  const StaggeredOptions o;
  const auto with_penalty = idle_unless("stabilisation", {"penalty"});
  return {
      {"stabilisation", "penalty: multipliers by their own equation; none: accelerations alone",
       reaction_rules[0], reaction_rules},
      {"epsilon",
       "of the penalty, violation per multiplier, below 1; 0: chosen for each row",
       o.penalty.epsilon,
       {},
       {},
       with_penalty},
      {"nonholonomic",
       "velocity constraints themselves, or their rate",
       nonholonomic_forms[0],
       nonholonomic_forms,
       {},
       with_penalty},
      {"full_stations",
       "multipliers at full steps: solved, or extrapolated as published",
       full_station_rules[0],
       full_station_rules,
       {},
       with_penalty},
      {"resynchronise",
       "steps between rebuilding half stations; 0: never; -1: 10 with dampers or states, else 20",
       static_cast<double>(o.resynchronise)},
      {"above_limit", "what a step above the stability limit does", limit_rules[0], limit_rules},
  };
}

void apply(const Settings& settings, StaggeredOptions& options) {
  const SettingReader read(settings);
  read.word("stabilisation", reaction_rules, options.rule);
  read.number("epsilon", options.penalty.epsilon);
  read.word("nonholonomic", nonholonomic_forms, options.penalty.nonholonomic);
  read.word("full_stations", full_station_rules, options.full_stations);
  read.whole("resynchronise", options.resynchronise);
  read.word("above_limit", limit_rules, options.above_limit);
  core::Diagnostics mistakes;
  if (!(options.penalty.epsilon >= 0.0 && options.penalty.epsilon < 1.0)) {
    mistakes.error("", fmt::format("epsilon is {:g}", options.penalty.epsilon),
                   "give a number above 0 and below 1, e.g. 1e-6, or 0 to have it chosen");
  }
  if (options.resynchronise < -1) {
    mistakes.error("", fmt::format("resynchronise is {}", options.resynchronise),
                   "give a number of steps, e.g. 10; 0: never; -1: chosen");
  }
  mistakes.throw_if_errors();
}

}  // namespace trammel::integrators
