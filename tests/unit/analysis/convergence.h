// Runs of one mechanism at several steps: the measured order of every quantity.
#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "trammel/analysis/assembly.h"
#include "trammel/integrators/generalized_alpha.h"
#include "trammel/integrators/march.h"
#include "trammel/model/model_system.h"

namespace trammel::analysis {

struct RunEnd {
  system::Motion motion;
  double position_error = 0.0;  ///< max |g| at the end
  double energy_change = 0.0;
  integrators::Statistics statistics;
};

inline RunEnd run_to(const model::Description& description,
                     double h,
                     double until,
                     integrators::GeneralizedAlphaOptions options = {}) {
  const auto system = model::compile(description);
  const Assembly assembly = assemble(*system);
  integrators::GeneralizedAlpha integrator(*system, std::move(options));
  integrator.start(assembly.motion);
  integrators::March march(integrator);
  const long steps = std::lround(until / h);
  const integrators::MarchReport report = march.advance(until / static_cast<double>(steps), steps);
  EXPECT_TRUE(report.ok) << integrators::to_string(report.failure) << " at " << report.time;
  RunEnd end{.motion = integrator.motion(), .statistics = integrator.statistics()};
  system::Vector g;
  system->position_constraint(end.motion.state, g);
  end.position_error = g.size() > 0 ? g.lpNorm<Eigen::Infinity>() : 0.0;
  const system::Energy before = system->energy(assembly.motion.state);
  const system::Energy after = system->energy(end.motion.state);
  end.energy_change = after.kinetic + after.potential - before.kinetic - before.potential;
  return end;
}

/// Differences of two motions: pose along the manifold, velocities, multipliers.
struct MotionError {
  double pose = 0.0;
  double velocity = 0.0;
  double multiplier = 0.0;
};

inline MotionError difference(const model::ModelSystem& system,
                              const system::Motion& a,
                              const system::Motion& b) {
  system::Vector x;
  system.logarithm(a.state.q, b.state.q, x);
  return {x.norm(), (a.state.v - b.state.v).norm(), (a.lambda - b.lambda).norm()};
}

/// log2 of the ratio of errors at h and h/2.
inline double measured_order(double coarse, double fine) {
  return std::log2(coarse / fine);
}

}  // namespace trammel::analysis
