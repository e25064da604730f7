#include "trammel/integrators/single_grid_options.h"

#include "trammel/integrators/setting_reader.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> grid_rules{"trapezoidal", "midpoint"};
const std::vector<std::string> row_treatments{
    "penalty", "penalty-position", "baumgarte", "baumgarte-implicit", "algebraic-penalty", "none"};

void check_single_grid(const SingleGridOptions& o) {
  core::Diagnostics mistakes;
  if (!(o.penalty.epsilon >= 0.0 && o.penalty.epsilon < 1.0)) {
    mistakes.error("", fmt::format("epsilon is {:g}", o.penalty.epsilon),
                   "give a number above 0 and below 1, e.g. 1e-6, or 0 to have it chosen");
  }
  const auto rate = [&](const char* name, double value) {
    if (value >= 0.0 && std::isfinite(value)) return;
    mistakes.error("", fmt::format("{} is {:g} 1/s", name, value),
                   "give a rate above zero, or 0 for the one that belongs to the step");
  };
  rate("baumgarte_alpha", o.baumgarte_alpha);
  rate("baumgarte_beta", o.baumgarte_beta);
  if (o.passes < 1) {
    mistakes.error("", fmt::format("passes is {}", o.passes),
                   "give at least 1, which iterates not");
  }
  if (!(o.tolerance > 0.0) || !std::isfinite(o.tolerance)) {
    mistakes.error("", fmt::format("pass_tolerance is {:g}", o.tolerance),
                   "give a number above zero, e.g. 1e-10");
  }
  const bool positions = o.treatment == RowTreatment::penalty_position ||
                         o.treatment == RowTreatment::baumgarte_implicit;
  if (o.rule == GridRule::midpoint && positions) {
    mistakes.error("",
                   fmt::format("{} needs the positions at the end of a step, which the midpoint "
                               "rule does not solve for",
                               row_treatments[static_cast<std::size_t>(o.treatment)]),
                   "take rule: trapezoidal, or stabilisation: penalty");
  }
  if (o.treatment == RowTreatment::algebraic_penalty && o.penalty.epsilon == 0.0) {
    mistakes.error("", "algebraic-penalty has no epsilon of its own",
                   "give one: the frequency 1/sqrt(m epsilon) that it brings must be resolved");
  }
  mistakes.throw_if_errors();
}

}  // namespace

std::vector<Setting> single_grid_settings() {
  const SingleGridOptions o;
  const core::Dimension rate = core::Dimension{} / core::dimension::time;
  return {
      {"rule", "trapezoidal: equations of motion at the ends; midpoint: in the middle",
       grid_rules[0], grid_rules},
      {"stabilisation", "what the rows of the constraints ask of accelerations", row_treatments[0],
       row_treatments},
      {"epsilon",
       "of the penalty, violation per multiplier, below 1; 0: chosen for each row",
       o.penalty.epsilon,
       {},
       {},
       idle_unless("stabilisation", {"penalty", "penalty-position", "algebraic-penalty"})},
      {"baumgarte_alpha",
       "damping of constraint errors; 0: 1/h",
       o.baumgarte_alpha,
       {},
       rate,
       idle_unless("stabilisation", {"baumgarte", "baumgarte-implicit"})},
      {"baumgarte_beta",
       "frequency of constraint errors; 0: sqrt(2)/h",
       o.baumgarte_beta,
       {},
       rate,
       idle_unless("stabilisation", {"baumgarte", "baumgarte-implicit"})},
      {"passes", "most passes of a step; 1: no iteration", static_cast<double>(o.passes)},
      {"pass_tolerance",
       "change of positions by a pass, rad or model sizes",
       o.tolerance,
       {},
       {},
       idle_unless_above("passes", 1)},
  };
}

void apply(const Settings& settings, SingleGridOptions& options) {
  const SettingReader read(settings);
  read.word("rule", grid_rules, options.rule);
  read.word("stabilisation", row_treatments, options.treatment);
  read.number("epsilon", options.penalty.epsilon);
  read.number("baumgarte_alpha", options.baumgarte_alpha);
  read.number("baumgarte_beta", options.baumgarte_beta);
  read.whole("passes", options.passes);
  read.number("pass_tolerance", options.tolerance);
  check_single_grid(options);
}

}  // namespace trammel::integrators
