#include "trammel/integrators/park_chiou_options.h"

#include "trammel/integrators/setting_reader.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> translation_rules{"central-difference", "midpoint"};
const std::vector<std::string> norm_rules{"closed", "newton", "none"};
const std::vector<std::string> end_multipliers{"solved", "extrapolated"};

}  // namespace

std::vector<Setting> park_chiou_settings() {
  const ParkChiouOptions o;
  return {
      {"translations", "how numbers advance; midpoint is implicit", translation_rules[0],
       translation_rules},
      {"stabilisation", "penalty: multipliers by their own equation", "penalty", {"penalty"}},
      {"epsilon", "of the penalty, slip per multiplier, below 1; 0: chosen for each row",
       o.penalty.epsilon},
      {"norm", "how Euler parameters keep their length: in closed form, by Newton, or not",
       norm_rules[0], norm_rules},
      {"multipliers", "at the ends of steps: solved, or extrapolated from the middle",
       end_multipliers[0], end_multipliers},
      {"passes", "most passes of a step; 1: first order", static_cast<double>(o.passes)},
      {"pass_tolerance",
       "change of angular velocities by a pass, relative",
       o.tolerance,
       {},
       {},
       idle_unless_above("passes", 2)},
  };
}

void apply(const Settings& settings, ParkChiouOptions& options) {
  const SettingReader read(settings);
  read.word("translations", translation_rules, options.translations);
  read.number("epsilon", options.penalty.epsilon);
  read.word("norm", norm_rules, options.norm);
  read.word("multipliers", end_multipliers, options.multipliers);
  read.whole("passes", options.passes);
  read.number("pass_tolerance", options.tolerance);
  core::Diagnostics mistakes;
  if (!(options.penalty.epsilon >= 0.0 && options.penalty.epsilon < 1.0)) {
    mistakes.error("", fmt::format("epsilon is {:g}", options.penalty.epsilon),
                   "give a number above 0 and below 1, e.g. 1e-6, or 0 to have it chosen");
  }
  if (options.passes < 1) {
    mistakes.error("", fmt::format("passes is {}", options.passes),
                   "give at least 1; 2 or more for second order");
  }
  if (!(options.tolerance > 0.0) || !std::isfinite(options.tolerance)) {
    mistakes.error("", fmt::format("pass_tolerance is {:g}", options.tolerance),
                   "give a number above zero, e.g. 1e-10");
  }
  mistakes.throw_if_errors();
}

}  // namespace trammel::integrators
