#include "trammel/analysis/mobility_path.h"

#include <algorithm>

#include "trammel/analysis/kinematics.h"

namespace trammel::analysis {

MobilityMonitor::MobilityMonitor(model::ModelSystem& system, std::vector<int> drive_rows)
    : system_(system), drive_rows_(std::move(drive_rows)) {}

void MobilityMonitor::visit(const system::State& state) {
  const Matrix G = rows_without(constraint_jacobian(system_, state), drive_rows_);
  const Subspaces spaces = subspaces(G, system_.displacement_scale());
  if (rank_ < 0) rank_ = spaces.rank;
  const double value = rank_ > 0 ? spaces.singular_values[rank_ - 1] : 1.0;
  if (last_.size() == 3) last_.erase(last_.begin());
  last_.push_back({state.t, spaces.rank, value});
  if (value > subspace_tolerance && value < least_) {
    least_ = value;
    least_time_ = state.t;
  }
  if (last_.size() == 3) look_back();
}

// Judges the sample in the middle.
void MobilityMonitor::look_back() {
  const Sample& before = last_[0];
  const Sample& middle = last_[1];
  const Sample& after = last_[2];
  const int n = system_.sizes().v;
  if (middle.rank != rank_ && after.rank == middle.rank) {
    changes_.push_back({middle.time, n - rank_, n - middle.rank, false});
    rank_ = middle.rank;
    last_.clear();
    return;
  }
  if (rank_ == 0 || middle.value >= before.value || middle.value > after.value) return;
  // A singular value that reaches zero does so with the slope it had.
  const double slope = std::max(before.value, after.value) - middle.value;
  if (middle.value > slope) return;
  changes_.push_back({middle.time, n - rank_, n - rank_ + 1, true});
}

MobilityPath mobility_along(model::ModelSystem& system,
                            const model::SimulationSettings& settings,
                            const std::vector<std::string>& drives,
                            PathKind path,
                            const SimulationOptions& options) {
  MobilityPath result;
  result.assembly = assemble(system);
  result.drives = check_drives(system, result.assembly.motion.state, drives);
  result.path = path;
  if (path == PathKind::none) return result;
  MobilityMonitor monitor(system, rows_named(system, drives));
  const auto end = [&](const auto& report) {
    result.until = report.final_motion.state.t;
    result.end = report.message;
    result.stopped = report.outcome == results::Outcome::stopped;
  };
  if (path == PathKind::kinematics) {
    long steps = -1;  // the start is none
    const Visitor visitor = [&](const Visit& visit) {
      ++steps;
      monitor.visit(visit.motion.state);
      if (!visit.tell || !options.progress) return;
      options.progress({visit.motion.state.t, settings.until, steps, visit.wall_time, visit.h});
    };
    end(follow_kinematics(system, settings, drives, visitor, {options.stop, options.time_limit}));
  } else {
    SimulationOptions silent;
    silent.progress = options.progress;
    silent.stop = options.stop;
    silent.time_limit = options.time_limit;
    silent.visit = [&](const system::Motion& motion) { monitor.visit(motion.state); };
    end(simulate(system, settings, silent));
  }
  result.changes = monitor.changes();
  result.least_singular_value = monitor.least_singular_value();
  result.least_time = monitor.least_time();
  return result;
}

}  // namespace trammel::analysis
