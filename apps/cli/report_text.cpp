#include "report_text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "messages.h"
#include "printing.h"
#include "progress_display.h"
#include "terminal.h"
#include <fmt/format.h>

#include "trammel/analysis/method.h"
#include "trammel/core/printable.h"

namespace trammel::cli {
namespace {

constexpr std::size_t term_width = 14;
constexpr std::size_t most_names = 12;

/// "a, b, c and 5 more"
std::string names_text(const std::vector<std::string>& names) {
  const std::size_t shown = std::min(names.size(), most_names);
  std::string text = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "));
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string kinds_text(const std::vector<model::Item>& items) {
  std::map<std::string, int> counts;
  for (const model::Item& item : items) ++counts[item.type];
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [type, count] : counts) parts.push_back(fmt::format("{} {}", count, type));
  return items.empty() ? "none" : fmt::format("{} ({})", items.size(), fmt::join(parts, ", "));
}

/// Joints with their rows: "hinge2 (axis tilt x, axis tilt y)".
std::vector<std::string> by_joint(const std::vector<model::RowName>& rows) {
  std::vector<std::string> joints;
  std::map<std::string, std::vector<std::string>> labels;
  for (const model::RowName& row : rows) {
    if (labels[row.joint].empty()) joints.push_back(row.joint);
    labels[row.joint].push_back(row.label);
  }
  for (std::string& joint : joints) {
    joint = fmt::format("{} ({})", joint, fmt::join(labels[joint], ", "));
  }
  return joints;
}

std::vector<std::string> joint_names(const std::vector<model::RowName>& rows) {
  std::vector<std::string> joints;
  for (const model::RowName& row : rows) {
    if (std::find(joints.begin(), joints.end(), row.joint) == joints.end()) {
      joints.push_back(row.joint);
    }
  }
  return joints;
}

double statistic(const analysis::SimulationReport& report, const std::string& name) {
  const auto found = report.statistics.find(name);
  return found == report.statistics.end() ? 0.0 : found->second;
}

// "3", or "3, of them 1 flexible (8 elements)".
std::string body_count(const model::Description& description) {
  const std::size_t flexible = description.flexible_bodies.size();
  const auto whole = std::count_if(description.bodies.begin(), description.bodies.end(),
                                   [](const model::Body& body) { return body.part_of.empty(); });
  const std::size_t count = static_cast<std::size_t>(whole) + flexible;
  if (flexible == 0) return fmt::format("{}", count);
  return fmt::format("{}, of them {} flexible ({})", count, flexible,
                     count_text(description.elements.size(), "element", "elements"));
}

std::string cost_text(const analysis::SimulationReport& report, double wall_time) {
  wall_time -= statistic(report, "second_run_time");  // which is not part of the simulation
  const double simulated = report.final_motion.state.t;
  std::string text = fmt::format("{:.6g} s simulated in {}", simulated, duration_text(wall_time));
  if (wall_time > 0.0 && simulated > 0.0) {
    text += fmt::format(" ({:.2g} times real time)", simulated / wall_time);
  }
  const double steps = statistic(report, "steps");
  if (steps > 0.0) {
    text += fmt::format(", {:.0f} steps", steps);
    const double iterations = statistic(report, "newton_iterations");
    if (iterations > 0.0) text += fmt::format(", {:.1f} iterations each", iterations / steps);
    if (report.statistics.contains("local_errors")) {
      text += fmt::format(" and {:.0f} rejected, {:.0f} evaluations",
                          statistic(report, "failed_steps"), statistic(report, "evaluations"));
    }
  }
  return text;
}

Report energy_report(const analysis::EnergyBalance& energy) {
  const double total = energy.kinetic + energy.potential;
  Report report;
  report.emplace_back("energy",
                      fmt::format("{:.6g} J at the start, {:.6g} J at the end "
                                  "(kinetic {:.4g}, potential {:.4g})",
                                  energy.initial_total, total, energy.kinetic, energy.potential));
  std::string flow;
  const auto add = [&](const char* name, double value) {
    if (value != 0.0) flow += fmt::format("{} {:.4g} J, ", name, value);
  };
  add("work of loads", energy.loads);
  add("work of drives", energy.drives);
  add("dissipated", energy.dissipated);
  report.emplace_back("", flow + fmt::format("numerical loss {:.2g} J", energy.numerical_loss));
  return report;
}

// Runs that did not come to their end have their own message.
Report verdict_report(const analysis::SimulationReport& report) {
  if (report.outcome != results::Outcome::completed) return {};
  if (report.doubts.empty()) {
    return {{"verdict",
             report.error.known
                 ? "no doubts: accuracy, energy and constraints are within their limits"
                 : "no doubts about energy and constraints; the accuracy of positions is not "
                   "known (--estimate examines it)"}};
  }
  Report list;
  for (const analysis::Doubt& doubt : report.doubts) list.emplace_back("doubt", to_string(doubt));
  return list;
}

}  // namespace

std::string count_text(std::size_t count, const std::string& one, const std::string& many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void print(const Report& report) {
  const Style style = output_style();
  const std::size_t width = std::min(terminal_width(), widest_line);
  for (const auto& [term, text] : report) {
    print_output("  {}  {}\n", style.bold(core::printable(fmt::format("{:<{}}", term, term_width))),
                 wrap_text(core::printable(text), width, term_width + 4));
  }
}

Report contents_report(const model::Description& description) {
  return {
      {"model", fmt::format("{} ({})", description.name, model::to_string(description.space))},
      {"bodies", body_count(description)},
      {"joints", kinds_text(description.joints)},
      {"forces", kinds_text(description.forces)},
  };
}

Report mobility_report(const analysis::Mobility& mobility) {
  Report report;
  report.emplace_back("freedoms", fmt::format("{} ({} velocities, {} constraint rows of rank {})",
                                              mobility.freedoms(), mobility.velocities,
                                              mobility.rows, mobility.rank));
  if (mobility.redundant.empty()) {
    report.emplace_back("redundant", mobility.not_unique_closed.empty()
                                         ? "none: every reaction is unique"
                                         : "none at the start, where every reaction is unique");
  } else {
    report.emplace_back("redundant", fmt::format("{}: {}",
                                                 count_text(mobility.redundant.size(),
                                                            "constraint follows from the others",
                                                            "constraints follow from the others"),
                                                 names_text(by_joint(mobility.redundant))));
  }
  if (!mobility.not_unique.empty()) {
    report.emplace_back("not unique", "reactions of " +
                                          names_text(joint_names(mobility.not_unique)) +
                                          "; the least ones are given");
    const std::vector<std::string>& loads = mobility.loads_not_unique;
    report.emplace_back(
        loads.empty() ? "" : "undetermined",
        loads.empty()
            ? "no load reads them; rows are left out while they follow from the others, which is "
              "looked at again on the way"
            : fmt::format("the motion: {} {} on reactions that are not unique; it is computed with "
                          "the least ones. To determine it, give a joint a bushing, or a type with "
                          "fewer constraints",
                          names_text(loads), loads.size() == 1 ? "depends" : "depend"));
  }
  if (!mobility.not_unique_closed.empty()) {
    report.emplace_back(
        "later",
        fmt::format(
            "{} {} open at the start; closed in that position, reactions of {} would not be "
            "unique, and the least ones be given",
            names_text(mobility.open), mobility.open.size() == 1 ? "is" : "are",
            names_text(joint_names(mobility.not_unique_closed))));
  }
  const bool doubtful =
      mobility.largest_dropped > 0.0 && mobility.smallest_kept < 100.0 * mobility.largest_dropped;
  if (doubtful) {
    report.emplace_back(
        "doubt", fmt::format("the rank is not certain (pivots {:.1e} kept, {:.1e} dropped): the "
                             "model may start near a singular position",
                             mobility.smallest_kept, mobility.largest_dropped));
  }
  return report;
}

namespace {

// The moves worth a line: all of stated values up to a number, then how many more.
void add_moves(const analysis::Assembly& assembly, Report& report) {
  constexpr std::size_t most = 6;
  std::size_t stated = 0;
  for (const analysis::MovedValue& moved : assembly.moved) {
    if (!moved.stated) continue;
    if (++stated <= most) report.emplace_back("moved", to_string(moved));
  }
  if (stated > most) {
    report.emplace_back("moved", fmt::format("and {} more stated values", stated - most));
  }
  const std::size_t rest = assembly.moved.size() - stated;
  if (rest == 0) return;
  std::string first;
  for (std::size_t i = stated; i < std::min(stated + 2, assembly.moved.size()); ++i) {
    first += (first.empty() ? "" : "; ") + to_string(assembly.moved[i]);
  }
  report.emplace_back("found", fmt::format("{} that nobody stated: {}{}",
                                           count_text(rest, "initial value", "initial values"),
                                           first, rest > 2 ? "; ..." : ""));
}

}  // namespace

void warn_of_moves(const analysis::Assembly& assembly) {
  constexpr std::size_t most = 3;
  std::string text;
  std::size_t large = 0;
  for (const analysis::MovedValue& moved : assembly.moved) {
    if (!moved.large || ++large > most) continue;
    text += (text.empty() ? "" : "; ") + to_string(moved);
  }
  if (large == 0) return;
  if (large > most) text += fmt::format("; and {} more", large - most);
  print_warning(
      fmt::format("{} stated, but the joints, couplings and drives do not allow {}: {}",
                  large == 1 ? "an initial value is" : "initial values are",
                  large == 1 ? "it" : "them", text),
      "state values that fit together, leave out those that follow from the others, or mark those "
      "that must hold as fixed");
}

Report assembly_report(const analysis::Assembly& assembly) {
  constexpr double rounding = 1e-12;
  const bool fits = assembly.largest_move < rounding && assembly.largest_velocity_change < rounding;
  Report report{
      {"assembly",
       fits ? "the described positions and velocities fit together as they are"
            : fmt::format(
                  "{}; described positions moved by up to {:.3g} m or rad, velocities by up to "
                  "{:.3g} m/s or rad/s",
                  count_text(static_cast<std::size_t>(assembly.iterations), "iteration",
                             "iterations"),
                  assembly.largest_move, assembly.largest_velocity_change)},
      {"residuals",
       fmt::format("position {:.1e}, velocity {:.1e}, acceleration {:.1e}, force balance {:.1e}",
                   assembly.position_residual, assembly.velocity_residual,
                   assembly.acceleration_residual, assembly.force_residual)},
  };
  add_moves(assembly, report);
  if (!assembly.massless_turns.empty()) {
    const std::vector<model::MasslessTurn>& turns = assembly.massless_turns;
    report.emplace_back(
        "inertia",
        fmt::format("{} of bodies without inertia of their own, held by joints ('{}'{}): computed "
                    "with 1e-12 of mass times model size squared",
                    count_text(turns.size(), "turn", "turns"), turns.front().body,
                    turns.size() > 1 ? ", ..." : ""));
  }
  return report;
}

Report method_report(const analysis::MethodChoice& choice) {
  Report report{{"method", analysis::method_text(choice.settings, choice.settings.step)}};
  if (!choice.reason.empty()) report.emplace_back("chosen", choice.reason);
  return report;
}

Report simulation_report(const analysis::SimulationReport& report, double wall_time) {
  Report list;
  list.emplace_back("method", report.method);
  if (!report.choice.empty()) list.emplace_back("chosen", report.choice);
  list.emplace_back("cost", cost_text(report, wall_time));
  list.emplace_back("constraints",
                    fmt::format("largest error: position {:.1e}, velocity {:.1e}, acceleration "
                                "{:.1e}",
                                report.largest_position_error, report.largest_velocity_error,
                                report.largest_acceleration_error));
  list.emplace_back("error", analysis::to_string(report.error));
  for (const std::string& sentence : report.certificate) {
    list.emplace_back(&sentence == &report.certificate.front() ? "certified" : "", sentence);
  }
  for (const auto& row : energy_report(report.energy)) list.push_back(row);
  for (const auto& row : verdict_report(report)) list.push_back(row);
  for (const std::string& note : report.notes) list.emplace_back("note", note);
  return list;
}

report::RunNotes examination_notes(const analysis::SimulationReport& report) {
  report::RunNotes notes;
  notes.judged = report.outcome == results::Outcome::completed;
  for (const analysis::Doubt& doubt : report.doubts) notes.doubts.push_back(to_string(doubt));
  notes.warnings = notes.doubts;
  notes.warnings.insert(notes.warnings.end(), report.notes.begin(), report.notes.end());
  return notes;
}

std::vector<std::string> interesting_channels(const std::vector<results::Channel>& channels) {
  constexpr std::size_t enough = 6;
  const auto collect = [&](auto&& wanted) {
    std::vector<std::string> names;
    for (const results::Channel& channel : channels) {
      if (names.size() < enough && wanted(channel)) names.push_back(channel.name);
    }
    return names;
  };
  auto names =
      collect([](const auto& channel) { return channel.description == "joint coordinate"; });
  if (names.empty()) {
    names = collect(
        [](const auto& channel) { return channel.name.find(".position.") != std::string::npos; });
  }
  return names.empty() ? collect([](const auto&) { return true; }) : names;
}

}  // namespace trammel::cli
