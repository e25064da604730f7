#include "trammel/analysis/tolerance_method.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "trammel/analysis/changed_method.h"
#include "trammel/analysis/fastest_rate.h"
#include "trammel/analysis/unilateral_model.h"
#include "trammel/system/state_branches.h"

namespace trammel::analysis {

bool takes_tolerance(const std::string& integrator) {
  return integrator == auto_method_name ||
         setting_of(integrator, "relative_tolerance") != nullptr ||
         setting_of(integrator, "tolerance") != nullptr;
}

void set_tolerance(model::SimulationSettings& settings, double tolerance) {
  auto& values = settings.integrator_values;
  if (setting_of(settings.integrator, "relative_tolerance") == nullptr) {
    values["tolerance"] = tolerance;
    return;
  }
  values["relative_tolerance"] = tolerance;
  values["absolute_tolerance"] = tolerance;
}

double tolerance_of(const model::SimulationSettings& settings) {
  const auto found = settings.integrator_values.find("tolerance");
  const double* value =
      found == settings.integrator_values.end() ? nullptr : std::get_if<double>(&found->second);
  return value == nullptr ? 0.0 : *value;
}

// From rest, accelerations a reach sqrt(a s) over a way s.
MotionRates motion_rates(model::ModelSystem& system, const system::Motion& motion) {
  MotionRates rates;
  rates.fastest = fastest_rate(system, motion);
  rates.events = !system.unilateral_rows().empty() || !system.stick_rows().empty() ||
                 system::state_branches(system) != nullptr;
  rates.relative = relative_model(system) != nullptr;
  if (motion.state.v.size() == 0) return rates;
  const system::Vector scale = system.displacement_scale().cwiseInverse();
  const double speed = motion.state.v.cwiseProduct(scale).lpNorm<Eigen::Infinity>();
  const double from_rest = std::sqrt(motion.a.cwiseProduct(scale).lpNorm<Eigen::Infinity>());
  rates.motion = std::max(speed, std::isfinite(from_rest) ? from_rest : 0.0);
  return rates;
}

MethodChoice choose_by_tolerance(const MotionRates& rates,
                                 Goal goal,
                                 const model::SimulationSettings& settings,
                                 double tolerance) {
  constexpr double explicit_order = 5.0;
  constexpr double stable = 3.0;  // largest h w of explicit methods, about
  constexpr double wasted = 4.0;  // explicit steps in the place of one
  constexpr double sharp = 1e-6;
  // At complete rest nothing is known but how long it goes on.
  const double motion = std::max(rates.motion, 1.0 / settings.until);
  const double step = std::pow(tolerance, 1.0 / explicit_order) / motion;
  const bool stiff = rates.fastest * step > wasted * stable;
  const bool starts_high = (tolerance < sharp || rates.events) && !rates.relative;
  MethodChoice choice{settings, {}};
  choice.settings.integrator_values.clear();
  const auto take = [&](const char* name, const std::string& why) {
    choice.settings.integrator = name;
    choice.reason = fmt::format("tolerance {:g}: {}, so {}", tolerance, why, name);
  };
  const char* more = "";
  if (starts_high) more = "; a high order pays for sharp tolerances";
  if (rates.events) more = "; events start the method anew";
  if (stiff) {
    take(starts_high ? "radau" : "bdf",
         fmt::format("an oscillation or decay of {:.3g} 1/s is far faster than the motion ({:.3g} "
                     "1/s), and would keep explicit steps short{}",
                     rates.fastest, motion, more));
  } else if (goal == Goal::stability) {
    take(starts_high ? "radau" : "bdf", fmt::format("goal stability{}", more));
  } else {
    take(tolerance >= sharp || rates.events ? "dormand-prince" : "adams",
         fmt::format("nothing is much faster than the motion ({:.3g} and {:.3g} 1/s){}",
                     rates.fastest, motion, more));
  }
  set_tolerance(choice.settings, tolerance);
  return choice;
}

}  // namespace trammel::analysis
