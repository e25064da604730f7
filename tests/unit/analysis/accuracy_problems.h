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
