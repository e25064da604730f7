#include "connection_text.h"

#include <fmt/format.h>

namespace trammel::cli {
namespace {

std::string nodes_text(const std::vector<std::string>& nodes) {
  if (nodes.empty()) return "no internal nodes";
  return fmt::format("{} ({})", count_text(nodes.size(), "internal node", "internal nodes"),
                     fmt::join(nodes, ", "));
}

std::string joints_text(const model::ConnectionSummary& summary) {
  const model::KinematicReduction& reduction = summary.reduction;
  std::string text =
      fmt::format("{} and {} between {} ",
                  count_text(static_cast<std::size_t>(summary.elements), "joint", "joints"),
                  nodes_text(summary.nodes), fmt::join(summary.bodies, " and "));
  const std::string rows =
      count_text(static_cast<std::size_t>(reduction.rows), "constraint row", "constraint rows");
  if (!reduction.joint.empty()) {
    text += fmt::format("became a {} joint", reduction.joint);
  } else if (reduction.is_hinge) {
    text += fmt::format("became a hinge of its own, with {}", rows);
  } else {
    text += fmt::format("became {}", rows);
  }
  if (reduction.velocity_rows > 0) {
    text += fmt::format(" and {}", count_text(static_cast<std::size_t>(reduction.velocity_rows),
                                              "nonholonomic row", "nonholonomic rows"));
  }
  text += ", which leave";
  const bool many = reduction.joint.empty() && !reduction.is_hinge &&
                    reduction.rows + reduction.velocity_rows != 1;
  text += many ? "" : "s";
  text += " " + count_text(static_cast<std::size_t>(reduction.freedoms), "freedom", "freedoms");
  if (reduction.idle > 0) {
    text +=
        fmt::format("; {} of its nodes that no body feels",
                    count_text(static_cast<std::size_t>(reduction.idle), "freedom", "freedoms"));
  }
  return text;
}

std::string elements_text(const model::ConnectionSummary& summary) {
  std::string text =
      fmt::format("{} between {}; {}",
                  count_text(static_cast<std::size_t>(summary.elements), "element", "elements"),
                  summary.bodies.empty() ? "the ground alone"
                                         : fmt::format("{}", fmt::join(summary.bodies, ", ")),
                  nodes_text(summary.nodes));
  if (summary.unknowns > 0) {
    text +=
        fmt::format(", {} solved to equilibrium",
                    count_text(static_cast<std::size_t>(summary.unknowns), "freedom", "freedoms"));
  }
  if (!summary.states.empty()) {
    text += fmt::format("; follows the states {}", fmt::join(summary.states, ", "));
  }
  return text;
}

}  // namespace

Report connection_report(const std::vector<model::ConnectionSummary>& summaries) {
  Report report;
  for (const model::ConnectionSummary& summary : summaries) {
    report.emplace_back(summary.name,
                        summary.kinematic ? joints_text(summary) : elements_text(summary));
    const model::KinematicReduction& reduction = summary.reduction;
    if (!reduction.coordinates.empty()) {
      report.emplace_back("", fmt::format("its coordinates in relative coordinates: {}",
                                          fmt::join(reduction.coordinates, ", ")));
    }
    if (!reduction.obstacle.empty()) {
      report.emplace_back("", "stays a constraint in relative coordinates: " + reduction.obstacle);
    }
    if (!reduction.redundant.empty()) {
      report.emplace_back(
          "", fmt::format("rows that say nothing new: {}", fmt::join(reduction.redundant, "; ")));
    }
  }
  return report;
}

Report derivative_report(const std::vector<model::DerivativeMismatch>& mismatches) {
  if (mismatches.empty()) return {{"derivatives", "all agree with differences"}};
  Report report;
  for (const model::DerivativeMismatch& wrong : mismatches) {
    report.emplace_back(
        report.empty() ? "derivatives" : "",
        fmt::format("{}: {} is wrong, worst at {}: {:.9g}, by differences {:.9g}", wrong.element,
                    wrong.quantity, wrong.entry, wrong.exact, wrong.difference));
  }
  return report;
}

}  // namespace trammel::cli
