#include "trammel/analysis/kinematics.h"

#include <fmt/format.h>

#include "trammel/analysis/euler_angle_watch.h"
#include "trammel/analysis/output_grid.h"
#include "trammel/analysis/recorder.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

class KinematicPath {
 public:
  KinematicPath(model::ModelSystem& system,
                const model::SimulationSettings& settings,
                const std::vector<std::string>& drives,
                const Visitor& visit,
                const EarlyEnd& early_end,
                SwitchedDrives* switched)
      : system_(&system),
        grid_(settings),
        drives_(drives),
        visit_(visit),
        watch_(early_end),
        until_(settings.until),
        switched_(switched) {}

  KinematicsReport go() {
    report_.assembly = assemble(*system_);
    const system::Motion& first = report_.assembly.motion;
    report_.drives = check_drives(*system_, first.state, drives_);
    require_determined(report_.drives);
    visit_({*system_, first, true, grid_.h, true, 0.0});
    begin(first);
    follow();
    finish_leg();
    report_.final_motion = march_->motion();
    return report_;
  }

 private:
  // A march of the present system.
  void begin(const system::Motion& motion) {
    march_ = std::make_unique<KinematicMarch>(*system_, report_.drives.positions_determined);
    judge_ =
        std::make_unique<SingularityJudge>(*system_, motion.state, rows_named(*system_, drives_));
    march_->start(motion);
  }

  void finish_leg() {
    report_.steps += march_->steps();
    report_.iterations += march_->iterations();
  }

  void follow() {
    for (long i = 0; i < grid_.outputs; ++i) {
      if (!interval(grid_.h, grid_.steps_per_output)) return;
    }
    if (grid_.last_steps > 0) interval(grid_.last_h, grid_.last_steps);
  }

  bool interval(double h, long steps) {
    for (long i = 0; i < steps; ++i) {
      if (!step(h)) return false;
      const bool tell = watch_.after_step();
      const bool stopped = watch_.stopped();
      // Where it stops is a row as well.
      const bool output = i + 1 == steps || stopped;
      visit_({*system_, march_->motion(), output, h, tell || output, watch_.wall_time()});
      if (stopped) {
        report_.outcome = results::Outcome::stopped;
        report_.message = fmt::format("{} at t = {:.6g} s of {:g} s", watch_.reason(),
                                      march_->motion().state.t, until_);
        return false;
      }
    }
    return true;
  }

  bool step(double h) {
    const system::Motion before = march_->motion();
    if (march_->advance(h)) {
      if (march_->turned()) passed(judge_->locate(before, h, report_.drives.positions_determined));
      return true;
    }
    const system::State last = march_->motion().state;
    if (!change_drive(before, last)) {
      fail(last);
      return false;
    }
    if (march_->advance(h)) return true;
    fail(march_->motion().state);
    return false;
  }

  // At a dead centre: another input from the motion before it on.
  bool change_drive(const system::Motion& before, const system::State& last) {
    if (switched_ == nullptr) return false;
    const auto position = judge_->judge(last);
    if (!position || position->kind != SingularKind::dead_centre) return false;
    DriveSwitch change;
    model::ModelSystem* next = switched_->change(*system_, before, position->inputs, change);
    if (next == nullptr) return false;
    report_.singular.push_back(*position);
    report_.switches.push_back(change);
    finish_leg();
    system_ = next;
    begin(before);
    return true;
  }

  void passed(const SingularPosition& position) { report_.singular.push_back(position); }

  void fail(const system::State& state) {
    report_.outcome = results::Outcome::failed;
    const EulerAngleWatch::Trouble angles = EulerAngleWatch(*system_).trouble(march_->motion());
    if (!angles.what.empty()) {
      report_.message = fmt::format("the motion cannot be continued beyond t = {:.6g} s: {}",
                                    state.t, angles.what);
      report_.remedy = angles.remedy;
      return;
    }
    if (const auto position = judge_->judge(state)) {
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

  model::ModelSystem* system_;
  OutputGrid grid_;
  const std::vector<std::string>& drives_;
  const Visitor& visit_;
  Watch watch_;
  double until_;
  SwitchedDrives* switched_;
  std::unique_ptr<KinematicMarch> march_;
  std::unique_ptr<SingularityJudge> judge_;
  KinematicsReport report_;
};

}  // namespace

KinematicsReport follow_kinematics(model::ModelSystem& system,
                                   const model::SimulationSettings& settings,
                                   const std::vector<std::string>& drives,
                                   const Visitor& visit,
                                   const EarlyEnd& early_end,
                                   SwitchedDrives* switched) {
  return KinematicPath(system, settings, drives, visit, early_end, switched).go();
}

KinematicsReport kinematics(model::ModelSystem& system,
                            const model::SimulationSettings& settings,
                            const std::vector<std::string>& drives,
                            const SimulationOptions& options,
                            SwitchedDrives* switched) {
  // The sink is begun only when the motion is determined.
  std::unique_ptr<Recorder> recorder;
  integrators::Statistics statistics;
  const Visitor record = [&](const Visit& visit) {
    if (recorder == nullptr) recorder = std::make_unique<Recorder>(system, options);
    recorder->use(visit.system);
    recorder->step(visit.motion);
    if (visit.motion.state.t > 0.0) ++statistics.steps;
    if (visit.output) recorder->record(visit.motion, statistics, visit.h);
    if (visit.tell && options.progress) {
      options.progress(
          {visit.motion.state.t, settings.until, statistics.steps, visit.wall_time, visit.h});
    }
  };
  KinematicsReport report = follow_kinematics(system, settings, drives, record,
                                              {options.stop, options.time_limit}, switched);
  recorder->judge(report.outcome, report.message, report.remedy);
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
