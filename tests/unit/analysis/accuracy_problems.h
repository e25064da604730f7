// Problems by which estimated errors are judged, each with steps and tolerances at which a method
// has an error worth estimating.
#pragma once

#include <string>
#include <vector>

#include "analysis_models.h"
#include "support/mechanisms.h"

#include "trammel/integrators/kinds.h"

namespace trammel::analysis {

struct AccuracyProblem {
  std::string name;
  model::Description description;
  double until;
  double step;       ///< of methods with fixed steps
  double tolerance;  ///< of the others
};

inline model::Description trial(const std::string& name) {
  return io::read_model_file(
             std::string(TRAMMEL_SOURCE_DIR) + "/tests/data/trials/" + name + ".yaml",
             full_vocabulary())
      .description;
}

inline model::Description rolling_disc() {
  return described(R"(
trammel: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  disc: {mass: 1 kg, inertia: [0.0625, 0.125, 0.0625], position: [0, 0, 0.5],
         velocity: [2, 0, 0], angular_velocity: [0.3, 4, 0.5]}
joints:
  roll: {type: rolling_disc, between: [ground, disc], axle: y, radius: 0.5 m}
)");
}

inline std::vector<AccuracyProblem> accuracy_problems() {
  return {
      {"pendulum", support::pendulum(), 2.0, 5e-3, 1e-6},
      {"slider_crank", support::slider_crank(), 2.0, 2e-3, 1e-6},
      {"squeezer", trial("squeezer"), 0.03, 2e-5, 1e-6},
      {"heavy_top", support::heavy_top(), 0.5, 1e-3, 1e-6},
      {"asymmetric_top", support::asymmetric_top(), 5.0, 5e-3, 1e-6},
      {"bricard", support::bricard(), 2.0, 5e-3, 1e-6},
      {"spatial_slider_crank", support::spatial_slider_crank(), 1.0, 2e-3, 1e-6},
      {"chain", support::chain(3, model::Space::planar), 1.5, 2e-3, 1e-6},
      {"rolling_disc", rolling_disc(), 2.0, 5e-3, 1e-6},
      {"turning_force", trial("osc"), 2.0, 2e-3, 1e-6},
      {"servo", support::geared_servo(), 1.0, 1e-3, 1e-6},
  };
}

/// The same and more: none of them magnifies errors without bounds.
inline std::vector<AccuracyProblem> smooth_problems() {
  std::vector<AccuracyProblem> all = accuracy_problems();
  const auto model = [&](const char* name, const std::string& text, double until, double step) {
    all.push_back({name, described(text), until, step, 1e-6});
  };
  all.push_back({"planar_chain_of_six", support::chain(6, model::Space::planar), 0.8, 1e-3, 1e-6});
  all.push_back({"spatial_chain", support::chain(3, model::Space::spatial), 1.0, 2e-3, 1e-6});
  all.push_back({"double_pendulum", support::chain(2, model::Space::planar), 2.0, 2e-3, 1e-6});
  model("oscillator", R"(
trammel: 1
space: planar
bodies:
  mass: {kind: point, mass: 2, position: [1.5, 0]}
forces:
  spring: {type: spring, between: [ground, mass], stiffness: 50, length: 1, damping: 0.4}
)",
        5.0, 1e-2);
  model("ballistic", R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  ball: {kind: point, mass: 2, position: [0, 0], velocity: [10, 10]}
)",
        2.0, 1e-2);
  model("orbit", R"(
trammel: 1
space: planar
bodies:
  sat: {kind: point, mass: 100 kg, position: [7e6, 0], velocity: [0, 8000]}
forces:
  earth: {type: central_gravity, strength: 3.986e14}
)",
        6000.0, 1.0);
  model("driven_rocker", R"yaml(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  arm: {mass: 1 kg, inertia: 0.1, center: [0.5, 0]}
  bob: {mass: 1 kg, inertia: 0.05, position: [1, 0], center: [0.3, 0]}
joints:
  motor: {type: revolute, between: [ground, arm]}
  pin: {type: revolute, between: [arm, bob], at: [1, 0]}
drives:
  d: {type: position, coordinate: motor.angle, motion: "0.5 rad*sin(3 rad/s*time)"}
)yaml",
        3.0, 5e-3);
  return all;
}

inline model::SimulationSettings settings_of(const std::string& integrator,
                                             double step,
                                             double tolerance) {
  model::SimulationSettings settings;
  settings.integrator = integrator;
  settings.step = step;
  for (const integrators::Setting& each : integrators::find_integrator_kind(integrator)->settings) {
    if (each.name == "relative_tolerance" || each.name == "absolute_tolerance") {
      if (integrator != "rk4") settings.integrator_values[each.name] = tolerance;
    }
  }
  return settings;
}

}  // namespace trammel::analysis
