#include "trammel/analysis/kinematics.h"

#include <fmt/format.h>

#include "trammel/analysis/output_grid.h"
#include "trammel/analysis/recorder.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

class Path {
 public:
  Path(model::ModelSystem& system,
       const model::SimulationSettings& settings,
       const std::vector<std::string>& drives,
       const Visitor& visit,
       const std::atomic<bool>* stop)
      : system_(system), grid_(settings), drives_(drives), visit_(visit), stop_(stop) {}

  KinematicsReport go() {
    report_.assembly = assemble(system_);
    const system::Motion& first = report_.assembly.motion;
    report_.drives = check_drives(system_, first.state, drives_);
    require_determined(report_.drives);
    KinematicMarch march(system_, report_.drives.positions_determined);
    const SingularityJudge judge(system_, first.state, rows_named(system_, drives_));
    march.start(first);
    visit_(first, true, grid_.h);
    follow(march, judge);
    report_.final_motion = march.motion();
    report_.steps = march.steps();
    report_.iterations = march.iterations();
    return report_;
  }

 private:
  void follow(KinematicMarch& march, const SingularityJudge& judge) {
    for (long i = 0; i < grid_.outputs; ++i) {
      if (!interval(march, judge, grid_.h, grid_.steps_per_output)) return;
    }
    if (grid_.last_steps > 0) interval(march, judge, grid_.last_h, grid_.last_steps);
  }

  bool interval(KinematicMarch& march, const SingularityJudge& judge, double h, long steps) {
    for (long i = 0; i < steps; ++i) {
      const system::Motion before = march.motion();
      if (!march.advance(h)) {
        fail(march.motion().state, judge);
        return false;
      }
      if (march.turned()) passed(judge.locate(before, h, report_.drives.positions_determined));
      visit_(march.motion(), i + 1 == steps, h);
      if (stop_ != nullptr && stop_->load()) {
        report_.outcome = results::Outcome::stopped;
        report_.message =
            fmt::format("stopped by the user at t = {:.6g} s", march.motion().state.t);
        return false;
      }
    }
    return true;
  }

  void passed(const SingularPosition& position) { report_.singular.push_back(position); }

  void fail(const system::State& state, const SingularityJudge& judge) {
    report_.outcome = results::Outcome::failed;
    if (const auto position = judge.judge(state)) {
      report_.singular.push_back(*position);
      report_.message = "the motion cannot be continued: " + to_string(*position);
      report_.remedy =
          position->kind == SingularKind::dead_centre
              ? "drive one of the suitable inputs instead, or let the drive turn back before"
              : "start on the branch that is meant, or remove the symmetry of the lengths";
      return;
    }
    report_.message = fmt::format(
        "the motion cannot be continued beyond t = {:.6g} s, at a regular position", state.t);
    report_.remedy = "look for a drive that jumps there, or for a path that leaves the reach";
  }

  model::ModelSystem& system_;
  OutputGrid grid_;
  const std::vector<std::string>& drives_;
  const Visitor& visit_;
  const std::atomic<bool>* stop_;
  KinematicsReport report_;
};

}  // namespace

KinematicsReport follow_kinematics(model::ModelSystem& system,
                                   const model::SimulationSettings& settings,
                                   const std::vector<std::string>& drives,
                                   const Visitor& visit,
                                   const std::atomic<bool>* stop) {
  return Path(system, settings, drives, visit, stop).go();
}

KinematicsReport kinematics(model::ModelSystem& system,
                            const model::SimulationSettings& settings,
                            const std::vector<std::string>& drives,
                            const SimulationOptions& options) {
  // The sink is begun only when the motion is determined.
  std::unique_ptr<Recorder> recorder;
  integrators::Statistics statistics;
  const Visitor visit = [&](const system::Motion& motion, bool output, double h) {
    if (recorder == nullptr) recorder = std::make_unique<Recorder>(system, options);
    recorder->step(motion);
    if (motion.state.t > 0.0) ++statistics.steps;
    if (output) recorder->record(motion, statistics, h);
    if (output && options.progress) {
      options.progress({motion.state.t, settings.until, statistics.steps, 0.0});
    }
  };
  KinematicsReport report = follow_kinematics(system, settings, drives, visit, options.stop);
  report.largest_position_error = recorder->position_error();
  report.largest_velocity_error = recorder->velocity_error();
  report.largest_acceleration_error = recorder->acceleration_error();
  if (options.sink != nullptr) {
    options.sink->finish(report.outcome, report.message,
                         {{"steps", static_cast<double>(report.steps)},
                          {"newton_iterations", static_cast<double>(report.iterations)}});
  }
  return report;
}

}  // namespace trammel::analysis
