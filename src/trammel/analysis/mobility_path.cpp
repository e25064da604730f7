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
  if (last_.size() == 3) last_.erase(last_.begin());
  const Eigen::Index known = std::min<Eigen::Index>(rank_, spaces.singular_values.size());
  last_.push_back({state.t, spaces.rank, spaces.singular_values.head(known)});
  const double value = last_.back().least();
  if (value > subspace_tolerance && value < least_) {
    least_ = value;
    least_time_ = state.t;
  }
  if (last_.size() == 3) look_back();
}

// Judges the sample in the middle.
void MobilityMonitor::look_back() {
  const Sample& middle = last_[1];
  const int n = system_.sizes().v;
  if (middle.rank != rank_ && last_[2].rank == middle.rank) {
    changes_.push_back({middle.time, n - rank_, n - middle.rank, false});
    rank_ = middle.rank;
    last_.clear();
    return;
  }
  const int lost = lost_between();
  if (lost > 0) changes_.push_back({middle.time, n - rank_, n - rank_ + lost, true});
}

// How many singular values reach zero near the sample in the middle. One that does has there less
// than what it changes by to one of the sides: it falls with the slope it had.
int MobilityMonitor::lost_between() const {
  const Sample& before = last_[0];
  const Sample& middle = last_[1];
  const Sample& after = last_[2];
  int lost = 0;
  for (Eigen::Index i = middle.values.size() - 1; i >= 0; --i, ++lost) {
    if (middle.values[i] >= before.values[i] || middle.values[i] > after.values[i]) break;
    const double slope = std::max(before.values[i], after.values[i]) - middle.values[i];
    if (middle.values[i] > slope) break;
  }
  return lost;
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
