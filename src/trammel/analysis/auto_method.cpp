#include "trammel/analysis/auto_method.h"

#include <fmt/format.h>

#include "trammel/analysis/fastest_rate.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/tolerance_method.h"
#include "trammel/core/diagnostic.h"
#include "trammel/core/names.h"

namespace trammel::analysis {
namespace {

Goal goal_of(const model::SimulationSettings& settings) {
  const auto found = settings.integrator_values.find("goal");
  if (found == settings.integrator_values.end()) return Goal::general;
  const auto* word = std::get_if<std::string>(&found->second);
  const std::vector<std::string>& goals = goal_names();
  for (std::size_t i = 0; word != nullptr && i < goals.size(); ++i) {
    if (goals[i] == *word) return static_cast<Goal>(i);
  }
  throw core::InputError(fmt::format("goal '{}' of method auto is unknown",
                                     word == nullptr ? std::string("(no word)") : *word),
                         core::suggestion(word == nullptr ? "" : *word, goals));
}

// "a closed chain (2 loops) with redundant constraints".
std::string described(const Traits& traits) {
  if (!traits.constrained) return "a model without constraints";
  std::string text = traits.loops > 0 ? fmt::format("a mechanism with {} closed loop{}",
                                                    traits.loops, traits.loops > 1 ? "s" : "")
                                      : "an open chain";
  if (traits.nonholonomic) text += traits.redundant ? ", nonholonomic" : " with nonholonomic rows";
  if (traits.redundant) text += " with redundant constraints";
  return text;
}

// Where the step does not resolve the fastest oscillation, damping it comes first.
MethodChoice stiff_choice(const Traits& traits, Goal goal, model::SimulationSettings settings) {
  settings.integrator = "generalized-alpha";
  settings.integrator_values = {{"spectral_radius", 0.6}};
  return {settings,
          fmt::format("goal {}: the fastest oscillation or decay ({:.3g} 1/s) is not resolved by "
                      "steps of {:g} s, so generalized-alpha damps it",
                      goal_names()[static_cast<std::size_t>(goal)], traits.fastest, settings.step)};
}

MethodChoice member(model::SimulationSettings settings,
                    const std::string& integrator,
                    int index,
                    const Traits& traits,
                    const std::string& why) {
  settings.integrator = integrator;
  settings.integrator_values.clear();
  if (traits.constrained) {
    settings.integrator_values["index"] = static_cast<double>(index);
    settings.integrator_values["stabilisation"] = std::string("projection");
  }
  return {std::move(settings), why};
}

MethodChoice energy_choice(const Traits& traits, model::SimulationSettings settings) {
  settings.integrator = "mpr-mpa";
  settings.integrator_values.clear();
  if (traits.obstacle.empty()) {
    settings.integrator_values["conservation"] = std::string("energy");
    return {settings,
            fmt::format("goal energy: every force of {} has a discrete gradient, so that mpr-mpa "
                        "keeps the energy to Newton's tolerance",
                        described(traits))};
  }
  // Rows of velocities cannot be asked for at index 3; at index 2 positions would drift.
  if (traits.nonholonomic) {
    return member(settings, "mpr-mpa", 2, traits,
                  fmt::format("goal energy: it cannot be kept exactly ({}), so mpr-mpa without "
                              "damping keeps it bounded, and projection removes the drift",
                              traits.obstacle));
  }
  if (traits.constrained) settings.integrator_values["index"] = 3.0;
  return {settings, fmt::format("goal energy: it cannot be kept exactly ({}), so mpr-mpa without "
                                "damping keeps it bounded",
                                traits.obstacle)};
}

int loops_of(const model::ModelSystem& system) {
  int joints = 0;
  for (const model::JointRows& joint : system.joints()) {
    joints += joint.count + joint.velocity_count > 0 ? 1 : 0;
  }
  return std::max(0, joints - system.body_count());
}

}  // namespace

const std::vector<std::string>& goal_names() {
  static const std::vector<std::string> names{"general", "energy", "stability", "accuracy"};
  return names;
}

Traits traits_of(model::ModelSystem& system, const Assembly& assembly) {
  const system::Sizes sizes = system.sizes();
  system::DiscreteGradients* balance = system.discrete_gradients();
  return {.constrained = sizes.multipliers() > 0,
          .nonholonomic = sizes.nonholonomic > 0,
          .redundant = !assembly.mobility.redundant.empty(),
          .loops = loops_of(system),
          .fastest = fastest_rate(system, assembly.motion),
          .obstacle = balance == nullptr ? "this system offers no discrete gradients"
                                         : balance->obstacle()};
}

MethodChoice choose_method(const Traits& traits,
                           Goal goal,
                           const model::SimulationSettings& settings) {
  const std::string model = described(traits);
  if (goal == Goal::energy) return energy_choice(traits, settings);
  if (traits.fastest * settings.step > stiff_product) return stiff_choice(traits, goal, settings);
  if (goal == Goal::stability) {
    return member(settings, "newmark", 1, traits,
                  fmt::format("goal stability: for {}, newmark at index 1 extrapolates no "
                              "acceleration, and projection removes the drift",
                              model));
  }
  if (goal == Goal::accuracy) {
    return member(settings, "mpr-epa", 2, traits,
                  fmt::format("goal accuracy: for {}, mpr-epa at index 2 with projection had the "
                              "least error for its step in comparisons",
                              model));
  }
  return member(settings, "mpr-mpa", 2, traits,
                traits.constrained
                    ? fmt::format("goal general: for {}, mpr-mpa at index 2 with projection gives "
                                  "quiet accelerations and reactions, and keeps all constraints",
                                  model)
                    : fmt::format("goal general: for {}, mpr-mpa keeps the energy bounded", model));
}

MethodChoice choose_method(model::ModelSystem& system,
                           const Assembly& assembly,
                           const model::SimulationSettings& settings) {
  if (settings.integrator != auto_method_name) return {settings, {}};
  const Goal goal = goal_of(settings);
  const double tolerance = tolerance_of(settings);
  if (tolerance > 0.0 && goal != Goal::energy) {
    return choose_by_tolerance(motion_rates(system, assembly.motion), goal, settings, tolerance);
  }
  MethodChoice choice = choose_method(traits_of(system, assembly), goal, settings);
  if (tolerance > 0.0) set_tolerance(choice.settings, tolerance);
  return choice;
}

}  // namespace trammel::analysis
