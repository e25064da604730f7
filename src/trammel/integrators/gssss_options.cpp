#include "trammel/integrators/gssss_options.h"

#include <cmath>

#include <fmt/format.h>

#include "trammel/core/diagnostic.h"

namespace trammel::integrators {
namespace {

class Checker {
 public:
  Checker(const GssssOptions& options, system::MechanicalSystem& system)
      : options_(options), system_(system) {}

  void run() {
    numbers();
    stabilisation();
    nonholonomic_rows();
    evaluation();
    if (options_.conservation == Conservation::energy) energy();
    diagnostics_.throw_if_errors();
  }

 private:
  void numbers() {
    const GssssOptions& o = options_;
    if (!(o.newton_tolerance > 0.0)) {
      refuse(fmt::format("newton_tolerance is {:g}", o.newton_tolerance),
             "give a number above zero, e.g. 1e-8");
    }
    if (o.most_iterations < 1) {
      refuse(fmt::format("most_iterations is {}", o.most_iterations), "give 1 or more");
    }
    if (o.index < 0 || o.index > 3) {
      refuse(fmt::format("index is {}", o.index),
             fmt::format("the nearest is index: {}; 3 satisfies constraints in positions, 2 in "
                         "velocities, 1 in accelerations",
                         o.index > 3 ? 3 : 1));
    }
    if (o.projection_steps < 1) {
      refuse(fmt::format("projection_steps is {}", o.projection_steps), "give 1 or more");
    }
    if (o.stabilisation != Stabilisation::baumgarte) return;
    for (const auto& [name, value] :
         {std::pair("alpha", o.baumgarte_alpha), std::pair("beta", o.baumgarte_beta)}) {
      if (value > 0.0 && value <= 1.0) continue;
      refuse(fmt::format("Baumgarte's {} is {:g}", name, value),
             "give a number above 0 and up to 1, in units of the step; 1 is the usual choice");
    }
  }

  void stabilisation() {
    const GssssOptions& o = options_;
    if (o.stabilisation == Stabilisation::baumgarte && index_of(o) != 1) {
      refuse(fmt::format("Baumgarte's stabilisation replaces the acceleration constraint; at index "
                         "{} there is none",
                         o.index),
             "write index: 1 with it, or take stabilisation: projection");
    }
    if (o.stabilisation == Stabilisation::ggl && index_of(o) != 2) {
      refuse(fmt::format("GGL adds the position constraints to the velocity constraints of index "
                         "2; index {} was asked for",
                         o.index),
             "write index: 2 with it, or take stabilisation: projection");
    }
    if (o.stabilisation == Stabilisation::projection && index_of(o) == 3 &&
        o.projected_levels == ProjectedLevels::positions) {
      refuse("positions satisfy their constraints at index 3 without projection",
             "project velocities or all levels, or take index: 2");
    }
  }

  void nonholonomic_rows() {
    const int rows = system_.sizes().nonholonomic;
    if (rows == 0 || options_.stabilisation != Stabilisation::projection ||
        options_.projected_levels != ProjectedLevels::positions) {
      return;
    }
    refuse(fmt::format("{} nonholonomic constraint row{} no positions to project on", rows,
                       rows == 1 ? " has" : "s have"),
           "project velocities, positions-and-velocities or all levels");
  }

  void evaluation() {
    const GssssOptions& o = options_;
    if (o.evaluation == Evaluation::end) {
      if (o.family == Family::U0) return;
      refuse("the V0 family has no form with the equations of motion at the end of the step",
             "write evaluation: level, or take the U0 family");
      return;
    }
    // With shift 1 the first acceleration computed belongs to t_0 again: nothing to extrapolate.
    if (!admissible(o.radii) || gssss_parameters(o.family, o.radii).shift < 1.0) return;
    const bool projected = projects_accelerations(o);
    if (index_of(o) != 1 && !projected) return;
    refuse(fmt::format("{} gives no true acceleration in the first step, which {} needs",
                       to_string(o.family, o.radii),
                       projected ? "the projection of accelerations" : "index 1"),
           "the nearest choices are U0(0, 0.1, 0), or evaluation: end");
  }

  void energy() {
    const GssssOptions& o = options_;
    const bool midpoint = o.radii.minimum == 1.0 && o.radii.maximum == 1.0 &&
                          (o.family == Family::V0 || o.radii.spurious == 1.0);
    if (!midpoint || o.evaluation == Evaluation::end) {
      refuse(fmt::format("energy is kept exactly by midpoint members, V0(1, 1, rho_s), with the "
                         "equations of motion at their level; {} is none",
                         to_string(o.family, o.radii)),
             "the nearest choice is V0(1, 1, 0) (method mpr-mpa) with evaluation: level");
    }
    if (index_of(o) != 3) {
      refuse(fmt::format("reactions do work at index {}, where positions may drift", index_of(o)),
             "take index: 3 to keep the energy");
    }
    if (o.stabilisation != Stabilisation::none) {
      refuse("a stabilisation changes the energy", "take stabilisation: none to keep it");
    }
    system::DiscreteGradients* balance = system_.discrete_gradients();
    const std::string obstacle =
        balance == nullptr ? "this system offers no discrete gradients" : balance->obstacle();
    if (!obstacle.empty()) {
      refuse("energy cannot be kept exactly: " + obstacle,
             "take conservation: symplectic, which keeps it bounded");
    }
  }

  void refuse(std::string message, std::string remedy) {
    diagnostics_.error("", std::move(message), std::move(remedy));
  }

  const GssssOptions& options_;
  system::MechanicalSystem& system_;
  core::Diagnostics diagnostics_;
};

}  // namespace

void check(const GssssOptions& options, system::MechanicalSystem& system) {
  gssss_parameters(options.family, options.radii);  // throws when the radii are wrong
  Checker(options, system).run();
}

bool balances_start(const GssssOptions& o) {
  const bool undamped = o.family == Family::V0 || o.radii.maximum == 1.0;
  return undamped && index_of(o) == 3 && o.stabilisation == Stabilisation::none &&
         o.conservation == Conservation::symplectic;
}

int index_of(const GssssOptions& options) {
  if (options.index != 0) return options.index;
  if (options.stabilisation == Stabilisation::baumgarte) return 1;
  return options.stabilisation == Stabilisation::ggl ? 2 : 3;
}

bool projects_accelerations(const GssssOptions& options) {
  return options.stabilisation == Stabilisation::projection &&
         options.projected_levels == ProjectedLevels::all;
}

RowWeights holonomic_weights(const GssssOptions& options) {
  if (options.stabilisation == Stabilisation::baumgarte) {
    return {options.baumgarte_beta, 2.0 * options.baumgarte_alpha, 1.0};
  }
  const int index = index_of(options);
  return {index == 3 ? 1.0 : 0.0, index == 2 ? 1.0 : 0.0, index == 1 ? 1.0 : 0.0};
}

RowWeights nonholonomic_weights(const GssssOptions& options) {
  RowWeights weights = holonomic_weights(options);
  if (index_of(options) == 3) weights.velocity = 1.0;
  weights.position = 0.0;
  return weights;
}

}  // namespace trammel::integrators
