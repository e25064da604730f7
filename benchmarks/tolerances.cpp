// True errors over tolerances of every method that takes one, as tables for docs/tolerances.md.
#include <map>

#include "suite.h"
#include "unit/analysis/tolerance_study.h"
#include <fmt/format.h>

namespace trammel::benchmarks {
namespace {

using analysis::tolerance_study::Study;

constexpr double within = 10.0;  // times the tolerance

// Below, steps of second order are so short that round-off decides.
bool judged(const std::string& method, double tolerance) {
  return tolerance > 0.5e-7 || !analysis::tolerance_study::of_second_order(method);
}

struct Row {
  std::map<double, int> kept;             // problems by tolerance
  std::map<std::string, double> largest;  // error over tolerance by problem
};

std::string joined(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

}  // namespace

void tolerance_table(std::vector<std::string> methods, const std::string& problem) {
  const std::vector<double> tolerances{1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9};
  if (methods.empty()) methods = analysis::tolerance_study::adaptive_methods();
  std::map<std::string, Row> rows;
  std::vector<std::string> problems;
  for (const analysis::AccuracyProblem& each : analysis::tolerance_study::problems()) {
    if (!problem.empty() && each.name != problem) continue;
    Study study(each);
    problems.push_back(each.name);
    fmt::print(stderr, "{}: truth known to {:.1e}\n", each.name, study.uncertainty());
    for (const std::string& method : methods) {
      fmt::print(stderr, "  {:<18}", method);
      for (const double tolerance : tolerances) {
        if (!judged(method, tolerance)) continue;
        const auto run = study.run(method, tolerance);
        const double ratio = study.error(run) / tolerance;
        Row& row = rows[method];
        row.kept[tolerance] += ratio <= within ? 1 : 0;
        row.largest[each.name] = std::max(row.largest[each.name], ratio);
        fmt::print(stderr, "{:>9.2g}", ratio);
        if (!run.ok) fmt::print(stderr, " ({})", run.failure);
      }
      fmt::print(stderr, "\n");
    }
  }
  std::vector<std::string> head{"method"};
  for (const double tolerance : tolerances) head.push_back(fmt::format("{:.0e}", tolerance));
  fmt::print("{}|{}\n", joined(head), fmt::join(std::vector<std::string>(head.size(), "---|"), ""));
  for (const std::string& method : methods) {
    std::vector<std::string> cells{method};
    for (const double tolerance : tolerances) {
      cells.push_back(judged(method, tolerance) ? std::to_string(rows[method].kept[tolerance])
                                                : "");
    }
    fmt::print("{}", joined(cells));
  }
  head = {"problem"};
  head.insert(head.end(), methods.begin(), methods.end());
  fmt::print("\n{}|{}\n", joined(head),
             fmt::join(std::vector<std::string>(head.size(), "---|"), ""));
  for (const std::string& name : problems) {
    std::vector<std::string> cells{name};
    for (const std::string& method : methods) {
      cells.push_back(fmt::format("{:.2g}", rows[method].largest[name]));
    }
    fmt::print("{}", joined(cells));
  }
}

}  // namespace trammel::benchmarks
