#include "trammel/integrators/state_space_options.h"

#include "trammel/integrators/setting_reader.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> partitions{"lu", "qr", "svd", "null-space"};
const std::vector<std::string> columns{"plain", "scaled"};
const std::vector<std::string> rules{"newmark", "backward-euler"};
const std::vector<std::string> predictors{"taylor", "tilde", "hold"};
const std::vector<std::string> iterations{"newton", "fisette-vaneghem"};

void check_state_space_options(const StateSpaceOptions& o) {
  core::Diagnostics mistakes;
  if (!(o.beta > 0.0 && o.beta <= 1.0)) {
    mistakes.error("", fmt::format("beta is {:g}", o.beta),
                   "give a number above 0 to 1, e.g. 0.25 (trapezoidal rule)");
  }
  if (!(o.gamma >= 0.5 && o.gamma <= 1.0)) {
    mistakes.error("",
                   fmt::format("gamma is {:g}{}", o.gamma,
                               o.gamma > 0.0 && o.gamma < 0.5
                                   ? ": every oscillation would grow, whatever the step"
                                   : ""),
                   "give a number from 0.5, which has second order, to 1, which damps most");
  }
  if (!(o.newton_tolerance >= 1e-14 && o.newton_tolerance < 1e-2)) {
    mistakes.error("", fmt::format("newton_tolerance is {:g}", o.newton_tolerance),
                   "give a number from 1e-14 (round-off) to below 0.01, e.g. 1e-10");
  }
  if (o.most_iterations < 1) {
    mistakes.error("", fmt::format("most_iterations is {}", o.most_iterations),
                   "give a whole number above zero, e.g. 30");
  }
  const double growth = o.repartition_above;
  if (!(growth == 0.0 || growth > 1.0) || !std::isfinite(growth)) {
    mistakes.error("", fmt::format("repartition_above is {:g}", growth),
                   "give a factor above 1, e.g. 10, or 0 to keep the first partition");
  }
  mistakes.throw_if_errors();
}

}  // namespace

std::vector<Setting> partition_settings() {
  const StateSpaceOptions o;
  return {
      {"partition",
       "how coordinates are divided: full pivoting, QR, or (svd, null-space) the tangent plane",
       partitions[0], partitions},
      {"columns", "plain: judged as they are, as published; scaled: by lengths of the model",
       columns[1], columns},
      {"independent", "names of the independent coordinates; none: by the partition",
       std::vector<std::string>{}},
      {"repartition_above", "growth of the condition that asks for other coordinates; 0: never",
       o.repartition_above},
  };
}

std::vector<Setting> state_space_settings() {
  const StateSpaceOptions o;
  std::vector<Setting> settings{
      {"iteration", "newton: exact Jacobian; fisette-vaneghem: without second derivatives",
       iterations[0], iterations},
      {"rule", "newmark, or backward-euler (order 1)", rules[0], rules},
      {"beta", "of Newmark's rule for positions", o.beta, {}, {}, idle_unless("rule", {"newmark"})},
      {"gamma",
       "of Newmark's rule for velocities, 0.5 (order 2) to 1",
       o.gamma,
       {},
       {},
       idle_unless("rule", {"newmark"})},
      {"predictor", "where the iteration begins: hold, or accelerations of a predicted state",
       predictors[2], predictors},
      {"newton_tolerance", "residual of the equations of motion relative to their loads",
       o.newton_tolerance},
      {"most_iterations", "after which a step fails", static_cast<double>(o.most_iterations)},
  };
  for (Setting& setting : partition_settings()) settings.push_back(std::move(setting));
  return settings;
}

void apply(const Settings& settings, StateSpaceOptions& options) {
  const SettingReader read(settings);
  read.word("partition", partitions, options.partition);
  read.word("columns", columns, options.scaled_columns);
  read.words("independent", options.independent);
  read.number("repartition_above", options.repartition_above);
  read.word("iteration", iterations, options.iteration);
  read.word("rule", rules, options.rule);
  read.number("beta", options.beta);
  read.number("gamma", options.gamma);
  read.word("predictor", predictors, options.predictor);
  read.number("newton_tolerance", options.newton_tolerance);
  read.whole("most_iterations", options.most_iterations);
  check_state_space_options(options);
}

}  // namespace trammel::integrators
