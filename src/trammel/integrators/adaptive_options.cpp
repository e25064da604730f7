#include "trammel/integrators/adaptive_options.h"

#include "trammel/integrators/setting_reader.h"

namespace trammel::integrators {
namespace {

const std::vector<std::string> step_choices{"adaptive", "fixed"};
const std::vector<std::string> drift_controls{"projection", "none", "baumgarte"};

void check_adaptive_options(const AdaptiveOptions& options, int highest_order) {
  core::Diagnostics mistakes;
  const auto tolerance = [&](const char* name, double value) {
    // Below this the error estimate is round-off.
    constexpr double least = 1e-13;
    if (value >= least && value < 1.0) return;
    mistakes.error("", fmt::format("{} is {:g}", name, value),
                   "give a number from 1e-13 to below 1, e.g. 1e-6");
  };
  tolerance("relative_tolerance", options.relative_tolerance);
  tolerance("absolute_tolerance", options.absolute_tolerance);
  const auto time = [&](const char* name, double value) {
    if (value >= 0.0 && std::isfinite(value)) return;
    mistakes.error("", fmt::format("{} is {:g} s", name, value),
                   "give a time above zero, or 0 to leave it to the method");
  };
  time("first_step", options.first_step);
  time("largest_step", options.largest_step);
  if (options.most_order < 1 || options.most_order > highest_order) {
    mistakes.error("", fmt::format("most_order is {}", options.most_order),
                   fmt::format("give a whole number from 1 to {}", highest_order));
  }
  if (!(options.baumgarte_rate > 0.0) || !std::isfinite(options.baumgarte_rate)) {
    mistakes.error("", fmt::format("baumgarte_rate is {:g} 1/s", options.baumgarte_rate),
                   "give a rate above zero, e.g. 20");
  }
  mistakes.throw_if_errors();
}

}  // namespace

std::vector<Setting> tolerance_settings() {
  const AdaptiveOptions o;
  return {
      {"relative_tolerance", "error of a step relative to model size (or 1 rad), velocity, state",
       o.relative_tolerance},
      {"absolute_tolerance", "the same where velocities and states are small",
       o.absolute_tolerance},
      {"first_step",
       "size of the first step; 0: by the method",
       o.first_step,
       {},
       core::dimension::time},
      {"largest_step",
       "longest step allowed; 0: no limit",
       o.largest_step,
       {},
       core::dimension::time},
  };
}

Setting step_choice_setting() {
  return {"steps", "adaptive: by the tolerances; fixed: of the size `step`", step_choices[0],
          step_choices};
}

Setting order_setting(int most) {
  return {"most_order", fmt::format("highest order allowed, 1 to {}", most),
          static_cast<double>(most)};
}

std::vector<Setting> drift_settings(bool explicit_method) {
  const AdaptiveOptions o;
  std::vector<std::string> choices = drift_controls;
  if (!explicit_method) choices.pop_back();
  std::vector<Setting> settings{{"stabilisation",
                                 "what keeps positions and velocities on their constraints",
                                 choices[0], choices}};
  if (explicit_method) {
    settings.push_back({"baumgarte_rate",
                        "rate at which Baumgarte's errors decay",
                        o.baumgarte_rate,
                        {},
                        core::Dimension{} / core::dimension::time,
                        idle_unless("stabilisation", {"baumgarte"})});
  }
  return settings;
}

void apply(const Settings& settings, AdaptiveOptions& options) {
  const SettingReader read(settings);
  const int highest_order = options.most_order;
  read.number("relative_tolerance", options.relative_tolerance);
  read.number("absolute_tolerance", options.absolute_tolerance);
  read.word("steps", step_choices, options.steps);
  read.number("first_step", options.first_step);
  read.number("largest_step", options.largest_step);
  read.whole("most_order", options.most_order);
  read.word("stabilisation", drift_controls, options.drift);
  read.number("baumgarte_rate", options.baumgarte_rate);
  check_adaptive_options(options, highest_order);
}

}  // namespace trammel::integrators
