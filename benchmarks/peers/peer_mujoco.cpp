/// Runs a benchmark mechanism in MuJoCo and prints one JSON line; see README.md beside this file.
#include <algorithm>
#include <cmath>
#include <exception>
#include <iostream>

#include "mujoco_mechanisms.h"
#include "report.h"
#include <fmt/format.h>

namespace peers {
namespace {

/// Total energy [J]; leaves accelerations and constraint errors of the present state in `data`.
double energy(mjModel& model, mjData& data) {
  model.opt.enableflags |= mjENBL_ENERGY;
  mj_forward(&model, &data);
  model.opt.enableflags &= ~mjENBL_ENERGY;
  return data.energy[0] + data.energy[1];
}

/// MuJoCo answers bad numbers (not finite, or beyond 1e10) by a warning and a silent return to the
/// start.
bool went_bad(const mjData& data) {
  return data.warning[mjWARN_BADQPOS].number + data.warning[mjWARN_BADQVEL].number +
             data.warning[mjWARN_BADQACC].number >
         0;
}

struct Run {
  double cpu_s = 0.0;
  long steps = 0;
};

Run step_to_end(const Arguments& arguments, const mjModel& model, mjData& data, Report& report) {
  const long count = arguments.step_count();
  Run run;
  const double begin = cpu_time();
  while (run.steps < count) {
    const long portion = std::min(run.steps + 64, count);
    double time_before = data.time;
    for (; run.steps < portion && !went_bad(data); ++run.steps) {
      time_before = data.time;
      mj_step(&model, &data);
    }
    if (went_bad(data)) {
      report.failed = true;
      report.note = fmt::format("bad numbers at t = {:.6g} s", time_before);
      break;
    }
    if (cpu_time() - begin > arguments.limit) {
      report.failed = run.steps < count;
      if (report.failed) {
        report.note = fmt::format("given up at t = {:.6g} s after {:.3g} s of CPU time", data.time,
                                  arguments.limit);
      }
      break;
    }
  }
  run.cpu_s = cpu_time() - begin;
  return run;
}

/// Runs once from the start, fills in everything but the CPU time, and returns the latter.
double run_once(const Arguments& arguments, mjModel& model, Report& report) {
  const MujocoData data = make_mujoco_start(arguments, model);
  const double energy_at_start = energy(model, *data);
  const Run run = step_to_end(arguments, model, *data, report);
  report.steps = run.steps;
  if (report.failed) return run.cpu_s;
  report.energy_error = energy(model, *data) - energy_at_start;
  report.constraint_error = 0.0;
  for (int i = 0; i < data->nefc; ++i) {
    report.constraint_error = std::max(report.constraint_error, std::abs(data->efc_pos[i]));
  }
  report.final_values = final_values(arguments, model, *data);
  return run.cpu_s;
}

void simulate(const Arguments& arguments, mjModel& model, Report& report) {
  // A few steps first warm up caches.
  Arguments warm_up = arguments;
  warm_up.until = std::min(arguments.until, 10 * arguments.h);
  Report ignored;
  run_once(warm_up, model, ignored);

  std::vector<double> times;
  for (int i = 0; i < arguments.repeat && !report.failed; ++i) {
    times.push_back(run_once(arguments, model, report));
  }
  report.cpu_s = median(times);
}

/// Forward dynamics at the start: all that follows from new coordinates, up to the accelerations.
void time_forward(const Arguments& arguments, const mjModel& model, Report& report) {
  const MujocoData data = make_mujoco_start(arguments, model);
  mj_forward(&model, data.get());
  const double first = data->qacc[0];
  const double last = data->qacc[model.nv - 1];
  double sign = 1e-9;
  const auto evaluate = [&] {
    data->qpos[0] += sign;
    sign = -sign;
    mj_forward(&model, data.get());
  };
  report.cpu_s = time_of_call(evaluate, arguments.repeat);
  report.h = 0.0;
  report.method = "mj_forward: composite bodies and sparse LTDL";
  report.steps = 1;
  report.final_values = {{"us_per_link", 1e6 * report.cpu_s / arguments.n},
                         {"first_joint_acceleration", first},
                         {"last_joint_acceleration", last}};
}

void run(const Arguments& arguments) {
  Report report;
  report.program = fmt::format("MuJoCo {}", mj_versionString());
  report.h = arguments.until / static_cast<double>(arguments.step_count());
  report.method = arguments.method == "rk4"        ? "Runge-Kutta 4, fixed step"
                  : arguments.method == "implicit" ? "implicit in velocity, Euler, fixed step"
                                                   : "semi-implicit Euler, fixed step";
  // The stiffest closure that is stable with some margin; Euler blows up at one step, Runge-Kutta
  // at 0.4.
  const double steps = arguments.rigidity.value_or(arguments.method == "rk4" ? 0.7 : 2.0);
  const LoopClosure closure{steps * report.h, 0.9999};

  const double begin = cpu_time();
  const MujocoModel model = make_mujoco_model(arguments, report.h, closure);
  report.setup_s = cpu_time() - begin;
  if (arguments.case_name == "forward") {
    time_forward(arguments, *model, report);
  } else {
    if (model->neq > 0) {
      report.note = fmt::format("loops: time constant {:.3g} s, impedance {}",
                                closure.time_constant, closure.impedance);
    }
    simulate(arguments, *model, report);
  }
  print_json(arguments, report);
}

}  // namespace
}  // namespace peers

int main(int count, char** values) {
  // Warnings are counted in the data and reported; MuJoCo would write them to a file besides.
  mju_user_warning = [](const char*) {};
  try {
    peers::run(peers::read_arguments(count, values));
    return 0;
  } catch (const std::invalid_argument& error) {
    std::cerr << "peer_mujoco: " << error.what() << '\n';
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "peer_mujoco: " << error.what() << '\n';
    return 1;
  }
}
