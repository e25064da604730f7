// How far true errors are from the tolerances that were asked for: for a table and for tests.
//
// The error of a run is the largest one over all coordinates and over twenty times, of positions in
// model sizes or radians (of the way, where something travels farther than that), and of velocities
// in shares of the fastest one. The truth is a run of another method at 1e-12.
#pragma once

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "accuracy_problems.h"

#include "trammel/analysis/assembly.h"
#include "trammel/analysis/method.h"
#include "trammel/analysis/tolerance_method.h"
#include "trammel/integrators/march.h"

namespace trammel::analysis::tolerance_study {

/// Those of which the motion is known well enough to judge 1e-9: smooth ones, a row of four-bars,
/// and a pendulum on a stiff damped spring.
inline std::vector<AccuracyProblem> problems() {
  std::vector<AccuracyProblem> all = smooth_problems();
  all.push_back({"four_bars", support::four_bars(3), 0.4, 2e-3, 1e-6});
  all.push_back({"stiff_pendulum", described(R"(
trammel: 1
space: planar
gravity: [0, -9.81]
bodies:
  bob: {kind: point, mass: 1 kg, position: [1, 0]}
forces:
  rod: {type: spring, between: [ground, bob], stiffness: 1e6, damping: 2e3, length: 1 m}
)"),
                 2.0, 1e-3, 1e-6});
  return all;
}

/// The GSSSS family.
inline bool of_second_order(const std::string& integrator) {
  const auto& settings = integrators::find_integrator_kind(integrator)->settings;
  return std::any_of(settings.begin(), settings.end(),
                     [](const integrators::Setting& each) { return each.name == "index"; });
}

/// Of a method that takes one; members of the GSSSS family are kept on their constraints.
inline model::SimulationSettings with_tolerance(const std::string& integrator, double tolerance) {
  model::SimulationSettings settings;
  settings.integrator = integrator;
  if (of_second_order(integrator)) {
    settings.integrator_values = {{"stabilisation", std::string("projection")}};
  }
  set_tolerance(settings, tolerance);
  return settings;
}

/// Names of all methods that take a tolerance.
inline std::vector<std::string> adaptive_methods() {
  std::vector<std::string> names;
  for (const integrators::IntegratorKind& kind : integrators::integrator_kinds()) {
    if (takes_tolerance(kind.name)) names.push_back(kind.name);
  }
  return names;
}

struct Sampled {
  bool ok = true;
  std::string failure;
  double cpu_s = 0.0;  ///< of the stepping
  std::vector<system::State> states;
  integrators::Statistics statistics;
};

inline double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

inline Sampled sampled(model::ModelSystem& system,
                       const Assembly& assembly,
                       const model::SimulationSettings& settings,
                       double until,
                       int rows = 20) {
  Sampled result;
  const auto method = make_integrator(system, settings);
  system.restart_angles();
  system.accept(assembly.motion.state);
  const double begin = processor_time();
  method->start(assembly.motion);
  integrators::March march(*method);
  for (int i = 0; i < rows && result.ok; ++i) {
    const integrators::MarchReport report = march.advance(until / rows, 1, [&] {
      system.accept(method->motion().state);
      return true;
    });
    result.ok = report.ok;
    if (!report.ok) result.failure = integrators::to_string(report.failure);
    result.states.push_back(method->motion().state);
  }
  result.cpu_s = processor_time() - begin;
  result.statistics = method->statistics();
  return result;
}

/// A problem with its true motion.
class Study {
 public:
  explicit Study(const AccuracyProblem& problem)
      : name_(problem.name),
        until_(problem.until),
        system_(model::compile(problem.description)),
        assembly_(assemble(*system_)) {
    truth_ = run("adams", 1e-12);
    for (const system::State& state : truth_.states) {
      const system::Vector way = displacement(assembly_.motion.state, state);
      way_ = std::max(way_, largest(way));
      speed_ = std::max(speed_, largest(state.v.cwiseQuotient(system_->displacement_scale())));
    }
    uncertainty_ = error(run("dormand-prince", 1e-12));
  }

  const std::string& name() const { return name_; }
  /// How well the truth is known: the difference of two methods.
  double uncertainty() const { return uncertainty_; }

  Sampled run(const std::string& integrator, double tolerance) {
    return sampled(*system_, assembly_, with_tolerance(integrator, tolerance), until_);
  }

  double error(const Sampled& run) {
    double largest_error = 0.0;
    if (!run.ok) return std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < truth_.states.size(); ++i) {
      const system::State& state = run.states[i];
      const system::State& exact = truth_.states[i];
      const system::Vector v = (state.v - exact.v).cwiseQuotient(system_->displacement_scale());
      largest_error = std::max({largest_error, largest(displacement(exact, state)) / way_,
                                speed_ > 0.0 ? largest(v) / speed_ : 0.0});
    }
    return largest_error;
  }

 private:
  static double largest(const system::Vector& v) {
    return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0;
  }

  system::Vector displacement(const system::State& from, const system::State& to) {
    system::Vector x;
    system_->logarithm(from.q, to.q, x);
    return x.cwiseQuotient(system_->displacement_scale());
  }

  std::string name_;
  double until_;
  std::unique_ptr<model::ModelSystem> system_;
  Assembly assembly_;
  Sampled truth_;
  double way_ = 1.0;    ///< the longest, model sizes or rad, at least 1
  double speed_ = 0.0;  ///< the fastest, in the same per second
  double uncertainty_ = 0.0;
};

}  // namespace trammel::analysis::tolerance_study
