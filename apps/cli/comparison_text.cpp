#include "comparison_text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "printing.h"
#include "report_text.h"
#include "terminal.h"
#include <fmt/format.h>

namespace trammel::cli {
namespace {

using analysis::comparison::Comparison;
using analysis::comparison::Row;
using analysis::comparison::Verdict;

constexpr const char* line_format =
    "{:<21} {:>1} {:<10} {:>7} {}  {:>7} {:>7} {:>7} {:>5} {:>7} {:>7} {:>4} {:>7}\n";
constexpr int verdict_width = 10;

std::string coloured(Verdict verdict) {
  const Style style = output_style();
  const std::string word = fmt::format("{:<{}}", to_string(verdict), verdict_width);
  if (verdict == Verdict::stable) return style.green(word);
  return verdict == Verdict::fails ? style.red(word) : style.yellow(word);
}

void print_row(const Row& row, bool same_group) {
  const auto& c = row.candidate;
  const auto& r = row.result;
  print_output(line_format, same_group ? "" : c.method, same_group ? "" : std::to_string(c.index),
               same_group ? "" : c.stabilisation, short_time(r.step), coloured(r.verdict),
               error_text(r.error.position), error_text(r.error.acceleration),
               error_text(r.error.reaction), order_text(row.order.position),
               error_text(r.position_residual), error_text(r.energy_change),
               fmt::format("{:.1f}", r.iterations_per_step), short_time(r.time));
}

bool good(const Row& row) {
  return row.result.verdict == Verdict::stable && std::isfinite(row.result.error.position);
}

const Row* best(const Comparison& comparison, double most_error, double (*measure)(const Row&)) {
  const Row* found = nullptr;
  for (const Row& row : comparison.rows) {
    if (!good(row) || row.result.error.position > most_error) continue;
    if (found == nullptr || measure(row) < measure(*found)) found = &row;
  }
  return found;
}

}  // namespace

std::string error_text(double value) {
  if (std::isnan(value)) return "-";
  return value == 0.0 ? "0" : fmt::format("{:.1e}", value);
}

std::string order_text(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.2f}", value);
}

std::string short_time(double seconds) {
  if (seconds >= 1.0 || seconds == 0.0) return fmt::format("{:.3g} s", seconds);
  if (seconds >= 1e-3) return fmt::format("{:.3g} ms", seconds * 1e3);
  return fmt::format("{:.3g} us", seconds * 1e6);
}

std::vector<std::string> findings(const Comparison& comparison) {
  std::vector<std::string> list;
  std::map<Verdict, int> counts;
  for (const Row& row : comparison.rows) ++counts[row.result.verdict];
  std::string text;
  for (const auto& [verdict, count] : counts) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, to_string(verdict));
  }
  list.push_back(fmt::format("{}: {}.", count_text(comparison.rows.size(), "run", "runs"), text));
  if (comparison.prescribed) {
    list.emplace_back(
        "The motion is prescribed: joints and drives leave no freedom. Positions are the same by "
        "every method that solves the constraints, up to rounding; methods differ in the "
        "velocities, accelerations and reactions they derive from them.");
    return list;
  }
  const auto error = [](const Row& row) { return row.result.error.position; };
  const auto time = [](const Row& row) { return row.result.time; };
  const Row* accurate = best(comparison, INFINITY, error);
  if (accurate == nullptr) return list;
  list.push_back(fmt::format("Most accurate: {} (position error {:.1e}, {}).",
                             accurate->candidate.name(), error(*accurate),
                             short_time(time(*accurate))));
  if (error(*accurate) <= comparison.reference_error.position) {
    list.back() +=
        fmt::format(" The reference does not tell errors below {:.1e} apart: they may be its own.",
                    comparison.reference_error.position);
  }
  const double wanted = 10.0 * error(*accurate);
  if (const Row* cheap = best(comparison, wanted, time); cheap != nullptr && cheap != accurate) {
    list.push_back(fmt::format("Cheapest within ten times that error: {} ({:.1e}, {}).",
                               cheap->candidate.name(), error(*cheap), short_time(time(*cheap))));
  }
  const auto energy = [](const Row& row) { return row.result.energy_change; };
  if (const Row* calm = best(comparison, INFINITY, energy); calm != nullptr) {
    list.push_back(fmt::format("Least change of energy: {} ({:.1e} J).", calm->candidate.name(),
                               energy(*calm)));
  }
  return list;
}

void print(const Comparison& comparison) {
  const Style style = output_style();
  print_output("{}", style.bold(fmt::format(line_format, "method", "i", "stabilised", "step",
                                            "verdict   ", "u error", "a error", "f error", "order",
                                            "|g|", "energy", "it", "time")));
  std::string group;
  for (const Row& row : comparison.rows) {
    print_row(row, row.candidate.group() == group);
    group = row.candidate.group();
  }
  print_output(
      "{}", style.faint(
                "errors: positions in model sizes or rad, accelerations and reactions relative; "
                "energy in J;\nit: Newton iterations per step; time: of the processor in steps\n"));
  Report report;
  for (const std::string& finding : findings(comparison)) {
    report.emplace_back(report.empty() ? "found" : "", finding);
  }
  report.emplace_back("reference", comparison.reference);
  if (comparison.trusted_until <
      comparison.sampling.interval * (static_cast<double>(comparison.sampling.count) - 0.5)) {
    report.emplace_back("",
                        fmt::format("errors are measured until t = {:.4g} s, where the reference "
                                    "stops to converge (motions part exponentially)",
                                    comparison.trusted_until));
  }
  for (const auto& left : comparison.left_out) {
    report.emplace_back("left out", fmt::format("{}: {}", left.group, left.reason));
  }
  print_output("\n");
  print(report);
}

}  // namespace trammel::cli
