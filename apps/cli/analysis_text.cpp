#include "analysis_text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trammel::cli {
namespace {

constexpr std::size_t most_rows = 20;

std::string freedoms_text(int count) {
  return count_text(static_cast<std::size_t>(count), "freedom", "freedoms");
}

void add_singular(const std::vector<analysis::SingularPosition>& list, Report& report) {
  for (std::size_t i = 0; i < std::min(list.size(), most_rows); ++i) {
    report.emplace_back(i == 0 ? "singular" : "", to_string(list[i]));
  }
  if (list.size() > most_rows) {
    report.emplace_back("", fmt::format("and {} more", list.size() - most_rows));
  }
}

std::string change_text(const analysis::MobilityChange& change) {
  if (change.passing) {
    return fmt::format("at t = {:.4g} s a singular position is passed: {} there, {} otherwise",
                       change.time, freedoms_text(change.there), change.before);
  }
  return fmt::format("from t = {:.4g} s on: {} instead of {}", change.time,
                     freedoms_text(change.there), change.before);
}

const char* method_text(analysis::StaticMethod method) {
  switch (method) {
    case analysis::StaticMethod::newton:
      return "Newton";
    case analysis::StaticMethod::load_stepping:
      return "load stepping";
    case analysis::StaticMethod::relaxation:
      return "dynamic relaxation, then Newton";
    case analysis::StaticMethod::automatic:
      break;
  }
  return "automatic";
}

std::string mode_text(const analysis::Modes& modes, const analysis::Mode& mode) {
  if (mode.zero) return "zero: " + participants(modes, mode);
  const std::string grows = mode.grows() ? ", grows" : "";
  if (mode.oscillates()) {
    const bool undamped = !mode.damped();
    return fmt::format("{:.6g} Hz, damping ratio {:.4g}{} ({:.6g} {:+.6g}i): {}", mode.frequency,
                       undamped ? 0.0 : mode.damping_ratio, grows,
                       undamped ? 0.0 : mode.eigenvalue.real(), mode.eigenvalue.imag(),
                       participants(modes, mode));
  }
  return fmt::format("{:.6g} 1/s, time constant {:.4g} s{}: {}", mode.eigenvalue.real(),
                     std::abs(1.0 / mode.eigenvalue.real()), grows, participants(modes, mode));
}

// What holds the model at rest, or does not.
std::string stability_text(const analysis::StaticsReport& report) {
  const analysis::StabilityReport& found = report.stability;
  if (found.stiffness.size() == 0) return "the joints leave no freedom: nothing can move";
  const double least = found.stiffness[0];
  const std::string softest = found.softest.empty() ? "" : " along " + found.softest.front();
  if (found.verdict == analysis::Stability::stable) {
    return fmt::format("stable; softest{}: {:.4g} 1/s^2 ({:.4g} Hz)", softest, least,
                       std::sqrt(least) / 6.283185307179586);
  }
  if (found.verdict == analysis::Stability::neutral) return "neutral: nothing holds it" + softest;
  if (found.diverging.cols() == 0) {
    return "UNSTABLE: loads without a potential let it flutter; damping may hold it";
  }
  return fmt::format(
      "UNSTABLE{}: stiffness over mass {:.4g} 1/s^2{}", softest, least,
      report.pushes > 0 ? "; pushed off it, the model did not come to rest elsewhere" : "");
}

}  // namespace

std::vector<std::string> drive_names(const model::Description& description) {
  std::vector<std::string> names;
  for (const model::Item& drive : description.drives) names.push_back(drive.name);
  return names;
}

analysis::StaticMethod static_method(const std::string& name) {
  if (name == "newton") return analysis::StaticMethod::newton;
  if (name == "load-stepping") return analysis::StaticMethod::load_stepping;
  if (name == "relaxation") return analysis::StaticMethod::relaxation;
  return analysis::StaticMethod::automatic;
}

