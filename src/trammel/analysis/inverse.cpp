#include "trammel/analysis/inverse.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trammel/analysis/load_balance.h"
#include "trammel/analysis/recorder.h"
#include "trammel/core/diagnostic.h"

namespace trammel::analysis {
namespace {

// Follows the loads of drives and further actuators.
class LoadRanges {
 public:
  LoadRanges(const Observer& observer, const std::vector<std::string>& drives) {
    std::map<std::string, std::size_t> index;
    for (std::size_t i = 0; i < observer.quantities().size(); ++i) {
      index[observer.quantities()[i].name] = i;
    }
    for (const std::string& drive : drives) {
      const auto load = index.find(drive + ".load");
      const auto power = index.find(drive + ".power");
      if (load == index.end() || power == index.end()) continue;
      add(drive, observer.quantities()[load->second].unit, load->second, power->second);
    }
  }

  void add(const std::string& name, const std::string& unit, std::size_t load, std::size_t power) {
    ranges_.push_back({name, unit, INFINITY, -INFINITY, 0.0, 0.0});
    channels_.emplace_back(load, power);
  }
  std::size_t size() const { return ranges_.size(); }
  std::pair<std::size_t, std::size_t> channels(std::size_t i) const { return channels_[i]; }

  void follow(std::size_t i, double load, double power) {
    DriveLoad& range = ranges_[i];
    range.smallest = std::min(range.smallest, load);
    range.largest = std::max(range.largest, load);
    range.mean_square += load * load;
    range.peak_power = std::max(range.peak_power, std::abs(power));
  }
  std::vector<DriveLoad> finished(std::size_t rows) const {
    std::vector<DriveLoad> result = ranges_;
    for (DriveLoad& range : result) {
      range.mean_square =
          std::sqrt(range.mean_square / static_cast<double>(std::max<std::size_t>(rows, 1)));
    }
    return result;
  }

 private:
  std::vector<DriveLoad> ranges_;
  std::vector<std::pair<std::size_t, std::size_t>> channels_;
};

void follow_drives(Observer& observer,
                   LoadRanges& ranges,
                   const system::Motion& motion,
                   std::size_t drives) {
  const std::vector<double>& values = observer.observe(motion);
  for (std::size_t i = 0; i < drives; ++i) {
    const auto [load, power] = ranges.channels(i);
    ranges.follow(i, values[load], values[power]);
  }
}

std::string unit_of_load(const NamedCoordinate& coordinate) {
  return coordinate.unit == "rad" ? "N m" : "N";
}

[[noreturn]] void refuse(const LoadBalance& balance, double time, double share) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < balance.missing_coordinates().size(); ++i) {
    const NamedCoordinate& coordinate = balance.missing_coordinates()[i];
    names.push_back(fmt::format("{} ({:.4g} {})", coordinate.name,
                                balance.missing_loads()[static_cast<Eigen::Index>(i)],
                                unit_of_load(coordinate)));
  }
  throw core::RunError(
      fmt::format("under-actuated: at t = {:.6g} s the motion needs loads along {} that no drive "
                  "gives ({:.2g} of all loads)",
                  time, fmt::join(names, ", "), share),
      "name actuators for them (--actuate), or take what fits best (--least-squares)");
}

// Balances one recorded motion after the other.
class MotionBalance {
 public:
  MotionBalance(model::ModelSystem& system,
                const system::State& start,
                const InverseOptions& options)
      : options_(options),
        observer_(system),
        balance_(system, options.actuators),
        ranges_(observer_, options.drives),
        drives_(ranges_.size()) {
    balance_.choose_missing(start);
    const std::vector<int> drive_rows = rows_named(system, options.drives);
    const Matrix joints = rows_without(constraint_jacobian(system, start), drive_rows);
    report_.freedoms = system.sizes().v - subspaces(joints, system.displacement_scale()).rank;
    report_.actuators = static_cast<int>(drive_rows.size() + options.actuators.size());
    report_.not_unique = balance_.not_unique(start);
    for (const NamedCoordinate& coordinate : balance_.missing_coordinates()) {
      report_.missing_coordinates.push_back(coordinate.name);
    }
    report_.missing = static_cast<int>(report_.missing_coordinates.size());
    for (const NamedCoordinate& coordinate : balance_.actuators()) {
      ranges_.add(coordinate.name, unit_of_load(coordinate), 0, 0);
    }
  }

  std::vector<results::Channel> channels() const {
    std::vector<results::Channel> list;
    for (const NamedCoordinate& coordinate : balance_.actuators()) {
      list.push_back(
          {coordinate.name + ".load", unit_of_load(coordinate), "", "load along the coordinate"});
    }
    for (const NamedCoordinate& coordinate : balance_.missing_coordinates()) {
      list.push_back(
          {"missing." + coordinate.name, unit_of_load(coordinate), "", "load that no drive gives"});
    }
    return list;
  }

