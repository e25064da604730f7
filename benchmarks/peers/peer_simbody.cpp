/// Runs a benchmark mechanism in Simbody and prints one JSON line; see README.md beside this file.
#include <cmath>
#include <exception>
#include <iostream>

#include "report.h"
#include "simbody_integrators.h"
#include "simbody_mechanisms.h"
#include <fmt/format.h>

namespace peers {
namespace {

using SimTK::Integrator;
using SimTK::Stage;
using SimTK::State;

double energy(const SimbodyMechanism& mechanism, const State& state) {
  mechanism.system.realize(state, Stage::Dynamics);
  return mechanism.system.calcEnergy(state);
}

/// Steps to the end; in portions, so that a hopeless run is given up. Returns the CPU time [s].
double step_to_end(const Arguments& arguments, Integrator& integrator, Report& report) {
  const double begin = cpu_time();
  // CPODES complains about a step limit on stderr, the others are slower when they return every
  // step.
  if (arguments.method == "implicit") {
    integrator.setReturnEveryInternalStep(true);
  } else {
    integrator.setInternalStepLimit(64);
  }
  while (integrator.getTime() < arguments.until) {
    integrator.stepTo(arguments.until);
    if (!std::isfinite(integrator.getState().getQ().normRMS())) {
      report.failed = true;
      report.note = fmt::format("not finite after t = {:.6g} s", integrator.getTime());
      break;
    }
    if (cpu_time() - begin > arguments.limit) {
      report.failed = true;
      report.note = fmt::format("given up at t = {:.6g} s after {:.3g} s of CPU time",
                                integrator.getTime(), arguments.limit);
      break;
    }
    if (integrator.isSimulationOver()) break;
  }
  return cpu_time() - begin;
}

/// Runs once from the start and fills in everything but the CPU time, which it returns.
double run_once(const Arguments& arguments, const SimbodyMechanism& mechanism, Report& report) {
  const double h = arguments.until / static_cast<double>(arguments.step_count());
  const NamedIntegrator chosen = make_integrator(arguments, mechanism.system, h);
  Integrator& integrator = *chosen.integrator;
  report.method = chosen.name;
  integrator.initialize(mechanism.start);
  integrator.resetAllStatistics();
  const double begin = cpu_time();
  try {
    report.cpu_s = step_to_end(arguments, integrator, report);
  } catch (const std::exception& error) {
    report.cpu_s = cpu_time() - begin;
    report.failed = true;
    report.note = fmt::format("stopped at t = {:.6g} s: {}", integrator.getTime(), error.what());
  }
  report.steps = integrator.getNumStepsTaken();
  report.rejected = integrator.getNumStepsAttempted() - integrator.getNumStepsTaken();
  report.h =
      chosen.adaptive ? integrator.getTime() / static_cast<double>(std::max(report.steps, 1L)) : h;
  // After a failure the state may hold numbers that Simbody refuses to evaluate.
  if (report.failed) return report.cpu_s;
  const State& end = integrator.getState();
  report.final_values = final_values(arguments, mechanism, end);
  report.energy_error = energy(mechanism, end) - energy(mechanism, mechanism.start);
  report.constraint_error = end.getNQErr() > 0 ? end.getQErr().normInf() : 0.0;
  return report.cpu_s;
}

void simulate(const Arguments& arguments, const SimbodyMechanism& mechanism, Report& report) {
  // A short run first warms up caches and the allocations of the first steps.
  Arguments warm_up = arguments;
  warm_up.until = std::min(arguments.until, 10 * arguments.h);
  warm_up.limit = 0.2;
  Report ignored;
  run_once(warm_up, mechanism, ignored);

  std::vector<double> times;
  for (int i = 0; i < arguments.repeat && !report.failed; ++i) {
    times.push_back(run_once(arguments, mechanism, report));
  }
  report.cpu_s = median(times);
}

/// Forward dynamics at the start: all that follows from new coordinates, up to the accelerations.
void time_forward(const Arguments& arguments, SimbodyMechanism& mechanism, Report& report) {
  State& state = mechanism.start;
  mechanism.system.realize(state, Stage::Acceleration);
  const double first = state.getUDot()[0];
  const double last = state.getUDot()[state.getNU() - 1];
  double sign = 1e-9;
  const auto evaluate = [&] {
    state.updQ()[0] += sign;
    sign = -sign;
    mechanism.system.realize(state, Stage::Acceleration);
  };
  report.cpu_s = time_of_call(evaluate, arguments.repeat);
  report.method = "articulated bodies, O(n)";
  report.steps = 1;
  report.final_values = {{"us_per_link", 1e6 * report.cpu_s / arguments.n},
                         {"first_joint_acceleration", first},
                         {"last_joint_acceleration", last}};
}

void run(const Arguments& arguments) {
  Report report;
  report.program = "Simbody 3.7";
  const double begin = cpu_time();
  const auto mechanism = make_simbody_mechanism(arguments);
  mechanism->system.realize(mechanism->start, Stage::Acceleration);
  report.setup_s = cpu_time() - begin;
  if (arguments.case_name == "forward") {
    time_forward(arguments, *mechanism, report);
  } else {
    simulate(arguments, *mechanism, report);
  }
  print_json(arguments, report);
}

}  // namespace
}  // namespace peers

int main(int count, char** values) {
  try {
    peers::run(peers::read_arguments(count, values));
    return 0;
  } catch (const std::invalid_argument& error) {
    std::cerr << "peer_simbody: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "peer_simbody: " << error.what() << '\n';
    return 1;
  }
}