analysis::PathKind path_kind(const std::string& along,
                             const model::Description& description,
                             model::ModelSystem& system) {
  if (along == "start") return analysis::PathKind::none;
  if (along == "kinematics") return analysis::PathKind::kinematics;
  if (along == "simulation") return analysis::PathKind::simulation;
  if (description.drives.empty()) return analysis::PathKind::simulation;
  const analysis::Assembly assembly = analysis::assemble(system);
  return analysis::check_drives(system, assembly.motion.state, drive_names(description))
                 .determined()
             ? analysis::PathKind::kinematics
             : analysis::PathKind::simulation;
}

Report joined(const std::vector<Report>& parts) {
  Report all;
  for (const Report& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Report drive_report(const analysis::DriveCheck& check) {
  Report report;
  std::string text =
      fmt::format("{} of the joints, {}", freedoms_text(check.freedoms),
                  count_text(static_cast<std::size_t>(check.drives), "drive", "drives"));
  text += check.determined() ? ": the motion is determined"
                             : fmt::format(": {} left", freedoms_text(check.remaining));
  if (check.determined() && !check.positions_determined) {
    text += " (positions are integrated from velocities)";
  }
  report.emplace_back("inputs", text);
  if (!check.dependent.empty()) {
    report.emplace_back("",
                        fmt::format("follows from the rest: {}", fmt::join(check.dependent, ", ")));
  }
  if (!check.proposals.empty()) {
    report.emplace_back(
        "", fmt::format("suitable further inputs: {}", fmt::join(check.proposals, ", ")));
  }
  return report;
}

Report kinematics_report(const analysis::KinematicsReport& report) {
  Report list = drive_report(report.drives);
  list.emplace_back("path",
                    fmt::format("until t = {:.6g} s, {} steps, {} Newton iterations",
                                report.final_motion.state.t, report.steps, report.iterations));
  list.emplace_back("constraints",
                    fmt::format("largest error: position {:.1e}, velocity {:.1e}, acceleration "
                                "{:.1e}",
                                report.largest_position_error, report.largest_velocity_error,
                                report.largest_acceleration_error));
  add_singular(report.singular, list);
  for (std::size_t i = 0; i < report.switches.size(); ++i) {
    list.emplace_back(i == 0 ? "other input" : "", to_string(report.switches[i]));
  }
  return list;
}

Report mobility_path_report(const analysis::MobilityPath& path) {
  Report report = joined({mobility_report(path.assembly.mobility), drive_report(path.drives)});
  if (path.path == analysis::PathKind::none) return report;
  report.emplace_back(
      "path", fmt::format("{} until t = {:.6g} s",
                          path.path == analysis::PathKind::kinematics ? "kinematics" : "simulation",
                          path.until));
  if (!path.end.empty()) report.emplace_back("", "ended early: " + path.end);
  if (path.changes.empty()) {
    report.emplace_back("changes",
                        fmt::format("none; nearest to one at t = {:.4g} s (least singular value "
                                    "{:.2g})",
                                    path.least_time, path.least_singular_value));
  }
  for (std::size_t i = 0; i < std::min(path.changes.size(), most_rows); ++i) {
    report.emplace_back(i == 0 ? "changes" : "", change_text(path.changes[i]));
  }
  if (path.changes.size() > most_rows) {
    report.emplace_back("", fmt::format("and {} more", path.changes.size() - most_rows));
  }
  return report;
}

Report inverse_report(const analysis::InverseReport& report) {
  Report list;
  list.emplace_back("actuation",
                    fmt::format("{} of the joints, {}", freedoms_text(report.freedoms),
                                count_text(static_cast<std::size_t>(report.actuators),
                                           "drive or actuator", "drives and actuators")));
  if (report.missing > 0) {
    list.emplace_back(
        "", fmt::format("under-actuated: nothing acts along {}; {:.2g} of the loads "
                        "is missing at most",
                        fmt::join(report.missing_coordinates, ", "), report.largest_missing));
  }
  if (report.over_actuated()) {
    list.emplace_back("", "over-actuated: drives share their loads; the smallest loads are given");
  }
  list.emplace_back("not unique", report.not_unique.empty()
                                      ? "none: every load and reaction is unique"
                                      : fmt::format("loads of {}; the smallest are given",
                                                    fmt::join(report.not_unique, ", ")));
  for (const analysis::DriveLoad& load : report.loads) {
    list.emplace_back("load", fmt::format("{}: {:.4g} to {:.4g} {}, effective {:.4g}, peak power "
                                          "{:.4g} W",
                                          load.name, load.smallest + 0.0, load.largest, load.unit,
                                          load.mean_square, load.peak_power));
  }
  add_singular(report.singular, list);
  return list;
}

Report statics_report(const analysis::StaticsReport& report) {
  Report list;
  std::string found =
      fmt::format("{}, {} iterations", method_text(report.method), report.iterations);
  if (report.load_steps > 0) found += fmt::format(", {} load steps", report.load_steps);
  if (report.relaxation_steps > 0) {
    found += fmt::format(", {} steps of relaxation", report.relaxation_steps);
  }
  list.emplace_back("equilibrium",
                    fmt::format("found by {}; moved by up to {:.4g} m or rad; out of balance by "
                                "{:.1e} of the loads",
                                found, report.moved, report.residual));
  if (!report.left_along.empty()) {
    list.emplace_back("", fmt::format("the nearest equilibrium is unstable: the model was pushed "
                                      "off it along {} and came to rest here",
                                      report.left_along));
  }
  list.emplace_back("stability", stability_text(report));
  return list;
}

Report load_path_report(const analysis::LoadPath& path) {
  Report list;
  const analysis::PathPoint& last = path.points.back();
  list.emplace_back("load path",
                    fmt::format("{} positions of rest, {} iterations, from t = 0 to "
                                "t = {:.6g} s",
                                path.points.size(), path.iterations, last.motion.state.t));
  if (path.end == analysis::PathEnd::turned_back) {
    list.emplace_back("", "it went on to the opposite load and ends there");
  } else if (path.end == analysis::PathEnd::too_many_points) {
    list.emplace_back("", "it has as many points as were allowed and ends there");
  }
  for (const analysis::CriticalPoint& point : path.critical) {
    const bool limit = point.kind == analysis::CriticalKind::limit;
    list.emplace_back(limit ? "limit point" : "bifurcation",
                      fmt::format("t = {:.6g} s, {:.4g} along the path{}", point.at.motion.state.t,
                                  point.at.length,
                                  limit ? ": time turns back" : ": the model may buckle sideways"));
  }
  list.emplace_back("stability",
                    last.growing == 0
                        ? fmt::format("stable at the end (softest {:.4g} 1/s^2)", last.least)
                        : count_text(static_cast<std::size_t>(last.growing),
                                     "shape grows at the end", "shapes grow at the end"));
  return list;
}

Report modes_report(const analysis::Modes& modes) {
  Report list;
  const analysis::Linearisation& linear = modes.linear;
  list.emplace_back(
      "linear model",
      fmt::format(
          "{} states: {} coordinates, {} rates, {} first-order states; {} inputs, {} "
          "outputs",
          linear.states.size(), linear.coordinates, linear.rates,
          linear.states.size() - static_cast<std::size_t>(linear.coordinates + linear.rates),
          linear.inputs.size(), linear.outputs.size()));
  for (std::size_t i = 0; i < modes.modes.size(); ++i) {
    list.emplace_back(fmt::format("mode {}", i + 1), mode_text(modes, modes.modes[i]));
  }
  list.emplace_back("stability", modes.unstable == 0
                                     ? "no mode grows"
                                     : count_text(static_cast<std::size_t>(modes.unstable),
                                                  "mode grows", "modes grow"));
  return list;
}

}  // namespace trammel::cli