  // Finds the multipliers; the values of channels().
  std::vector<double> solve(system::Motion& motion) {
    balance_.solve(motion);
    report_.largest_missing = std::max(report_.largest_missing, balance_.missing());
    if (!options_.least_squares && balance_.missing() > options_.tolerance) {
      refuse(balance_, motion.state.t, balance_.missing());
    }
    follow_drives(observer_, ranges_, motion, drives_);
    const Vector rates = observer_.rates(balance_.actuators(), motion);
    std::vector<double> values;
    for (Eigen::Index i = 0; i < balance_.loads().size(); ++i) {
      const double load = balance_.loads()[i];
      ranges_.follow(drives_ + static_cast<std::size_t>(i), load, load * rates[i]);
      values.push_back(load);
    }
    if (report_.missing > 0) {
      values.insert(values.end(), balance_.missing_loads().begin(), balance_.missing_loads().end());
    }
    report_.until = motion.state.t;
    ++report_.rows;
    return values;
  }

  InverseReport report() const {
    InverseReport result = report_;
    result.loads = ranges_.finished(report_.rows);
    return result;
  }

 private:
  const InverseOptions& options_;
  Observer observer_;
  LoadBalance balance_;
  LoadRanges ranges_;
  std::size_t drives_;
  InverseReport report_;
};

}  // namespace

InverseReport inverse_of_drives(model::ModelSystem& system,
                                const model::SimulationSettings& settings,
                                const InverseOptions& options,
                                const SimulationOptions& recording) {
  InverseReport report;
  Observer observer(system);
  LoadRanges ranges(observer, options.drives);
  std::unique_ptr<Recorder> recorder;
  LoadBalance balance(system, {});
  long steps = -1;  // the start is none
  const Visitor visitor = [&](const Visit& visit) {
    ++steps;
    system::Motion motion = visit.motion;
    if (recorder == nullptr) {
      recorder = std::make_unique<Recorder>(system, recording);
      report.not_unique = balance.not_unique(motion.state);
    }
    if (!report.not_unique.empty()) balance.solve(motion);  // the smallest loads
    recorder->step(motion);
    if (visit.tell && recording.progress) {
      recording.progress({motion.state.t, settings.until, steps, visit.wall_time, visit.h});
    }
    if (!visit.output) return;
    recorder->record(motion, {}, visit.h);
    follow_drives(observer, ranges, motion, ranges.size());
    ++report.rows;
  };
  const KinematicsReport path = follow_kinematics(system, settings, options.drives, visitor,
                                                  {recording.stop, recording.time_limit});
  report.outcome = path.outcome;
  report.message = path.message;
  report.remedy = path.remedy;
  if (recorder) recorder->judge(report.outcome, report.message, report.remedy);
  report.freedoms = path.drives.freedoms;
  report.actuators = path.drives.drives;
  report.singular = path.singular;
  report.until = path.final_motion.state.t;
  report.loads = ranges.finished(report.rows);
  if (recording.sink != nullptr) recording.sink->finish(report.outcome, report.message, {});
  return report;
}

InverseReport inverse_of_motion(model::ModelSystem& system,
                                const std::vector<system::Motion>& motions,
                                const InverseOptions& options,
                                const SimulationOptions& recording) {
  if (motions.empty()) {
    throw core::InputError("the recorded motion has no rows", "record at least one time");
  }
  MotionBalance balance(system, motions.front().state, options);
  SimulationOptions recorded = recording;
  recorded.further = balance.channels();
  Recorder recorder(system, recorded);
  Watch watch({recording.stop, recording.time_limit});
  results::Outcome outcome = results::Outcome::completed;
  std::string message;
  for (system::Motion motion : motions) {
    const std::vector<double> further = balance.solve(motion);
    recorder.step(motion);
    recorder.record(motion, {}, 0.0, further);
    watch.after_step();
    if (!watch.stopped() || motion.state.t >= motions.back().state.t) continue;
    outcome = results::Outcome::stopped;
    message = fmt::format("{} at t = {:.6g} s of {:g} s", watch.reason(), motion.state.t,
                          motions.back().state.t);
    break;
  }
  std::string remedy;
  recorder.judge(outcome, message, remedy);
  if (recording.sink != nullptr) recording.sink->finish(outcome, message, {});
  InverseReport report = balance.report();
  report.remedy = remedy;
  report.outcome = outcome;
  report.message = message;
  return report;
}

}  // namespace trammel::analysis
