#include "trammel/analysis/verdict.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "trammel/analysis/changed_method.h"

namespace trammel::analysis {
namespace {

constexpr double turn = 2.0 * std::numbers::pi;
constexpr double unmoved = 1e-13;  // rad or model sizes: the round-off of positions

// Of the fastest oscillation or decay; infinite where there is none.
double steps_per_period(const Evidence& e) {
  return turn / (e.fastest_rate * e.step);
}

std::string finer(const Evidence& e) {
  return e.adaptive ? "try a tenth of the tolerances"
                    : fmt::format(
                          "try a smaller step, e.g. {:.2g} s, or an adaptive method "
                          "(dormand-prince; bdf where the model is stiff)",
                          0.25 * e.step);
}

// What the step has to follow, when that was found.
std::string period_text(const Evidence& e) {
  if (e.adaptive || !(steps_per_period(e) < 20.0)) return {};
  return fmt::format("; the fastest oscillation or decay of the model takes {:.2g} s, {:.2g} steps",
                     turn / e.fastest_rate, steps_per_period(e));
}

double relative_lack(const Evidence& e) {
  // Differences of large energies have the round-off of those.
  constexpr double round_off = 1e-10;
  const double lack = std::abs(e.lack);
  if (lack <= round_off * e.largest_energy || lack <= unmoved * e.loads) return 0.0;
  return std::isfinite(lack) ? lack / e.exchanged : INFINITY;
}

bool accurate(const Evidence& e, const DoubtLimits& limits) {
  return e.estimate.known && e.estimate.position * e.estimate.per_way <= limits.error;
}

void judge_energy(const Evidence& e, const DoubtLimits& limits, std::vector<Doubt>& doubts) {
  const double share = relative_lack(e);
  if (!(share > limits.loss)) return;
  const bool damped = e.lack > 0.0 && e.damps && accurate(e, limits) && steps_per_period(e) < 10.0;
  if (damped && share <= limits.damped_loss) return;
  const std::string share_text =
      e.exchanged > 0.0 && std::isfinite(share)
          ? fmt::format(" ({:.2g} % of what was exchanged)", 100.0 * share)
          : std::string();
  doubts.push_back({"energy",
                    fmt::format("by t = {:.4g} s {:.3g} J {} without a cause{}{}", e.time_of_lack,
                                std::abs(e.lack), e.lack > 0.0 ? "were lost" : "appeared",
                                share_text, period_text(e)),
                    finer(e)});
}

std::string smaller_steps(const Evidence& e) {
  return e.adaptive ? "a tenth of the tolerances" : "a smaller step";
}

std::string closer_positions(const Evidence& e) {
  std::string text;
  if (takes(e.integrator, "stabilisation", "projection")) text += "stabilisation: projection, ";
  if (takes(e.integrator, "index")) text += "index: 3, ";
  if (takes(e.integrator, "stabilisation", "penalty-position")) {
    text += "stabilisation: penalty-position, ";
  }
  if (takes(e.integrator, "epsilon")) text += "a smaller epsilon, ";
  return text + (text.empty() ? "" : "or ") + smaller_steps(e);
}

std::string closer_velocities(const Evidence& e) {
  std::string text;
  if (takes(e.integrator, "spectral_radius")) text += ", a smaller spectral_radius";
  if (takes(e.integrator, "stabilisation", "ggl")) text += ", or stabilisation: ggl";
  if (takes(e.integrator, "stabilisation", "projection") && text.empty()) {
    text += ", or stabilisation: projection";
  }
  return smaller_steps(e) + text;
}

void judge_constraints(const Evidence& e, const DoubtLimits& limits, std::vector<Doubt>& doubts) {
  const double drift = e.position_error / e.size;
  if (e.redundant > 0 && drift > limits.position_with_redundant_rows && drift <= limits.position) {
    doubts.push_back(
        {"constraints",
         fmt::format(
             "positions drift from their constraints by {:.2g}, {:.2g} of the model's size; "
             "{} redundant {} left out, which {} no longer from the others then: velocities "
             "are wrong by some times that share",
             e.position_error, drift, e.redundant, e.redundant == 1 ? "row was" : "rows were",
             e.redundant == 1 ? "follows" : "follow"),
         "try " + closer_positions(e)});
  }
  if (e.position_error > limits.position * e.size) {
    doubts.push_back({"constraints",
                      fmt::format("positions leave their constraints by {:.2g}, {:.2g} of the "
                                  "model's size",
                                  e.position_error, e.position_error / e.size),
                      "try " + closer_positions(e)});
  }
  // What stands still has velocities of round-off, which are wrong by any share.
  const bool at_rest = e.velocity_error * e.step <= unmoved * std::min(e.size, 1.0);
  if (e.velocity_error > limits.velocity * e.speed && !at_rest) {
    doubts.push_back({"constraints",
                      fmt::format("velocities leave their constraints by {:.2g}, {:.2g} of the "
                                  "largest velocity",
                                  e.velocity_error, e.velocity_error / e.speed),
                      "try " + closer_velocities(e)});
  }
}

void judge_steps(const Evidence& e, const DoubtLimits& limits, std::vector<Doubt>& doubts) {
  // A second run knows better.
  const bool compared = e.estimate.known || e.estimate.difference > 0.0;
  if (compared || !(e.mispredicted > limits.misprediction)) return;
  doubts.push_back({"steps",
                    fmt::format("steps of {:.3g} s do not resolve the motion: displacements differ "
                                "from their extrapolation by {:.2g} % on the average{}",
                                e.step, 100.0 * e.mispredicted, period_text(e)),
                    finer(e)});
}

void judge_accuracy(const Evidence& e, const DoubtLimits& limits, std::vector<Doubt>& doubts) {
  if (e.estimate.known && e.estimate.position * e.estimate.per_way > limits.error) {
    doubts.push_back({"accuracy",
                      fmt::format("positions are wrong by about {:.2g} rad or model sizes (at "
                                  "t = {:.4g} s, by {})",
                                  e.estimate.position, e.estimate.time, e.estimate.origin),
                      finer(e)});
  } else if (e.estimate.known && e.estimate.way > limits.least_way &&
             e.estimate.position > limits.share_of_way * e.estimate.way) {
    doubts.push_back(
        {"accuracy",
         fmt::format(
             "positions are wrong by about {:.2g} of the whole motion, which is small ({:.2g} "
             "of {:.2g} rad or model sizes, by {}){}",
             e.estimate.position / e.estimate.way, e.estimate.position, e.estimate.way,
             e.estimate.origin, period_text(e)),
         finer(e)});
  } else if (!e.estimate.known && e.estimate.difference * e.estimate.per_way > limits.error) {
    const bool of_states = e.estimate.reason.starts_with("first-order states");
    doubts.push_back({"accuracy",
                      fmt::format("{} are not to be relied on: {}",
                                  of_states ? "states" : "positions", e.estimate.reason),
                      finer(e) + "; where that changes nothing, the motion magnifies every error"});
  }
}

}  // namespace

std::string to_string(const Doubt& doubt) {
  return fmt::format("{}: {}; {}", doubt.number, doubt.message, doubt.remedy);
}

std::vector<Doubt> judge(const Evidence& evidence, const DoubtLimits& limits) {
  std::vector<Doubt> doubts;
  judge_accuracy(evidence, limits, doubts);
  judge_energy(evidence, limits, doubts);
  judge_constraints(evidence, limits, doubts);
  judge_steps(evidence, limits, doubts);
  return doubts;
}

bool wants_fastest_rate(const Evidence& e, const DoubtLimits& limits) {
  return !e.adaptive && (relative_lack(e) > limits.loss || e.mispredicted > limits.misprediction);
}

}  // namespace trammel::analysis
